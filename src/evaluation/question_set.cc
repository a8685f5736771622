#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include "text/sha256.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorKind::bad_document, file.string() + ": " + what);
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  if (stream) bytes << stream.rdbuf();
  if (!stream) {
    throw Error(ErrorKind::input_output, file.string() + ": " + std::strerror(errno));
  }
  return std::move(bytes).str();
}

std::vector<Span> spans_of(const Json& list) {
  std::vector<Span> spans;
  for (const Json& pair : list) {
    const Span span{pair.at(0).get<std::int64_t>(), pair.at(1).get<std::int64_t>()};
    if (span.begin < 0 || span.is_empty()) throw std::out_of_range("an empty gold span");
    spans.push_back(span);
  }
  return spans;
}

class LineSetReader {
 public:
  LineSetReader(const std::filesystem::path& folder, const std::filesystem::path& documents)
      : documents_(documents.empty() ? folder : documents), file_(folder / "questions.jsonl") {}

  QuestionSet read() {
    std::istringstream lines(read_file(file_));
    std::string line;
    for (std::int64_t number = 1; std::getline(lines, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      try {
        add(Json::parse(line));
      } catch (const std::exception& error) {
        refuse(file_, "line " + std::to_string(number) + ": " + error.what());
      }
    }
    return std::move(set_);
  }

 private:
  void add(const Json& object) {
    GoldQuestion question;
    question.document = document_named(object.at("document").get<std::string>());
    question.category = object.value("category", "");
    question.text = object.at("question").get<std::string>();
    question.is_answerable = object.at("answerable").get<bool>();
    question.gold = spans_of(object.at("gold_spans"));
    if (object.contains("needed_spans")) question.needed = spans_of(object.at("needed_spans"));
    if (question.is_answerable == question.gold.empty()) {
      throw std::out_of_range("answerable and gold_spans disagree");
    }
    set_.questions.push_back(std::move(question));
  }

  std::int32_t document_named(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos) {
      throw std::out_of_range("a document's name with a slash, or empty");
    }
    const auto next = static_cast<std::int32_t>(set_.documents.size());
    const auto [known, is_new] = indices_.emplace(name, next);
    if (is_new) set_.documents.push_back({name, documents_ / (name + ".txt"), {}});
    return known->second;
  }

  const std::filesystem::path documents_;
  const std::filesystem::path file_;
  std::map<std::string, std::int32_t> indices_;
  QuestionSet set_;
};

// One question for each hypothesis of each document.
void add_hypotheses(QuestionSet& set, const Json& document, const Json& hypotheses) {
  const auto index = static_cast<std::int32_t>(set.documents.size());
  set.documents.push_back(
      {document.at("file_name").get<std::string>(), {}, document.at("text").get<std::string>()});
  const std::vector<Span> sentences = spans_of(document.at("spans"));
  const Json& annotations = document.at("annotation_sets").at(0).at("annotations");
  for (const auto& [key, annotation] : annotations.items()) {
    GoldQuestion question;
    question.document = index;
    question.category = key;
    question.text = hypotheses.at(key).at("hypothesis").get<std::string>();
    question.is_answerable = annotation.at("choice").get<std::string>() != "NotMentioned";
    for (const Json& sentence : annotation.at("spans")) {
      question.gold.push_back(sentences.at(sentence.get<std::size_t>()));
    }
    set.questions.push_back(std::move(question));
  }
}

QuestionSet read_contract_nli(const std::filesystem::path& file) {
  QuestionSet set;
  try {
    const Json root = Json::parse(read_file(file));
    for (const Json& document : root.at("documents")) {
      add_hypotheses(set, document, root.at("labels"));
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(file, error.what());
  }
  return set;
}

// Removed again when it goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "whereof-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::input_output, pattern + ": " + std::strerror(errno));
    }
    folder_ = pattern;
    std::ofstream stream(path(), std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw Error(ErrorKind::input_output, path().string() + ": cannot be written");
  }
  ~TemporaryFile() {
    std::error_code ignored;  // a file left in the temporary folder harms nobody
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::filesystem::path path() const { return folder_ / "document.txt"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace

QuestionSet load_question_set(const std::filesystem::path& folder,
                              const std::filesystem::path& documents) {
  QuestionSet set;
  if (std::filesystem::exists(folder / "questions.jsonl")) {
    set = LineSetReader(folder, documents).read();
  } else if (std::filesystem::exists(folder / "dev.json")) {
    set = read_contract_nli(folder / "dev.json");
  } else {
    throw Error(ErrorKind::not_found,
                folder.string() + ": holds neither questions.jsonl nor dev.json");
  }
  set.name = std::filesystem::absolute(folder / "").parent_path().filename().string();
  return set;
}

namespace {

// Fisher and Yates; std::shuffle may differ from library to library.
void shuffle(std::vector<std::size_t>& items, std::mt19937_64& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random() % left]);
  }
}

}  // namespace

QuestionSet sample_questions(const QuestionSet& set, std::int64_t limit, std::uint64_t seed) {
  if (limit <= 0 || limit >= static_cast<std::int64_t>(set.questions.size())) return set;
  std::vector<std::vector<std::size_t>> of_document(set.documents.size());
  for (std::size_t i = 0; i < set.questions.size(); ++i) {
    of_document[static_cast<std::size_t>(set.questions[i].document)].push_back(i);
  }
  if (seed != 0) {
    std::mt19937_64 random(seed);
    for (auto& questions : of_document) shuffle(questions, random);
  }
  std::vector<std::size_t> chosen;
  for (std::size_t round = 0; static_cast<std::int64_t>(chosen.size()) < limit; ++round) {
    for (const auto& questions : of_document) {
      if (static_cast<std::int64_t>(chosen.size()) >= limit) break;
      if (round < questions.size()) chosen.push_back(questions[round]);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  QuestionSet sample{set.name, set.documents, {}};
  for (const std::size_t i : chosen) sample.questions.push_back(set.questions[i]);
  return sample;
}

std::int64_t half_of(std::string_view document_name) {
  const std::string first = text::sha256_hex(document_name).substr(0, 2);
  return std::stoi(first, nullptr, 16) % 2 + 1;
}

QuestionSet questions_of_half(const QuestionSet& set, std::span<const Document> documents,
                              std::int64_t half, std::int64_t longest_characters) {
  QuestionSet chosen{set.name, set.documents, {}};
  for (const GoldQuestion& question : set.questions) {
    const Document& document = documents[static_cast<std::size_t>(question.document)];
    const bool is_long = longest_characters > 0 && document.report.characters > longest_characters;
    if (is_long || (half != 0 && half_of(document.name) != half)) continue;
    chosen.questions.push_back(question);
  }
  return chosen;
}

Document read_question_document(const QuestionDocument& document,
                                const ReadDocumentOptions& options) {
  if (!document.file.empty()) return read_document(document.file, options);
  const TemporaryFile file(document.text);
  Document read = read_document(file.path(), options);
  read.name = document.name;
  read.path.clear();
  return read;
}

}  // namespace whereof
