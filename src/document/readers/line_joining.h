// What joins the lines of a PDF: hyphenated words and paragraphs.
#ifndef WHEREOF_DOCUMENT_READERS_LINE_JOINING_H_
#define WHEREOF_DOCUMENT_READERS_LINE_JOINING_H_

#include <vector>

#include "document/readers/page_furniture.h"

namespace whereof::document {

// Undoes hyphenation at the ends of body lines: the rest of the word moves up to the first line
// and keeps its place on the page (none when it stood on the next page). The hyphen goes if both
// parts are letters and the second begins in lower case, unless the word is a compound:
//   - the document writes it with a hyphen inside some line, and nowhere without; or
//   - it writes it neither way, and the first part is one that English joins with a hyphen
//     ("non", "self", "third", "long", ...).
// In all other cases of a letter or digit on both sides the word is joined with its hyphen.
void undo_hyphenation(std::vector<LaidOutPage>& pages);

// Sets starts_paragraph of body lines: a wider gap above than the column's usual pitch, an indent
// against the line above, another weight or size, or a line above that ends before its column does
// although the first word of this one would have fitted behind it.
void mark_paragraphs(std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_LINE_JOINING_H_
