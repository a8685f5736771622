#include "document/normalize.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace whereof::document {
namespace {

bool is_within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_replaced_by_nfkc(char32_t c) {
  return is_within(c, 0xFB00, 0xFB06) ||               // Latin ligatures
         is_within(c, 0xFB13, 0xFB17) ||               // Armenian ligatures
         is_within(c, 0x2E80, 0x2FDF) ||               // CJK and Kangxi radicals
         is_within(c, 0xF900, 0xFAFF) ||               // CJK compatibility ideographs
         is_within(c, 0x2F800, 0x2FA1F) ||             // and their supplement
         is_within(c, 0xFB50, 0xFDFB) ||               // Arabic presentation forms A
         is_within(c, 0xFE70, 0xFEFC) ||               // and B
         is_within(c, 0x1D400, 0x1D7FF) ||             // mathematical letters and digits
         c == 0x2126 || c == 0x212A || c == 0x212B ||  // ohm, kelvin, angstrom
         c == 0x37E;  // Greek question mark: the semicolon of some fonts
}

bool is_scalar(char32_t c) { return c < 0x110000 && !is_within(c, 0xD800, 0xDFFF); }

// Dingbats that Word writes in its Symbol and Wingdings fonts, in the private use area.
char32_t of_symbol_font(char32_t c) {
  switch (c) {
    case 0xF0B7:
      return 0x2022;  // bullet
    case 0xF0A7:
      return 0x25AA;  // small square
    case 0xF0D8:
      return 0x27A2;  // arrowhead
    case 0xF0FC:
      return 0x2713;  // tick
    case 0xF02D:
      return 0x2D;  // hyphen
    default:
      return c;
  }
}

}  // namespace

bool is_stripped(char32_t c) noexcept {
  if (c < 0x20) return c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
  if (c < 0x7F) return false;
  return is_within(c, 0x7F, 0x84) || is_within(c, 0x86, 0x9F) || c == 0xAD || c == 0x34F ||
         c == 0x61C || is_within(c, 0x115F, 0x1160) || is_within(c, 0x17B4, 0x17B5) ||
         is_within(c, 0x180B, 0x180F) || is_within(c, 0x200B, 0x200F) ||
         is_within(c, 0x202A, 0x202E) || is_within(c, 0x2060, 0x206F) || c == 0x3164 ||
         is_within(c, 0xFE00, 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
         is_within(c, 0xFFF9, 0xFFFB) || is_within(c, 0xE0000, 0xE0FFF) ||
         (is_scalar(c) && (c & 0xFFFE) == 0xFFFE);
}

bool is_space(char32_t c) noexcept {
  return c == ' ' || is_within(c, 0x09, 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         is_within(c, 0x2000, 0x200A) || is_within(c, 0x2028, 0x2029) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool is_letter(char32_t c) noexcept { return u_isalpha(static_cast<UChar32>(c)) != 0; }

bool is_lower_case(char32_t c) noexcept { return u_islower(static_cast<UChar32>(c)) != 0; }

bool is_ideographic(char32_t c) noexcept {
  return is_within(c, 0x2E80, 0x9FFF) || is_within(c, 0xF900, 0xFAFF) ||
         is_within(c, 0xFF00, 0xFFEF) || is_within(c, 0x20000, 0x3FFFF);
}

void normalize(char32_t c, std::u32string& out) {
  out.clear();
  if (c < 0x80) {
    out.push_back(c == '\v' || c == '\f' ? U' ' : c);
    return;
  }
  if (!is_scalar(c)) {
    out.push_back(0xFFFD);
    return;
  }
  if (is_space(c) && c != 0x3000) {
    out.push_back(U' ');
    return;
  }
  if (is_within(c, 0xF000, 0xF0FF)) c = of_symbol_font(c);
  if (!is_replaced_by_nfkc(c)) {
    out.push_back(c);
    return;
  }
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  icu::UnicodeString decomposition;
  if (U_FAILURE(error) || !nfkc->getDecomposition(static_cast<UChar32>(c), decomposition)) {
    out.push_back(c);
    return;
  }
  for (std::int32_t i = 0; i < decomposition.length(); i = decomposition.moveIndex32(i, 1)) {
    const auto part = static_cast<char32_t>(decomposition.char32At(i));
    // Some Arabic forms decompose into a space and a mark; the space would split a word.
    if (!is_stripped(part) && !(part == ' ' && decomposition.length() > 1)) out.push_back(part);
  }
}

}  // namespace whereof::document
