// Places in a text where a numbered unit may begin: a number, what stands before it and what
// follows. Most cross-references, dates, amounts and contents lines fall out here; what is left is
// decided by sequence (clause_sequence.h).
#ifndef WHEREOF_DOCUMENT_CLAUSE_CANDIDATES_H_
#define WHEREOF_DOCUMENT_CLAUSE_CANDIDATES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "document/clause_numbers.h"
#include "whereof/document.h"

namespace whereof::document {

// What stands before a number, strongest first.
enum class Standing : std::uint8_t {
  paragraph,     // it opens a paragraph
  chained,       // only another number and spaces: "(a)(i)", "3.5 (b)"
  sentence_end,  // a full stop, a wide gap or a heading in capitals, in running text
  clause_end,    // a colon or semicolon, perhaps with "and" or "or"
  list_comma,    // a comma or "and": may only go on with a list nearby
  words,         // other words: only 3.3 after 3.2, or the first child of the heading it stands in
  reference,     // "under Section", "of": part of a sentence, never the head of a clause
};

struct Candidate {
  NumberToken number;
  std::int64_t begin = 0;  // byte of Document::text where the number begins
  std::int64_t after = 0;  // where its heading or text begins
  std::int32_t line = 0;   // index into body_lines
  Standing standing = Standing::paragraph;
  bool is_bold = false;
  bool has_capitals = false;    // the text behind it begins with words in capitals
  bool follows_banner = false;  // an unnumbered heading stands between it and the line before
  bool is_automatic = false;    // the reader computed the number (DOCX)
  float left = 0;
};

// A line of kind body that is not blank, without the marks of Markdown before its first word.
struct BodyLine {
  Span text;
  std::int32_t index = 0;  // into Document::lines
  bool starts_paragraph = true;
  bool is_banner = false;    // a short unnumbered heading: "Background", "AGREED TERMS"
  bool closes_body = false;  // "IN WITNESS WHEREOF"
};

std::vector<BodyLine> body_lines(const Document& document);

// All candidates in order. Linear in the text.
std::vector<Candidate> find_candidates(const Document& document,
                                       const std::vector<BodyLine>& lines);

// Removes the lines of contents pages that their reader did not mark: runs of numbered lines that
// end in page numbers, and runs of short headings whose first one comes again later.
void drop_contents(const Document& document, std::vector<Candidate>& candidates);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_CANDIDATES_H_
