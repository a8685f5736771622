// A page rendered by PDFium in shades of gray.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_PICTURE_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_PICTURE_H_

#include <optional>
#include <string>

#include "document/readers/pdfium_library.h"

namespace whereof::document {

struct PagePicture {
  int columns = 0;
  int rows = 0;
  float points = 0;  // of one pixel
  std::string gray;  // [rows, columns], a byte a pixel: 0 black, 255 white
};

// The longer side has at most 5,000 pixels. Nothing where the page has no size or PDFium no memory.
std::optional<PagePicture> render_gray(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page,
                                       float dots_per_inch, bool with_annotations);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_PICTURE_H_
