// Roman and Chinese numerals.
#ifndef WHEREOF_DOCUMENT_CLAUSE_NUMERALS_H_
#define WHEREOF_DOCUMENT_CLAUSE_NUMERALS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace whereof::document {

// Value of a canonical roman number in one case, 1 .. 3999; std::nullopt for anything else.
std::optional<std::int32_t> roman_value(std::string_view text);

// Reads a Chinese number (三, 十二, 一百二十, 二〇二) or full-width digits at the start of text.
// bytes is set to what was read, 0 when there is none.
std::int32_t han_value(std::string_view text, std::size_t& bytes);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_NUMERALS_H_
