// The straight lines that a page draws, as far as they may be the rules of a table.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_RULES_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_RULES_H_

#include <vector>

#include "document/readers/page_display.h"
#include "document/readers/pdfium_library.h"
#include "whereof/document.h"

namespace whereof::document {

// Thin bars and the horizontal and vertical parts of stroked paths, on the page as it is shown. At
// most 100,000 objects and 20,000 parts of paths are looked at.
std::vector<Box> rules_of(const PdfiumLibrary& pdfium, const PageDisplay& display,
                          PdfiumLibrary::Page page);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_RULES_H_
