// Tables that are drawn with rules: which characters stand in which cell.
//
// The rules of a page are the thin or straight parts of its paths. Rules that touch form one table.
// The cell of a character is named by the nearest rule above it and the nearest rule to its left
// that reach it, so that merged cells need no other care. A table has at least two rows with two
// cells or more that hold text; anything less is a frame, an underline or a picture, and its text
// is laid out as if no rule were there.
#ifndef WHEREOF_DOCUMENT_READERS_RULED_TABLES_H_
#define WHEREOF_DOCUMENT_READERS_RULED_TABLES_H_

#include <vector>

#include "document/readers/pdf_page.h"

namespace whereof::document {

struct RuledTable {
  using Cell = std::vector<Glyph>;  // in the order of the content stream; not empty
  std::vector<std::vector<Cell>> rows;
  Box box;
};

// Takes the characters of the page's tables out of content.glyphs; tables from top to bottom. Only
// text that runs to the right takes part. A page of more than 2,000 rules, or of so many rules and
// characters that comparing them would take long, is taken for one without tables.
std::vector<RuledTable> take_tables(PdfPageContent& content);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_RULED_TABLES_H_
