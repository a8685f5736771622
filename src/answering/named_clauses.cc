#include "answering/named_clauses.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "text/ascii_case.h"

namespace whereof::answering {
namespace {

constexpr std::array<std::string_view, 9> kAnnouncing = {"clause",    "section",  "article",
                                                         "paragraph", "schedule", "exhibit",
                                                         "annex",     "appendix", "part"};
// What tells the later of two lists in a clause: "5.1, second (a)".
constexpr std::array<std::string_view, 9> kOrdinals = {
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
constexpr std::array<std::string_view, 4> kJoining = {"and", "or", "to", "through"};

bool is_word_character(char c) noexcept {
  const char l = text::ascii_lower(c);
  return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9') || l == '.' || l == '(' || l == ')';
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_character(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word_character(text[at])) ++at;
    std::string word = text::ascii_lower(text.substr(begin, at - begin));
    while (!word.empty() && word.back() == '.') word.pop_back();
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

bool announces(std::string_view word) {
  if (!word.empty() && word.back() == 's') word.remove_suffix(1);
  return std::find(kAnnouncing.begin(), kAnnouncing.end(), word) != kAnnouncing.end();
}

bool looks_like_number(std::string_view word) {
  const bool has_digit =
      std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool is_roman = !word.empty() && word.find_first_not_of("ivxlc") == std::string_view::npos;
  return has_digit || is_roman || word.size() == 1 || word.front() == '(';
}

bool is_ordinal(std::string_view word) {
  return std::find(kOrdinals.begin(), kOrdinals.end(), word) != kOrdinals.end();
}

// "Section 3.02" and "3.02." name the same: the number without its word.
std::string bare_number(std::string_view printed) {
  std::string bare;
  for (const std::string& word : words_of(printed)) {
    if (!announces(word)) bare += word;
  }
  return bare;
}

std::vector<std::string> numbers_in(std::string_view question) {
  std::vector<std::string> numbers;
  std::string ordinal;  // stands behind a number: it counts where another follows
  bool is_announced = false;
  for (const std::string& word : words_of(question)) {
    if (announces(word)) {
      is_announced = true;
      ordinal.clear();
    } else if (is_announced && looks_like_number(word)) {
      if (ordinal.empty()) {
        numbers.push_back(word);
      } else {
        numbers.back() += ordinal + word;
      }
      ordinal.clear();
    } else if (is_announced && !numbers.empty() && is_ordinal(word)) {
      ordinal = word;
    } else {
      ordinal.clear();
      if (std::find(kJoining.begin(), kJoining.end(), word) == kJoining.end()) is_announced = false;
    }
  }
  return numbers;
}

bool is_chinese_number(std::string_view number) {
  return number.starts_with("第") || number.starts_with("附件");
}

}  // namespace

std::vector<std::int32_t> clauses_named_in(std::string_view question, const Document& document) {
  const std::vector<std::string> numbers = numbers_in(question);
  std::vector<std::int32_t> named;
  for (std::size_t i = 0; i < document.clauses.size(); ++i) {
    const Clause& clause = document.clauses[i];
    if (clause.number.empty()) continue;
    bool is_named = false;
    if (is_chinese_number(clause.number)) {
      is_named = question.find(clause.number) != std::string_view::npos;
    } else {
      const std::string number = bare_number(clause.number);
      const std::string label = bare_number(clause.label);
      is_named = std::any_of(numbers.begin(), numbers.end(), [&](const std::string& wanted) {
        return (clause.depth == 0 && wanted == number) || wanted == label;
      });
    }
    if (is_named) named.push_back(static_cast<std::int32_t>(i));
  }
  return named;
}

}  // namespace whereof::answering
