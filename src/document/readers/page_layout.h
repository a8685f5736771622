// Lines of a page in reading order, from characters with places.
//
// 1. Characters that follow each other in the content stream on one baseline without a wide gap
//    form a piece.
// 2. Columns: a vertical gutter is sought that no piece crosses over many rows, with prose (lines
//    that fill their column) on both sides; tables and hanging numbers fail that test. Pieces that
//    do cross it part the page into bands; in a band the left column is read before the right one.
//    Each half is searched again, so three columns are found too.
// 3. In a column, pieces whose bands of height overlap form a line, sorted along the writing; a
//    character printed twice at one place (imitated bold) is taken once.
// Text written in another direction than most of the page (margin stamps, watermarks) comes last
// and is no part of the body.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_LAYOUT_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_LAYOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "document/readers/pdf_page.h"
#include "whereof/document.h"

namespace whereof::document {

struct LayoutLine {
  std::vector<Glyph> glyphs;  // along the writing; space_before says where words part
  float begin = 0;            // along the writing, points
  float end = 0;
  float baseline = 0;
  float size = 0;        // of most of its characters
  float widest_gap = 0;  // between two neighbours, in units of size
  int column = 0;        // lines of one column follow each other
  int page = 0;
  std::int8_t confidence = -1;  // mean of its characters read by text recognition; -1: none were
  int level = -1;               // of the outline's entry that names it; -1: none does
  bool begins_cell = false;     // of a table that holds clauses: a paragraph begins
  bool is_bold = false;
  bool starts_paragraph = true;
  LineKind kind = LineKind::body;
};

std::vector<LayoutLine> lay_out(const PdfPageContent& content);

// The lines of characters that run to the right and stand in one column.
std::vector<LayoutLine> lay_out_block(const std::vector<Glyph>& glyphs);

// The line's text, normalised, words parted by one space.
std::u32string text_of(const LayoutLine& line);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_LAYOUT_H_
