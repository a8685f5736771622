// Headers, footers, page numbers and margin line numbers of a PDF: what repeats at the edge of its
// pages. They are given their LineKind and so never reach a clause.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_FURNITURE_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_FURNITURE_H_

#include <string>
#include <vector>

#include "document/readers/page_layout.h"

namespace whereof::document {

struct LaidOutPage {
  std::vector<LayoutLine> lines;  // reading order
  float width = 0;
  float height = 0;
  std::string label;           // from the file's page labels; empty: none
  std::string printed_number;  // found by mark_furniture; empty: none
};

// Only the three outermost lines at both ends of a page are looked at.
//  - A page number reads like one (page_number.h) and either says that it is one at the very edge,
//    or stands just above a footer, or belongs to a chain: on at least three pages, each next
//    number greater by one. (Filings that were laid out anew carry the old numbers at other
//    heights, so heights are not compared.)
//  - A header or footer has the same text on at least three pages (two of two) and a tenth of all,
//    or the same but for digits, one of its numbers counting up with the pages; at the same height,
//    within four points. Next to a line already marked, heights and digits do not matter; nor do
//    heights where a number counts up on half of the pages.
//    "Schedule 3" and the like are headings unless the text is wholly the same.
// Nothing else is touched, so a false alarm needs a clause that repeats itself word for word at one
// place of three pages.
void mark_furniture(std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_FURNITURE_H_
