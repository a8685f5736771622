// Small letters for A to Z, all other bytes as they are: for names, markers and words that are
// known to be ASCII. For what people write, see fold.h.
#ifndef WHEREOF_TEXT_ASCII_CASE_H_
#define WHEREOF_TEXT_ASCII_CASE_H_

#include <string>
#include <string_view>

namespace whereof::text {

constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_ASCII_CASE_H_
