// What one character of a source becomes in a document's text.
//
//  - Zero-width characters, bidi controls, soft hyphens, the tag block and other controls carry
//    no text that a reader sees, and can hide orders to a model: stripped.
//  - Spaces of any width but the ideographic one become U+0020; U+2028, U+2029, U+0085 too.
//  - Ligatures, mathematical letters, radicals, compatibility ideographs and Arabic presentation
//    forms become what they stand for (NFKC). Full-width letters and punctuation, superscripts,
//    circled and Roman numerals stay: they tell something in contracts, and Chinese text uses them.
#ifndef WHEREOF_DOCUMENT_NORMALIZE_H_
#define WHEREOF_DOCUMENT_NORMALIZE_H_

#include <string>

namespace whereof::document {

bool is_stripped(char32_t c) noexcept;

bool is_space(char32_t c) noexcept;  // U+0020, U+3000, tab and what normalised() turns into U+0020

bool is_letter(char32_t c) noexcept;
bool is_lower_case(char32_t c) noexcept;

// Chinese and Japanese characters and full-width forms: written without spaces between words.
bool is_ideographic(char32_t c) noexcept;

// Fills `out` with the characters that stand for c; one, but for ligatures. c is not stripped.
void normalize(char32_t c, std::u32string& out);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_NORMALIZE_H_
