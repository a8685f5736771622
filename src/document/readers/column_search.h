// Columns of a page: the order in which its regions are read (page_layout.h, step 2).
#ifndef WHEREOF_DOCUMENT_READERS_COLUMN_SEARCH_H_
#define WHEREOF_DOCUMENT_READERS_COLUMN_SEARCH_H_

#include <vector>

#include "document/readers/pdf_page.h"

namespace whereof::document {

// Characters that follow each other closely on one baseline.
struct Piece {
  std::vector<Glyph> glyphs;  // at least one
  float begin = 0;            // along the writing, points
  float end = 0;
  float baseline = 0;
  float size = 0;
};

// The pieces, parted into regions in reading order. Pointers into `pieces`.
std::vector<std::vector<const Piece*>> reading_regions(const std::vector<Piece>& pieces);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_COLUMN_SEARCH_H_
