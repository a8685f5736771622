#include "chat_template/white_space.h"

#include "text/utf8.h"

namespace whereof::chat_template {

bool is_white_space(char32_t point) noexcept {
  if (point < 0x80)
    return point == ' ' || (point >= 9 && point <= 13) || (point >= 28 && point < 32);
  return point == 0x85 || point == 0xA0 || point == 0x1680 ||
         (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
         point == 0x202F || point == 0x205F || point == 0x3000;
}

std::size_t skip_white_space(std::string_view bytes, std::size_t begin) noexcept {
  while (begin < bytes.size()) {
    const text::CodePoint point = text::decode_at(bytes, begin);
    if (!is_white_space(point.value)) break;
    begin += static_cast<std::size_t>(point.bytes);
  }
  return begin;
}

std::size_t end_without_white_space(std::string_view bytes) noexcept {
  std::size_t end = bytes.size();
  while (end > 0) {
    const text::CodePoint point = text::decode_before(bytes, end);
    if (!is_white_space(point.value)) break;
    end -= static_cast<std::size_t>(point.bytes);
  }
  return end;
}

}  // namespace whereof::chat_template
