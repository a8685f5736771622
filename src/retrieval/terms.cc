#include "retrieval/terms.h"

#include <algorithm>
#include <optional>

#include "text/chinese_number.h"
#include "text/fold.h"
#include "text/utf8.h"

namespace whereof::retrieval {
namespace {

constexpr std::size_t kLongestTermBytes = 64;
constexpr std::size_t kMostTerms = 128;

std::string_view slice(std::string_view text, Span span) {
  return text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.length()));
}

// "第3条" for every spelling of 第三条.
std::string normal_chinese_label(std::string_view label) {
  constexpr std::size_t kPrefixBytes = 3;  // 第
  const std::string_view rest = label.substr(kPrefixBytes);
  const auto number = text::chinese_number(rest);
  if (!number) return std::string(label);
  return "第" + std::to_string(number->value) + std::string(rest.substr(number->bytes));
}

void drop_commas(std::string& number) {
  number.erase(std::remove(number.begin(), number.end(), ','), number.end());
}

class StopWords {
 public:
  static bool holds(std::string_view word) {
    return std::binary_search(std::begin(kEnglish), std::end(kEnglish), word);
  }
  // Bytes of the Chinese stop phrase that text begins with, longest first; 0 where none.
  static std::size_t chinese_prefix(std::string_view text) {
    for (const std::string_view phrase : kChinese) {
      if (text.substr(0, phrase.size()) == phrase) return phrase.size();
    }
    return 0;
  }

 private:
  static constexpr std::string_view kEnglish[] = {
      "a",     "about", "an",    "and",   "any",   "are",   "as",    "at",   "be",    "been",
      "being", "but",   "by",    "can",   "could", "did",   "do",    "does", "each",  "for",
      "from",  "had",   "has",   "have",  "he",    "her",   "here",  "him",  "his",   "how",
      "i",     "if",    "in",    "into",  "is",    "it",    "its",   "many", "may",   "me",
      "might", "much",  "must",  "my",    "of",    "on",    "or",    "our",  "shall", "she",
      "so",    "some",  "such",  "than",  "that",  "the",   "their", "them", "then",  "there",
      "these", "they",  "this",  "those", "to",    "us",    "was",   "we",   "were",  "what",
      "when",  "where", "which", "who",   "whom",  "whose", "why",   "will", "with",  "would",
      "you",   "your"};
  static_assert(std::is_sorted(std::begin(kEnglish), std::end(kEnglish)));
  static constexpr std::string_view kChinese[] = {
      "是什么", "是多少", "有没有", "是不是", "能不能", "什么", "怎么", "怎样", "如何", "多少",
      "是否",   "哪些",   "哪个",   "哪种",   "几个",   "为何", "可以", "应当", "应该", "需要",
      "根据",   "按照",   "关于",   "以及",   "或者",   "并且", "的",   "了",   "吗",   "呢"};
};

bool names_a_clause(std::string_view word) {
  constexpr std::string_view kNames[] = {
      "annex",     "appendix", "article",  "articles",  "clause",  "clauses", "exhibit",
      "paragraph", "para",     "schedule", "schedules", "section", "sections"};
  return std::find(std::begin(kNames), std::end(kNames), word) != std::end(kNames);
}

// "4" of "iv"; std::nullopt for what is no Roman numeral below 90.
std::optional<std::string> roman_number(std::string_view word) {
  int value = 0;
  int previous = 0;
  for (auto letter = word.rbegin(); letter != word.rend(); ++letter) {
    const int digit = *letter == 'i'   ? 1
                      : *letter == 'v' ? 5
                      : *letter == 'x' ? 10
                      : *letter == 'l' ? 50
                                       : 0;
    if (digit == 0) return std::nullopt;
    value += digit < previous ? -digit : digit;
    previous = std::max(previous, digit);
  }
  if (value <= 0 || value >= 90 || word.size() > 8) return std::nullopt;
  return std::to_string(value);
}

// "3" of "3.2(a)", "3.2" of "3.2(a)": everything a clause lies under, longest first, itself
// included.
std::vector<std::string> label_and_ancestors(std::string_view label) {
  std::vector<std::string> all{std::string(label)};
  for (std::size_t at = label.size(); at-- > 1;) {
    if (label[at] == '(' || label[at] == '.') all.emplace_back(label.substr(0, at));
  }
  return all;
}

void add_once(std::vector<std::string>& list, std::string_view value) {
  if (list.size() >= kMostTerms || value.empty()) return;
  if (std::find(list.begin(), list.end(), value) == list.end()) list.emplace_back(value);
}

