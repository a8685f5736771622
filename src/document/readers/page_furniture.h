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

// A line is a header or footer when it is one of the three outermost of its page and the same text,
// but for digits, stands at the same height (within 4 points) on at least three pages (two of two)
// and on a tenth of all pages; a page number when it reads like one (page_number.h) and either says
// so or counts up with the pages. Nothing else is touched, so a false alarm needs a clause that
// repeats itself word for word at one place of three pages.
void mark_furniture(std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_FURNITURE_H_
