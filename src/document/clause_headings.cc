#include "document/clause_headings.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "document/clause_wording.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestHeading = 160;  // bytes
constexpr int kMostWords = 16;
constexpr int kMostHanCharacters = 30;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }

// Words that headings do without and sentences hardly.
constexpr std::string_view kVerbs[] = {
    "shall", "will",   "is",    "are",      "may",        "must",        "has",
    "have",  "means",  "mean",  "agrees",   "agree",      "was",         "were",
    "be",    "been",   "can",   "does",     "do",         "hereby",      "had",
    "would", "should", "could", "warrants", "represents", "acknowledges"};

bool is_verb(std::string_view word) {
  return std::find(std::begin(kVerbs), std::end(kVerbs), word) != std::end(kVerbs);
}

std::string strip_marks(std::string_view text) {
  std::string heading;
  for (const char c : text) {
    if (c == '*' || c == '#') continue;
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space) {
      heading.push_back(c);
    } else if (!heading.empty() && heading.back() != ' ') {
      heading.push_back(' ');
    }
  }
  std::string_view view = trim(heading);
  while (view.starts_with('_') && view.ends_with('_') && view.size() > 2) {
    view = trim(view.substr(1, view.size() - 2));
  }
  bool again = true;
  while (again) {
    again = false;
    for (const std::string_view mark : {".", ":", ";", "：", "。", "—", "–", "-"}) {
      if (view.ends_with(mark)) {
        view = trim(view.substr(0, view.size() - mark.size()));
        again = true;
      }
    }
  }
  return std::string(view);
}

// Dashes and colons between a number and its heading.
std::string_view skip_joint(std::string_view text) {
  text = trim(text);
  bool again = true;
  while (again) {
    again = false;
    for (const std::string_view mark : {"-", "–", "—", ":", "：", ".", "|"}) {
      if (text.starts_with(mark)) {
        text = trim(text.substr(mark.size()));
        again = true;
      }
    }
  }
  return text;
}

struct WordCount {
  int words = 0;
  int long_lower = 0;  // words of five letters or more that begin in lower case
  bool has_verb = false;
};

WordCount count_words(std::string_view text) {
  WordCount count;
  for (std::size_t n = 0; n < text.size();) {
    if (!is_letter(text[n])) {
      ++n;
      continue;
    }
    std::size_t end = n;
    while (end < text.size() && (is_letter(text[end]) || text[end] == '\'')) ++end;
    const std::string_view word = text.substr(n, end - n);
    ++count.words;
    if (word.size() > 4 && is_lower(word[0])) ++count.long_lower;
    count.has_verb = count.has_verb || is_verb(word);
    n = end;
  }
  return count;
}

bool is_title(std::string_view text, bool stands_alone) {
  if (text.empty() || text.size() > kLongestHeading || !begins_sentence(text)) return false;
  if (text[0] == '"' || text.starts_with("“") || text.find('$') != text.npos) return false;
  const WordCount count = count_words(text);
  if (count.words > kMostWords || count.has_verb) return false;
  if (count.words == 0) return !begins_han(text) ? false : true;
  return count.words <= 8 || count.long_lower == 0 || (stands_alone && count.long_lower <= 3);
}

// A whole paragraph that is a title, and not one item of a list or a short sentence.
bool stands_as_heading(std::string_view text, const HeadingSource& source) {
  if (source.is_part) return true;
  if (text.ends_with(';') || text.ends_with(',')) return false;
  if (text.ends_with(" and") || text.ends_with(" or")) return false;
  const WordCount count = count_words(text);
  if (text.find(';') != std::string_view::npos && count.long_lower > 0) return false;
  if (text.ends_with(':')) return count.long_lower == 0;  // "In this Agreement:" leads a list
  if (text.ends_with('.') && !source.goes_on) return false;
  return !text.ends_with('.') || count.long_lower == 0 || count.words <= 4;
}

