// A document of probes: common clauses in an order of chance, each of three or four of its
// sentences, with a planted clause at the middle of each of as many equal parts as there are facts.
#include "whereof/probes.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "evaluation/probe_texts.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using evaluation::CommonClause;
using evaluation::PlantedFact;
using evaluation::ProbeTexts;

constexpr std::int64_t kLeastTokens = 100;
constexpr std::int64_t kMostTokens = 1 << 20;
constexpr std::int64_t kMostRounds = 1000;
constexpr std::uint64_t kLargestNumber = 60;

// The generator's numbers are the same with every standard library; its distributions are not.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : numbers_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return numbers_() % bound; }

  template <typename Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 numbers_;
};

// The template with its slots filled.
std::string filled(std::string_view pattern, const ProbeTexts& texts, std::string_view value,
                   Chance& chance) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      result += pattern[i];
      continue;
    }
    switch (pattern[i + 1]) {
      case 'n':
        result += std::to_string(2 + chance.below(kLargestNumber));
        break;
      case 'p':
        result += texts.parties[0];
        break;
      case 'o':
        result += texts.parties[1];
        break;
      default:
        result += value;
    }
    i += 2;
  }
  // English templates may begin with a party.
  if (result.starts_with("the ")) result[0] = 'T';
  return result;
}

class ProbeDocument {
 public:
  ProbeDocument(const ProbeTexts& texts, std::string name, std::int64_t tokens, Chance& chance)
      : texts_(texts), chance_(chance) {
    document_.name = std::move(name);
    most_characters_ =
        static_cast<std::int64_t>(static_cast<double>(tokens) * texts.characters_a_token);
    append(std::string(texts.title) + "\n\n");
    for (std::size_t i = 0; i < texts.clauses.size(); ++i) order_.push_back(i);
  }

  // Planted clauses, and where their sentences lie.
  std::vector<Span> write(std::span<const PlantedFact* const> planted) {
    std::vector<Span> places;
    const auto parts = static_cast<std::int64_t>(planted.size());
    for (std::int64_t part = 0; part < parts; ++part) {
      while (characters_ < most_characters_ * (2 * part + 1) / (2 * parts)) append_common();
      places.push_back(append_fact(*planted[static_cast<std::size_t>(part)]));
    }
    while (characters_ < most_characters_) append_common();
    return places;
  }

  QuestionDocument take() { return std::move(document_); }

 private:
  void append(std::string_view text) {
    document_.text += text;
    characters_ += text::count_code_points(text);
  }

  void append_heading(std::string_view heading) {
    append(texts_.number_before);
    append(std::to_string(++number_));
    append(texts_.number_after);
    append(heading);
    append(texts_.after_heading);
  }

  void append_common() {
    if (next_ % order_.size() == 0) chance_.shuffle(order_);
    const CommonClause& clause = texts_.clauses[order_[next_++ % order_.size()]];
    append_heading(clause.heading);
    const std::size_t left_out = chance_.below(2 * clause.sentences.size());
    const std::size_t turn = chance_.below(clause.sentences.size());
    bool is_first = true;
    for (std::size_t i = 0; i < clause.sentences.size(); ++i) {
      if (i == left_out) continue;
      if (!is_first) append(texts_.between_sentences);
      append(filled(clause.sentences[(i + turn) % clause.sentences.size()], texts_, {}, chance_));
      is_first = false;
    }
    append("\n\n");
  }

  Span append_fact(const PlantedFact& fact) {
    append_heading(fact.heading);
    const std::int64_t begin = characters_;
    append(filled(fact.sentence, texts_, fact.values[chance_.below(fact.values.size())], chance_));
    const Span place{begin, characters_};
    append("\n\n");
    return place;
  }

  const ProbeTexts& texts_;
  Chance& chance_;
  QuestionDocument document_;
  std::int64_t most_characters_ = 0;
  std::int64_t characters_ = 0;  // code points so far
  std::int64_t number_ = 0;      // of the last clause
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
};

void require(const std::string& what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorKind::invalid_argument, "probes: " + what + " " + std::to_string(value) +
                                               "; wanted " + std::to_string(least) + " .. " +
                                               std::to_string(most));
}

void ask_for(QuestionSet& set, const PlantedFact& fact, const Span* place) {
  const auto document = static_cast<std::int32_t>(set.documents.size());
  const auto add = [&](std::string_view category, std::string_view question) {
    GoldQuestion& added = set.questions.emplace_back();
    added.document = document;
    added.category = category;
    added.text = question;
    added.is_answerable = place != nullptr;
    if (place != nullptr) added.gold = {*place};
  };
  add("copied", fact.copied);
  add("paraphrased", fact.paraphrased);
}

// The name with a letter that puts it into the half, so that both have all lengths and languages.
std::string of_half(const std::string& name, std::int64_t half) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    if (half_of(name + letter) == half) return name + letter;
  }
  return name;
}

void add_document(QuestionSet& set, const ProbeTexts& texts, std::string name, std::int64_t tokens,
                  std::int64_t planted, Chance& chance) {
  std::vector<const PlantedFact*> facts;
  const auto first = static_cast<std::size_t>(half_of(name) - 1);
  for (std::size_t i = first; i < texts.facts.size(); i += 2) facts.push_back(&texts.facts[i]);
  chance.shuffle(facts);
  const auto count = static_cast<std::size_t>(planted);
  ProbeDocument document(texts, std::move(name), tokens, chance);
  const std::vector<Span> places = document.write(std::span(facts).first(count));
  for (std::size_t i = 0; i < std::min(2 * count, facts.size()); ++i) {
    ask_for(set, *facts[i], i < count ? &places[i] : nullptr);
  }
  set.documents.push_back(document.take());
}

}  // namespace

QuestionSet make_probes(const ProbeOptions& options) {
  const auto facts = static_cast<std::int64_t>(evaluation::english_probe_texts().facts.size() / 2);
  require("planted", options.planted, 1, facts - 1);
  require("rounds", options.rounds, 0, kMostRounds);
  QuestionSet set;
  set.name = "probes";
  Chance chance(options.seed);
  for (const std::int64_t tokens : options.lengths_tokens) {
    require("a length in tokens of", tokens, kLeastTokens, kMostTokens);
    for (std::int64_t round = 1; round <= options.rounds; ++round) {
      for (const ProbeTexts* texts :
           {&evaluation::english_probe_texts(), &evaluation::chinese_probe_texts()}) {
        const std::string name = "probe-" + std::string(texts->language) + "-" +
                                 std::to_string(tokens) + "-" + std::to_string(round);
        add_document(set, *texts, of_half(name, 1 + (round - 1) % 2), tokens, options.planted,
                     chance);
      }
    }
  }
  return set;
}

}  // namespace whereof
