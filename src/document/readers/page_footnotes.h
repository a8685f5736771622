// Footnotes of a PDF: small print at the foot of a page that begins with a raised mark.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_FOOTNOTES_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_FOOTNOTES_H_

#include <vector>

#include "document/readers/page_furniture.h"

namespace whereof::document {

// Body lines at the end of a column, each at least 6 % smaller than most of the page's characters,
// from the first of them on that begins with a mark (a number, *, †, ‡, §) which is raised there or
// stands raised in the text above: these get LineKind::footnote. Call after mark_furniture.
void mark_footnotes(std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_FOOTNOTES_H_
