// UTF-8: counting, stepping, checking. Bytes are never assumed to be valid.
#ifndef WHEREOF_TEXT_UTF8_H_
#define WHEREOF_TEXT_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace whereof::text {

constexpr char32_t kReplacement = 0xFFFD;

struct CodePoint {
  char32_t value = kReplacement;
  std::int32_t bytes = 1;  // 1 .. 4; an invalid byte is one replacement character of one byte
  bool is_valid = false;
};

// The code point that begins at text[at]; at < text.size(). Overlong forms, surrogates and values
// past U+10FFFF are invalid.
CodePoint decode_at(std::string_view text, std::size_t at) noexcept;

// Appends the encoding of a scalar value; anything else becomes U+FFFD.
void append(std::string& text, char32_t value);

bool is_valid(std::string_view text) noexcept;
std::int64_t count_code_points(std::string_view text) noexcept;

// The longest prefix length <= limit that does not cut a code point.
std::size_t floor_boundary(std::string_view text, std::size_t limit) noexcept;

// Whether a line break between these two characters stands for nothing when lines are joined, as it
// does in Chinese and Japanese text; elsewhere it stands for a blank.
bool joins_without_blank(char32_t before, char32_t after) noexcept;

// The code point that ends right before text[at]; at > 0.
CodePoint decode_before(std::string_view text, std::size_t at) noexcept;

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_UTF8_H_
