// Sections of ten thousand (万), each a sum of digit times 千, 百, 十, and a last digit. A run of
// digits without units (二〇二六) is read place by place.
#include "text/chinese_number.h"

#include "text/utf8.h"

namespace whereof::text {
namespace {

int digit_of(char32_t c) {
  constexpr std::u32string_view kDigits = U"〇一二三四五六七八九";
  const std::size_t at = kDigits.find(c);
  if (at != std::u32string_view::npos) return static_cast<int>(at);
  if (c == U'零') return 0;
  if (c == U'两') return 2;
  if (c >= U'0' && c <= U'9') return static_cast<int>(c - U'0');
  if (c >= 0xFF10 && c <= 0xFF19) return static_cast<int>(c - 0xFF10);
  return -1;
}

std::int64_t unit_of(char32_t c) {
  switch (c) {
    case U'十':
      return 10;
    case U'百':
      return 100;
    case U'千':
      return 1000;
    case U'万':
      return 10'000;
    default:
      return 0;
  }
}

}  // namespace

std::optional<ChineseNumber> chinese_number(std::string_view text) {
  std::int64_t whole = 0;
  std::int64_t section = 0;
  std::int64_t last_unit = 10'000;
  std::int64_t digits = -1;  // value of the digits since the last unit; -1: none
  int digit_count = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = decode_at(text, at);
    const int digit = digit_of(point.value);
    const std::int64_t unit = unit_of(point.value);
    if (digit >= 0) {
      if (++digit_count > 9) return std::nullopt;
      digits = (digits < 0 ? 0 : digits) * 10 + digit;
    } else if (unit == 10'000) {
      if (at == 0 || whole != 0) return std::nullopt;
      whole = (section + (digits < 0 ? 0 : digits)) * unit;
      section = 0;
      last_unit = 10'000;
      digits = -1;
      digit_count = 0;
    } else if (unit > 0) {
      if (digits > 9 || unit >= last_unit) return std::nullopt;
      last_unit = unit;
      section += (digits < 0 ? 1 : digits) * unit;
      digits = -1;
      digit_count = 0;
    } else {
      break;
    }
    if (whole + section > 100'000'000) return std::nullopt;
    at += static_cast<std::size_t>(point.bytes);
  }
  if (at == 0) return std::nullopt;
  return ChineseNumber{whole + section + (digits < 0 ? 0 : digits), at};
}

}  // namespace whereof::text
