#include "document/clause_numerals.h"

#include "text/chinese_number.h"

namespace whereof::document {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

std::int32_t han_value(std::string_view text, std::size_t& bytes) {
  constexpr std::size_t kLongest = 48;  // bytes; no clause has a longer number
  const std::optional<text::ChineseNumber> number = text::chinese_number(text.substr(0, kLongest));
  bytes = number ? number->bytes : 0;
  return number ? static_cast<std::int32_t>(number->value) : 0;
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
