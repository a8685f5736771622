// The words around a defined term: "means", "hereinafter called", 以下简称, and what leads to a
// term inside brackets.
#ifndef WHEREOF_DOCUMENT_DEFINITION_WORDING_H_
#define WHEREOF_DOCUMENT_DEFINITION_WORDING_H_

#include <cstddef>
#include <string_view>

namespace whereof::document {

bool has(std::string_view text, std::size_t at, std::string_view piece) noexcept;
std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept;

struct DefiningVerb {
  // weak: defines at the head of a paragraph only; strong: there also what has no quotation marks.
  enum class Strength : unsigned char { weak, plain, strong };
  std::string_view text;
  Strength strength = Strength::plain;
  bool is_pointer = false;  // says where the meaning stands: "has the meaning given in"
};

// The longest that begins exactly at a place; nullptr where none does.
const DefiningVerb* verb_at(std::string_view text, std::size_t at);
const DefiningVerb& plain_verb();  // "means"

// "(or "Y")", "(as amended)" behind a term: the place behind it, or the place itself.
std::size_t skip_brackets(std::string_view text, std::size_t at);

// Does the text end in words that lead to a term inside brackets: (the "X"), (collectively, the
// "X")?
bool ends_in_lead(std::string_view before);
// 'hereinafter referred to as the', outside brackets too.
bool ends_in_naming(std::string_view before);
// 以下简称 and the like at the end of a text: its bytes, 0 where there is none.
std::size_t han_naming_bytes(std::string_view before);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_DEFINITION_WORDING_H_
