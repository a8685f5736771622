// Strings that PDFium hands out: UTF-16, little-endian, ended by a zero.
#ifndef WHEREOF_DOCUMENT_READERS_PDF_STRINGS_H_
#define WHEREOF_DOCUMENT_READERS_PDF_STRINGS_H_

#include <string>

namespace whereof::document {

constexpr unsigned long kMostStringBytes = 1 << 20;  // longer strings are taken for empty

// get(buffer, bytes) is called twice: for the length in bytes, and to be filled. Line ends become
// spaces; controls go; surrogates are joined.
template <typename Get>
std::u32string pdf_string(Get get) {
  const unsigned long bytes = get(nullptr, 0UL);
  if (bytes < 4 || bytes > kMostStringBytes) return {};
  std::u16string units(bytes / 2, u'\0');
  get(units.data(), bytes);
  std::u32string text;
  for (std::size_t i = 0; i < units.size() && units[i] != 0; ++i) {
    char32_t c = units[i];
    const bool is_pair = c >= 0xD800 && c < 0xDC00 && i + 1 < units.size() &&
                         units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    if (is_pair) c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00u);
    if (c == U'\n' || c == U'\r' || c == U'\t') c = U' ';
    if (c >= 0x20) text.push_back(c);
  }
  return text;
}

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PDF_STRINGS_H_
