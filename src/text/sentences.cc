#include "text/sentences.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/ascii_case.h"
#include "text/utf8.h"

namespace whereof::text {
namespace {

constexpr std::array<std::string_view, 37> kAbbreviations = {
    "inc", "ltd",    "co",   "corp", "no",  "nos", "art", "arts", "sec", "secs",
    "cl",  "cls",    "para", "mr",   "mrs", "ms",  "dr",  "st",   "vs",  "v",
    "e.g", "i.e",    "eg",   "ie",   "cf",  "al",  "pp",  "p",    "vol", "ch",
    "fig", "approx", "dept", "bros", "jr",  "sr",  "u.s"};

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

// The run of letters, digits and dots that ends right before text[dot].
std::string_view word_before(std::string_view text, std::size_t dot) noexcept {
  std::size_t begin = dot;
  while (begin > 0 && dot - begin < 16 &&
         (is_letter(text[begin - 1]) || is_digit(text[begin - 1]) || text[begin - 1] == '.')) {
    --begin;
  }
  return text.substr(begin, dot - begin);
}

bool is_abbreviation(std::string_view word) noexcept {
  if (word.size() == 1 && is_letter(word[0])) return true;  // an initial
  return std::any_of(kAbbreviations.begin(), kAbbreviations.end(), [&](std::string_view known) {
    return known.size() == word.size() &&
           std::equal(word.begin(), word.end(), known.begin(),
                      [](char a, char b) { return ascii_lower(a) == b; });
  });
}

bool begins_line(std::string_view text, std::size_t at) noexcept {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

bool is_full_stop(std::string_view text, std::size_t dot, std::size_t after) noexcept {
  if (after < text.size() && !is_blank(text[after])) return false;
  if (text[dot] != '.') return true;
  const std::string_view word = word_before(text, dot);
  if (word.empty()) return true;
  if (is_abbreviation(word)) return false;
  const bool is_number =
      std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == '.'; });
  return !(is_number && begins_line(text, dot - word.size()));
}

// Closing quotes and brackets that belong to the sentence that ended before them.
std::size_t skip_closers(std::string_view text, std::size_t at) noexcept {
  while (at < text.size()) {
    const CodePoint point = decode_at(text, at);
    switch (point.value) {
      case '"':
      case '\'':
      case ')':
      case ']':
      case 0x201D:
      case 0x2019:
      case 0x300D:
      case 0x300F:
      case 0xFF09:
      case 0x3011:
        at += static_cast<std::size_t>(point.bytes);
        break;
      default:
        return at;
    }
  }
  return at;
}

// Where the sentence ends whose last mark begins at `at`; 0 when none ends there.
std::size_t sentence_end(std::string_view text, std::size_t at, const CodePoint& point) noexcept {
  const std::size_t next = at + static_cast<std::size_t>(point.bytes);
  switch (point.value) {
    case '.':
    case '!':
    case '?': {
      const std::size_t after = skip_closers(text, next);
      return is_full_stop(text, at, after) ? after : 0;
    }
    case 0x3002:
    case 0xFF01:
    case 0xFF1F:
    case 0xFF1B:
      return skip_closers(text, next);
    case '\n': {
      std::size_t look = next;
      while (look < text.size() && (text[look] == ' ' || text[look] == '\t')) ++look;
      return look < text.size() && text[look] == '\n' ? next : 0;
    }
    default:
      return 0;
  }
}

void push_trimmed(std::vector<Span>& spans, std::string_view text, std::size_t begin,
                  std::size_t end) {
  while (begin < end && is_blank(text[begin])) ++begin;
  while (end > begin && is_blank(text[end - 1])) --end;
  if (begin < end) {
    spans.push_back({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)});
  }
}

}  // namespace

std::vector<Span> sentences(std::string_view text) {
  std::vector<Span> spans;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_at(text, at);
    const std::size_t end = sentence_end(text, at, point);
    if (end != 0) {
      push_trimmed(spans, text, begin, end);
      begin = end;
    }
    at = std::max(end, at + static_cast<std::size_t>(point.bytes));
  }
  push_trimmed(spans, text, begin, text.size());
  return spans;
}

}  // namespace whereof::text
