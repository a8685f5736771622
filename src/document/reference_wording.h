// The words around the numbers of a reference in English: "Sections", "through", "of the Exchange
// Act", "hereof".
#ifndef WHEREOF_DOCUMENT_REFERENCE_WORDING_H_
#define WHEREOF_DOCUMENT_REFERENCE_WORDING_H_

#include <cstddef>
#include <string_view>

#include "document/reference_expression.h"

namespace whereof::document {

struct ReferenceNoun {
  std::string_view text;  // in lower case
  ReferenceUnit unit = ReferenceUnit::section;
  bool is_plural = false;
  bool needs_capital = false;  // "part 2" and "exhibit 5" in lower case are no references
  std::string_view schedule;   // "exhibit", for schedules
};

// The noun that begins exactly at text[at], with a dot behind an abbreviation; nullptr when none
// does. bytes: of it with the dot.
const ReferenceNoun* noun_at(std::string_view text, std::size_t at, std::size_t& bytes);

// Equal to the bytes of text at a place but for the case of ASCII letters, and not the beginning of
// a longer word.
bool word_at(std::string_view text, std::size_t at, std::string_view lower);

// The number of blanks at a place: " ", "\t" or "\n".
std::size_t blanks_at(std::string_view text, std::size_t at);

// What the words right before a place name: "Exchange Act Section 13"; "Regulation S-K, Item 601",
// "47 C.F.R. § 76.905", whose numbers have decimals.
enum class Statute : unsigned char { none, act, regulation };
Statute statute_before(std::string_view text, std::size_t at);

// Is the word right before a place capitalised, as in "Medicare Part D"?
bool follows_name(std::string_view text, std::size_t at);

// A name in capitals: "Exchange Act", "Regulation S-K", "1933 Act", "General Terms and Conditions".
// Its bytes, 0 where there is none.
std::size_t name_bytes(std::string_view text, std::size_t at);

// Is a document meant that calls itself so: "Agreement", "Contract"?
bool is_own_name(std::string_view name);
bool ends_in_statute_word(std::string_view name);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_REFERENCE_WORDING_H_
