// Line numbers printed in the margin of pleadings and drafts.
#ifndef WHEREOF_DOCUMENT_READERS_MARGIN_NUMBERS_H_
#define WHEREOF_DOCUMENT_READERS_MARGIN_NUMBERS_H_

#include <vector>

#include "document/readers/page_furniture.h"

namespace whereof::document {

// A page has them where at least ten lines begin with a bare number (no dot) before a gap, each
// next one greater by one, all at even distances. Where two pages at least, and half of all, have
// them, they are taken out of the lines: they count what the page shows, and are no text. Call
// before mark_furniture.
void drop_margin_numbers(std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_MARGIN_NUMBERS_H_