// Where the first sentence or its colon ends, when text follows it; npos when none does.
std::size_t run_in_end(std::string_view text) {
  const std::size_t limit = std::min(text.size(), kLongestHeading);
  for (std::size_t n = 1; n + 1 < limit; ++n) {
    const char c = text[n];
    if (c != '.' && c != ':') continue;
    std::size_t next = n + 1;
    while (next < text.size() && (text[next] == '*' || text[next] == '_')) ++next;
    if (next >= text.size() || text[next] == '.') continue;
    if (text[next] != ' ' && text[next] != '\n' && text[next] != '\t') continue;
    const std::string_view word = last_word(text.substr(0, n));
    if (c == '.' && word.size() <= 2 && !word.empty() && is_upper(word[0]) && n < 6) continue;
    if (c == '.' && (word == "Inc" || word == "Ltd" || word == "Co" || word == "No" ||
                     word == "Corp" || word == "vs")) {
      continue;
    }
    const std::string_view rest = trim(head(text.substr(next)));
    if (c == '.' && begins_lower(rest)) continue;
    return n;
  }
  return std::string_view::npos;
}

// Words in capitals at the start of a paragraph that goes on otherwise; their length, or 0.
std::size_t capitals_length(std::string_view text) {
  std::size_t end = 0, n = 0, letters = 0;
  while (n < text.size() && n < kLongestHeading) {
    std::size_t word_end = n;
    bool has_lower = false, has_upper = false;
    while (word_end < text.size() && text[word_end] != ' ' && text[word_end] != '\n') {
      has_lower = has_lower || is_lower(text[word_end]);
      has_upper = has_upper || is_upper(text[word_end]);
      ++word_end;
    }
    if (has_lower) break;
    // A single capital may begin the sentence: "TERM A party ...".
    if (has_upper && word_end - n > 1) {
      letters += word_end - n;
      end = word_end;
    }
    n = word_end;
    while (n < text.size() && (text[n] == ' ' || text[n] == '\n')) ++n;
  }
  // "WPD, and its affiliates" and "WPD shall" begin sentences.
  const std::string_view rest = trim(head(text.substr(end)));
  if (letters < 4 || rest.empty() || !begins_sentence(rest) || text[end - 1] == ',') return 0;
  return end;
}

std::optional<std::string> han_heading(std::string_view text) {
  if (text.starts_with("【")) {
    const std::size_t end = text.find("】");
    if (end != std::string_view::npos && end < kLongestHeading) {
      return std::string(text.substr(3, end - 3));
    }
  }
  std::size_t n = 0;
  for (int count = 0; n < text.size() && count <= kMostHanCharacters; ++count) {
    const text::CodePoint c = text::decode_at(text, n);
    const bool is_wide_space =
        c.value == 0x3000 || (c.value == ' ' && n + 1 < text.size() && text[n + 1] == ' ');
    const bool is_end = c.value == U'。' || c.value == U'：' || c.value == U'；' ||
                        c.value == U'，' || is_wide_space || c.value == ':';
    if (is_end) {
      const bool has_rest = n + static_cast<std::size_t>(c.bytes) < text.size();
      const bool is_run_in = (c.value == U'。' || c.value == U'：' || is_wide_space) && has_rest &&
                             count <= (c.value == U'。' ? 8 : 14);
      return is_run_in ? std::optional(std::string(trim(text.substr(0, n)))) : std::nullopt;
    }
    n += static_cast<std::size_t>(c.bytes);
  }
  if (n < text.size()) return std::nullopt;
  return std::string(text);
}

}  // namespace

std::string find_heading(const HeadingSource& source) {
  const std::string_view text = skip_joint(source.paragraph);
  if (text.empty()) {
    const std::string_view following = skip_joint(source.following);
    const bool is_heading = looks_like_heading(following) && is_title(following, true);
    return is_heading ? strip_marks(following) : std::string();
  }
  if (begins_han(text)) return han_heading(text).value_or(std::string());
  if (text.size() <= kLongestHeading) {
    const std::string_view whole = trim(text);
    const std::size_t stop = run_in_end(whole);
    if (stop == std::string_view::npos && is_title(whole, true) &&
        stands_as_heading(whole, source)) {
      return strip_marks(whole);
    }
  }
  const std::size_t stop = run_in_end(text);
  if (stop != std::string_view::npos && is_title(text.substr(0, stop), false)) {
    return strip_marks(text.substr(0, stop));
  }
  if (const std::size_t length = capitals_length(text); length > 0) {
    return strip_marks(text.substr(0, length));
  }
  return {};
}

}  // namespace whereof::document