// The number of a clause that a word names: after "clause", or by its form alone.
std::optional<std::string> label_of_word(std::string_view text, const text::Word& word,
                                         bool is_after_name) {
  std::string folded = text::fold(slice(text, word.bytes));
  switch (word.kind) {
    case text::WordKind::label:
      return folded;
    case text::WordKind::number:
      if (is_after_name) return folded;
      return std::nullopt;
    case text::WordKind::chinese_label: {
      const auto number = text::chinese_number(std::string_view(folded).substr(3));
      if (!number) return std::nullopt;
      return std::to_string(number->value);
    }
    case text::WordKind::letters: {
      if (!is_after_name) return std::nullopt;
      if (const auto roman = roman_number(folded)) return roman;
      if (folded.size() == 1) return folded;
      return std::nullopt;
    }
    case text::WordKind::ideograph:
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> labels_of_question(std::string_view question) {
  std::vector<std::string> labels;
  text::WordScanner words(question);
  text::Word word;
  bool is_after_name = false;
  while (words.next(word)) {
    if (const auto label = label_of_word(question, word, is_after_name)) {
      add_once(labels, *label);  // "clauses 3, 4 and 11": the name still holds
      continue;
    }
    const std::string folded = text::fold(slice(question, word.bytes));
    const bool continues_list = is_after_name && (folded == "and" || folded == "or" ||
                                                  folded == "to" || folded == "through");
    is_after_name = continues_list || names_a_clause(folded);
  }
  return labels;
}

// The question with Chinese stop phrases replaced by a blank, so that no pair reaches across one.
std::string without_chinese_stop_phrases(std::string_view question) {
  std::string rest;
  for (std::size_t at = 0; at < question.size();) {
    const bool is_ascii = static_cast<unsigned char>(question[at]) < 0x80;
    const std::size_t stop = is_ascii ? 0 : StopWords::chinese_prefix(question.substr(at));
    if (stop > 0) {
      rest.push_back(' ');
      at += stop;
      continue;
    }
    const auto bytes = static_cast<std::size_t>(text::decode_at(question, at).bytes);
    rest.append(question.substr(at, bytes));
    at += bytes;
  }
  return rest;
}

class WordCollector {
 public:
  explicit WordCollector(bool keeps_stop_words) : keeps_stop_words_(keeps_stop_words) {}

  void collect(std::string_view question, QuestionTerms& terms) {
    TermScanner scanner;
    scanner.scan(question, [&](const Term& term) {
      add(question, term);
      return words_.size() < kMostTerms;
    });
    flush_lone_character();
    for (const std::string& character : characters_) {
      if (std::find(words_.begin(), words_.end(), character) == words_.end()) {
        terms.characters.push_back(character);
      }
    }
    terms.words = std::move(words_);
  }

 private:
  void add(std::string_view question, const Term& term) {
    const std::string_view source = slice(question, term.bytes);
    const bool is_chinese = static_cast<unsigned char>(term.text.front()) >= 0xE0;
    if (is_chinese && !term.is_colocated && text::count_code_points(term.text) == 1) {
      add_once(characters_, term.text);
      // The second character of a pair comes right before the pair.
      if (term.bytes.begin != run_end_) flush_lone_character();
      if (term.bytes.begin != run_end_) lone_character_ = term.text;
      run_end_ = term.bytes.end;
      return;
    }
    if (is_chinese && term.is_colocated) {
      lone_character_.clear();
    } else {
      flush_lone_character();
      if (!keeps_stop_words_ && StopWords::holds(text::fold(source))) return;
    }
    add_once(words_, term.text);
  }

  // A single character is asked for only where no pair holds it.
  void flush_lone_character() {
    add_once(words_, lone_character_);
    lone_character_.clear();
  }

  const bool keeps_stop_words_;
  std::int64_t run_end_ = -1;   // of the characters seen last
  std::string lone_character_;  // begins a run
  std::vector<std::string> words_;
  std::vector<std::string> characters_;
};

}  // namespace

void TermScanner::scan(std::string_view text, const std::function<bool(const Term&)>& visit) {
  text::WordScanner words(text);
  text::Word word;
  Span previous_ideograph{-1, -1};
  while (words.next(word)) {
    const std::string_view source = slice(text, word.bytes);
    const std::string_view cut = source.substr(0, text::floor_boundary(source, kLongestTermBytes));
    switch (word.kind) {
      case text::WordKind::letters:
        folded_ = text::fold(cut);
        if (!visit({stemmer_.stem(folded_), word.bytes, false})) return;
        break;
      case text::WordKind::number:
        folded_ = text::fold(cut);
        drop_commas(folded_);
        if (!visit({folded_, word.bytes, false})) return;
        break;
      case text::WordKind::label: {
        folded_ = text::fold(cut);
        if (!visit({folded_, word.bytes, false})) return;
        const std::string number = folded_.substr(0, folded_.find('('));
        if (!visit({number, word.bytes, true})) return;
        break;
      }
      case text::WordKind::chinese_label:
        folded_ = normal_chinese_label(source);
        if (!visit({folded_, word.bytes, false})) return;
        break;
      case text::WordKind::ideograph: {
        folded_ = text::fold(cut);
        if (!visit({folded_, word.bytes, false})) return;
        if (previous_ideograph.end == word.bytes.begin) {
          const Span pair{previous_ideograph.begin, word.bytes.end};
          const std::string folded_pair = text::fold(slice(text, pair));
          if (!visit({folded_pair, pair, true})) return;
        }
        previous_ideograph = word.bytes;
        break;
      }
    }
  }
}

std::int64_t TermScanner::count(std::string_view text) {
  std::int64_t places = 0;
  scan(text, [&](const Term& term) {
    if (!term.is_colocated) ++places;
    return true;
  });
  return places;
}

QuestionTerms terms_of_question(std::string_view question) {
  QuestionTerms terms;
  terms.labels = labels_of_question(question);
  const std::string rest = without_chinese_stop_phrases(question);
  WordCollector(false).collect(rest, terms);
  if (terms.words.empty()) WordCollector(true).collect(question, terms);
  return terms;
}

std::string label_terms(std::string_view clause_label) {
  std::vector<std::string> labels;
  text::WordScanner words(clause_label);
  text::Word word;
  while (words.next(word)) {
    const auto label = label_of_word(clause_label, word, true);
    if (!label) continue;
    for (const std::string& one : label_and_ancestors(*label)) add_once(labels, one);
  }
  std::string joined;
  for (const std::string& label : labels) {
    if (!joined.empty()) joined.push_back(' ');
    joined.append(label);
  }
  return joined;
}

}  // namespace whereof::retrieval
