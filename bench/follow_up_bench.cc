// What an earlier question does to the search of the next one. Prints one JSON object a line.
//
//   follow_up_bench FOLLOW_UPS CUAD
//     FOLLOW_UPS: bench/follow_ups.jsonl, questions that refer to one before them; CUAD: a folder
//     of contracts with questions.jsonl (include/whereof/evaluation.h), whose questions each come
//     after another one to the same contract, which has nothing to do with them
//
// For each half and several shares at most (answering/earlier_questions.h; 0: the question alone):
// how often the best 1, 5 and 10 passages hold the place that answers.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answering/earlier_questions.h"
#include "whereof/document.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDeepest = 100;
constexpr double kShares[] = {0, 0.25, answering::kMostEarlierShare, 1};

struct Turn {
  std::string document;  // name of the contract, without its ending
  std::int64_t half = 1;
  std::string earlier;
  std::string question;
  std::vector<Span> gold;  // bytes of the document's text
};

class Contracts {
 public:
  Contracts(fs::path folder, const fs::path& library)
      : folder_(std::move(folder)), library_(Library::open(library)) {}

  const Document& document(const std::string& name) {
    const auto [place, is_new] = documents_.try_emplace(name);
    if (is_new) {
      place->second = read_document(folder_ / (name + ".txt"));
      library_->add(place->second);
    }
    return place->second;
  }

  std::int64_t first_hit_of(const Turn& turn, double share) {
    std::vector<Span> places;
    for (const Hit& hit : answering::search(*library_, turn.question, {&turn.earlier, 1}, kDeepest,
                                            document(turn.document).content_hash, share)) {
      places.push_back(hit.where.text);
    }
    return first_hit(places, turn.gold);
  }

 private:
  fs::path folder_;
  std::unique_ptr<Library> library_;
  std::map<std::string, Document> documents_;
};

std::vector<Turn> follow_ups(const fs::path& file, Contracts& contracts) {
  std::ifstream lines(file);
  if (!lines) throw Error(ErrorKind::not_found, file.string() + ": cannot be read");
  std::vector<Turn> turns;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    Turn& turn = turns.emplace_back(
        Turn{json.at("document"), json.at("half"), json.at("earlier"), json.at("question"), {}});
    const std::string& text = contracts.document(turn.document).text;
    const std::string gold = json.at("gold");
    for (std::size_t at = text.find(gold); at != gold.npos; at = text.find(gold, at + 1)) {
      turn.gold.push_back(
          {static_cast<std::int64_t>(at), static_cast<std::int64_t>(at + gold.size())});
    }
    if (turn.gold.empty()) {
      throw Error(ErrorKind::bad_document, turn.document + " does not hold \"" + gold + "\"");
    }
  }
  return turns;
}

// Of code points of the source, where no byte of the text is further than all of them.
std::vector<Span> bytes_of(const Document& document, const std::vector<Span>& code_points) {
  std::vector<Span> bytes;
  for (const Passage& passage : split_passages(document)) {
    const Span source = source_span(document, passage.text);
    for (const Span gold : code_points) {
      if (source.overlaps(gold)) bytes.push_back(passage.text);
    }
  }
  return bytes;
}

std::vector<Turn> unrelated(const fs::path& folder, Contracts& contracts) {
  const QuestionSet set = load_question_set(folder);
  std::map<std::int32_t, std::string> before;  // of each document
  std::vector<Turn> turns;
  for (const GoldQuestion& question : set.questions) {
    if (!question.is_answerable) continue;
    const std::string& name = set.documents[static_cast<std::size_t>(question.document)].name;
    std::string& earlier = before[question.document];
    if (!earlier.empty()) {
      turns.push_back({name, half_of(name), earlier, question.text,
                       bytes_of(contracts.document(name), question.gold)});
    }
    earlier = question.text;
  }
  return turns;
}

void report(const char* name, const std::vector<Turn>& turns, Contracts& contracts) {
  for (std::int64_t half = 1; half <= 2; ++half) {
    for (const double share : kShares) {
      std::vector<std::int64_t> first_hits;
      for (const Turn& turn : turns) {
        if (turn.half == half) first_hits.push_back(contracts.first_hit_of(turn, share));
      }
      const nlohmann::ordered_json line = {{"questions", name},
                                           {"half", half},
                                           {"count", first_hits.size()},
                                           {"share_at_most", share},
                                           {"recall_at_1", recall_at(first_hits, 1)},
                                           {"recall_at_5", recall_at(first_hits, 5)},
                                           {"recall_at_10", recall_at(first_hits, 10)}};
      std::printf("%s\n", line.dump().c_str());
    }
  }
}

int run(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: follow_up_bench FOLLOW_UPS CUAD\n");
    return 2;
  }
  std::string pattern = (fs::temp_directory_path() / "whereof-follow-ups-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::input_output, pattern + ": cannot be made");
  }
  const fs::path folder = pattern;
  {
    Contracts contracts(words[2], folder / "library.db");
    report("follow_ups", follow_ups(words[1], contracts), contracts);
    report("unrelated", unrelated(words[2], contracts), contracts);
  }
  fs::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace whereof

int main(int count, char** words) {
  try {
    return whereof::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "follow_up_bench: %s\n", error.what());
    return 1;
  }
}
