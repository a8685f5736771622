// Hebrew and Arabic lines: from the order on the page to the order of reading.
#ifndef WHEREOF_DOCUMENT_READERS_RIGHT_TO_LEFT_H_
#define WHEREOF_DOCUMENT_READERS_RIGHT_TO_LEFT_H_

#include <vector>

#include "document/readers/pdf_page.h"

namespace whereof::document {

// Glyphs of one line, any order, become glyphs in the order in which they are read, by the Unicode
// bidirectional algorithm run backwards over their places (ICU, "inverse like direct"); numbers and
// Latin words in the line keep their own direction. Spaces follow from the gaps. A line without a
// right-to-left character stays as it is.
void order_right_to_left(std::vector<Glyph>& glyphs);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_RIGHT_TO_LEFT_H_
