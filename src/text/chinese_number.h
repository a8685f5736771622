// Numbers written in Chinese: 三, 十一, 一百二十, 一千二百六十, 二〇二六, also with digits.
#ifndef WHEREOF_TEXT_CHINESE_NUMBER_H_
#define WHEREOF_TEXT_CHINESE_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace whereof::text {

struct ChineseNumber {
  std::int64_t value = 0;
  std::size_t bytes = 0;  // of text that the number takes
};

// The number that text begins with, in Chinese numerals below 100,000,000 or in ASCII or full-width
// digits (at most 9); std::nullopt where it begins with none or they make no number.
std::optional<ChineseNumber> chinese_number(std::string_view text);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_CHINESE_NUMBER_H_
