#include "document/readers/page_number.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "document/normalize.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongest = 40;

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

char32_t lower(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

bool is_framing(char32_t c) {
  constexpr std::u32string_view kFraming = U"-–—−~[](){}<>|*·._";
  return is_space(c) || kFraming.find(c) != std::u32string_view::npos;
}

// Spaces dropped, lower case.
std::u32string compact(std::u32string_view line) {
  std::u32string out;
  for (const char32_t c : line) {
    if (!is_space(c) && !is_stripped(c)) out.push_back(lower(c));
  }
  return out;
}

bool take(std::u32string_view& rest, std::u32string_view prefix) {
  if (!rest.starts_with(prefix)) return false;
  rest.remove_prefix(prefix.size());
  return true;
}

std::optional<int> take_decimal(std::u32string_view& rest, std::u32string* printed) {
  std::size_t length = 0;
  int value = 0;
  while (length < rest.size() && is_digit(rest[length])) {
    if (length == 4) return std::nullopt;
    value = value * 10 + static_cast<int>(rest[length] - U'0');
    ++length;
  }
  if (length == 0) return std::nullopt;
  if (printed != nullptr) *printed = std::u32string(rest.substr(0, length));
  rest.remove_prefix(length);
  return value;
}

int roman_digit(char32_t c) {
  switch (c) {
    case U'i':
      return 1;
    case U'v':
      return 5;
    case U'x':
      return 10;
    case U'l':
      return 50;
    case U'c':
      return 100;
    default:
      return 0;
  }
}

std::u32string roman_of(int value) {
  constexpr std::array<std::pair<int, std::u32string_view>, 9> kParts = {{{100, U"c"},
                                                                          {90, U"xc"},
                                                                          {50, U"l"},
                                                                          {40, U"xl"},
                                                                          {10, U"x"},
                                                                          {9, U"ix"},
                                                                          {5, U"v"},
                                                                          {4, U"iv"},
                                                                          {1, U"i"}}};
  std::u32string out;
  for (const auto& [part, letters] : kParts) {
    for (; value >= part; value -= part) out += letters;
  }
  return out;
}

std::optional<int> roman_value(std::u32string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int digit = roman_digit(text[i]);
    if (digit == 0) return std::nullopt;
    const bool is_less = i + 1 < text.size() && digit < roman_digit(text[i + 1]);
    value += is_less ? -digit : digit;
  }
  if (value < 1 || value >= 400 || roman_of(value) != text) return std::nullopt;
  return value;
}

std::optional<PageNumber> explicit_number(std::u32string_view compacted) {
  PageNumber number;
  number.is_explicit = true;
  std::u32string_view rest = compacted;
  if (take(rest, U"第")) {
    const auto value = take_decimal(rest, &number.printed);
    if (!value || !take(rest, U"页")) return std::nullopt;
    number.value = *value;
    for (const std::u32string_view mark : {U"，", U",", U"/", U"（", U"("}) take(rest, mark);
    if (take(rest, U"共") && (!take_decimal(rest, nullptr) || !take(rest, U"页"))) {
      return std::nullopt;
    }
    for (const std::u32string_view mark : {U"）", U")"}) take(rest, mark);
    return rest.empty() ? std::optional(number) : std::nullopt;
  }
  const bool says_page = take(rest, U"page") || take(rest, U"pg.") || take(rest, U"p.");
  while (says_page && !rest.empty() && is_framing(rest.front())) rest.remove_prefix(1);
  const auto value = take_decimal(rest, &number.printed);
  if (!value) return std::nullopt;
  number.value = *value;
  const bool has_total = take(rest, U"of") || take(rest, U"/");
  if (has_total && !take_decimal(rest, nullptr)) return std::nullopt;
  if (!says_page && !has_total) return std::nullopt;
  return rest.empty() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<PageNumber> parse_page_number(std::u32string_view line) {
  if (line.size() > kLongest) return std::nullopt;
  while (!line.empty() && is_framing(line.front())) line.remove_prefix(1);
  bool ends_like_a_clause = !line.empty() && (line.back() == U'.' || line.back() == U')');
  const std::u32string_view framed = line;
  while (!line.empty() && is_framing(line.back())) line.remove_suffix(1);
  if (line.empty()) return std::nullopt;
  const std::u32string compacted = compact(line);
  if (auto number = explicit_number(compacted)) return number;
  // "1." and "(a)" are numbers of clauses.
  if (ends_like_a_clause && framed.size() != line.size()) return std::nullopt;
  PageNumber number;
  std::u32string_view rest = compacted;
  if (const auto dash = compacted.find(U'-'); dash == 1 || dash == 2) {
    if (std::all_of(compacted.begin(), compacted.begin() + static_cast<std::ptrdiff_t>(dash),
                    [](char32_t c) { return c >= U'a' && c <= U'z'; })) {
      number.prefix = compacted.substr(0, dash + 1);
      rest.remove_prefix(dash + 1);
    }
  }
  if (const auto value = take_decimal(rest, nullptr); value && rest.empty()) {
    number.value = *value;
  } else if (const auto roman = roman_value(compacted); roman && number.prefix.empty()) {
    number.value = *roman;
    number.is_roman = true;
  } else {
    return std::nullopt;
  }
  for (const char32_t c : line) {
    if (!is_space(c)) number.printed.push_back(c);
  }
  return number;
}

std::u32string running_title_key(std::u32string_view line) {
  std::u32string key;
  for (const char32_t c : line) {
    if (is_space(c) || is_stripped(c)) continue;
    if (is_digit(c)) {
      if (key.empty() || key.back() != U'#') key.push_back(U'#');
    } else {
      key.push_back(lower(c));
    }
  }
  return key;
}

}  // namespace whereof::document
