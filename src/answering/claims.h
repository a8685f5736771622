// What an answer says that can be looked up: figures, names, quoted words, numbers of clauses.
#ifndef WHEREOF_ANSWERING_CLAIMS_H_
#define WHEREOF_ANSWERING_CLAIMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/quantities.h"
#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof::answering {

enum class ClaimKind : std::uint8_t { figure, name, quotation };

struct Claim {
  ClaimKind kind = ClaimKind::figure;
  Span text;                // bytes of the answer
  text::Quantity quantity;  // of a figure
  std::string words;        // of a name or quotation, see plain_words()
  // A name at the begin of a sentence: its first word may be no part of it. Empty else.
  std::string words_without_first;
};

// Figures (text/quantities.h) that are not slight, each value once; names: two and more words in
// capitals ("Acme Holdings Inc.", "State of New York"); what stands in quotation marks. Names and
// quotations that stand in the question are the user's words and left out. In order of kind, then
// of text. Linear time.
std::vector<Claim> claims_of(std::string_view answer, std::string_view question);

// The words of a text in one spelling, with single blanks between them and around all: case, width,
// punctuation, line ends and possessives make no difference; Chinese characters stand without
// blanks.
std::string plain_words(std::string_view text);

// Whether the words of one stand in the other, whole words but for a plural's s. Both of
// plain_words().
bool holds_words(std::string_view words, std::string_view wanted);

// The clauses that an answer names and the document neither has nor mentions: bytes of the answer.
std::vector<Span> invented_clauses(const Document& document, std::string_view answer);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CLAIMS_H_
