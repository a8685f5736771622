#include "document/clause_numerals.h"

#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::int32_t kLargest = 9999;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::int32_t han_digit(char32_t c) {
  constexpr char32_t kDigits[] = U"零一二三四五六七八九";
  for (std::int32_t i = 0; i < 10; ++i) {
    if (kDigits[i] == c) return i;
  }
  if (c == U'〇') return 0;
  if (c == U'两') return 2;
  if (c >= 0xFF10 && c <= 0xFF19) return static_cast<std::int32_t>(c - 0xFF10);
  if (c >= U'0' && c <= U'9') return static_cast<std::int32_t>(c - U'0');
  return -1;
}

}  // namespace

std::int32_t han_value(std::string_view text, std::size_t& bytes) {
  std::int32_t total = 0, digit = -1;
  bytes = 0;
  int characters = 0;
  while (bytes < text.size() && characters < 12) {
    const text::CodePoint c = text::decode_at(text, bytes);
    const std::int32_t value = han_digit(c.value);
    const std::int32_t unit = c.value == U'十'   ? 10
                              : c.value == U'百' ? 100
                              : c.value == U'千' ? 1000
                                                 : 0;
    if (value < 0 && unit == 0) break;
    if (value >= 0) {
      digit = digit > 0 ? digit * 10 + value : value;  // 二〇二 is read digit by digit
      if (digit > kLargest) digit = kLargest + 1;
    } else {
      total += (digit < 0 ? 1 : digit) * unit;
      digit = -1;
      if (total > kLargest) total = kLargest + 1;
    }
    bytes += static_cast<std::size_t>(c.bytes);
    ++characters;
  }
  return total + (digit > 0 ? digit : 0);
}

std::optional<std::int32_t> roman_value(std::string_view text) {
  struct Step {
    std::string_view lower, upper;
    std::int32_t value;
    int most;
  };
  constexpr Step kSteps[] = {{"m", "M", 1000, 3},  {"cm", "CM", 900, 1}, {"d", "D", 500, 1},
                             {"cd", "CD", 400, 1}, {"c", "C", 100, 3},   {"xc", "XC", 90, 1},
                             {"l", "L", 50, 1},    {"xl", "XL", 40, 1},  {"x", "X", 10, 3},
                             {"ix", "IX", 9, 1},   {"v", "V", 5, 1},     {"iv", "IV", 4, 1},
                             {"i", "I", 1, 3}};
  if (text.empty()) return std::nullopt;
  const bool lower = is_lower(text[0]);
  std::int32_t total = 0;
  // A step of one sign and its subtractive neighbours exclude each other: "ixi" and "vv" are no
  // numbers. The value so far tells.
  for (const Step& step : kSteps) {
    const std::string_view sign = lower ? step.lower : step.upper;
    for (int n = 0; n < step.most && text.starts_with(sign); ++n) {
      const std::int32_t above = step.value >= 1000  ? 10000
                                 : step.value >= 100 ? 1000
                                 : step.value >= 10  ? 100
                                                     : 10;
      const std::int32_t taken = total % above;
      if (sign.size() == 2 && taken != 0) return std::nullopt;
      if (sign.size() == 1 && (taken == above / 10 * 9 || taken == above / 10 * 4)) {
        return std::nullopt;
      }
      total += step.value;
      text.remove_prefix(sign.size());
    }
  }
  if (!text.empty() || total == 0) return std::nullopt;
  return total;
}

}  // namespace whereof::document
