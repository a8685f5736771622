#include "text/utf8.h"

namespace whereof::text {
namespace {

bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0U) == 0x80U; }

// Han, kana, their punctuation, fullwidth forms, and the curly quotes that Chinese shares.
bool is_set_solid(char32_t value) noexcept {
  return (value >= 0x2E80 && value <= 0x9FFF) || (value >= 0xF900 && value <= 0xFAFF) ||
         (value >= 0xFF00 && value <= 0xFFEF) || (value >= 0x20000 && value <= 0x3134F);
}

bool is_curly_quote(char32_t value) noexcept { return value >= 0x2018 && value <= 0x201F; }

}  // namespace

CodePoint decode_at(std::string_view text, std::size_t at) noexcept {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1, true};
  int length = 0;
  char32_t value = 0;
  char32_t least = 0;
  if ((first & 0xE0U) == 0xC0U) {
    length = 2, value = first & 0x1FU, least = 0x80;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3, value = first & 0x0FU, least = 0x800;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4, value = first & 0x07U, least = 0x10000;
  } else {
    return {};
  }
  if (at + static_cast<std::size_t>(length) > text.size()) return {};
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
    if (!is_continuation(byte)) return {};
    value = (value << 6) | (byte & 0x3FU);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least || value > 0x10FFFF || is_surrogate) return {};
  return {value, length, true};
}

void append(std::string& text, char32_t value) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) value = kReplacement;
  if (value < 0x80) {
    text.push_back(static_cast<char>(value));
  } else if (value < 0x800) {
    text.push_back(static_cast<char>(0xC0 | (value >> 6)));
    text.push_back(static_cast<char>(0x80 | (value & 0x3F)));
  } else if (value < 0x10000) {
    text.push_back(static_cast<char>(0xE0 | (value >> 12)));
    text.push_back(static_cast<char>(0x80 | ((value >> 6) & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (value & 0x3F)));
  } else {
    text.push_back(static_cast<char>(0xF0 | (value >> 18)));
    text.push_back(static_cast<char>(0x80 | ((value >> 12) & 0x3F)));
    text.push_back(static_cast<char>(0x80 | ((value >> 6) & 0x3F)));
    text.push_back(static_cast<char>(0x80 | (value & 0x3F)));
  }
}

bool is_valid(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_at(text, at);
    if (!point.is_valid) return false;
    at += static_cast<std::size_t>(point.bytes);
  }
  return true;
}

std::int64_t count_code_points(std::string_view text) noexcept {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    at += static_cast<std::size_t>(decode_at(text, at).bytes);
  }
  return count;
}

std::size_t floor_boundary(std::string_view text, std::size_t limit) noexcept {
  if (limit >= text.size()) return text.size();
  std::size_t at = limit;
  for (int back = 0; at > 0 && back < 3 && is_continuation(static_cast<unsigned char>(text[at]));
       ++back) {
    --at;
  }
  const CodePoint point = decode_at(text, at);
  return at + static_cast<std::size_t>(point.bytes) > limit ? at : limit;
}

bool joins_without_blank(char32_t before, char32_t after) noexcept {
  const bool has_solid = is_set_solid(before) || is_set_solid(after);
  return has_solid && (is_set_solid(before) || is_curly_quote(before)) &&
         (is_set_solid(after) || is_curly_quote(after));
}

CodePoint decode_before(std::string_view text, std::size_t at) noexcept {
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && is_continuation(static_cast<unsigned char>(text[begin]))) {
    --begin;
  }
  const CodePoint point = decode_at(text, begin);
  return begin + static_cast<std::size_t>(point.bytes) == at ? point : CodePoint{};
}

}  // namespace whereof::text
