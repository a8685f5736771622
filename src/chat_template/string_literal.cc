#include "chat_template/string_literal.h"

#include <charconv>

#include "chat_template/limits.h"
#include "text/in_quotes.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

// Reads exactly `digits` hexadecimal digits.
void append_hexadecimal(std::string_view digits, std::size_t wanted, std::string& result) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != wanted || error != std::errc() || end != digits.data() + digits.size() ||
      value > 0x10FFFF) {
    fail("a string has the broken escape of " + text::in_quotes(digits));
  }
  text::append(result, value);
}

// Reads the escape that begins at literal[at], a backslash; returns the place after it.
std::size_t read_escape(std::string_view literal, std::size_t at, std::string& result) {
  constexpr std::string_view kLetters = "\\'\"abfnrtv";
  constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
  const char letter = literal[at + 1];
  const std::size_t known = kLetters.find(letter);
  if (known != std::string_view::npos) {
    result += kMeanings[known];
    return at + 2;
  }
  if (letter == '\n') return at + 2;
  if (letter == 'x' || letter == 'u' || letter == 'U') {
    const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
    append_hexadecimal(literal.substr(at + 2, digits), digits, result);
    return at + 2 + digits;
  }
  if (letter >= '0' && letter <= '7') {
    unsigned value = 0;
    std::size_t end = at + 1;
    while (end < literal.size() && end < at + 4 && literal[end] >= '0' && literal[end] <= '7') {
      value = value * 8 + static_cast<unsigned>(literal[end++] - '0');
    }
    text::append(result, value);
    return end;
  }
  if (letter == 'N') refuse("a string names a character with \\N");
  result += '\\';
  return at + 1;
}

}  // namespace

std::string unescaped(std::string_view literal) {
  std::string result;
  result.reserve(literal.size());
  for (std::size_t at = 0; at < literal.size();) {
    if (literal[at] == '\\' && at + 1 < literal.size()) {
      at = read_escape(literal, at, result);
    } else {
      result += literal[at++];
    }
  }
  return result;
}

}  // namespace whereof::chat_template
