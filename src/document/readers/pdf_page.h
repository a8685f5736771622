// One page of a PDF as characters with places, in the order of the content stream.
#ifndef WHEREOF_DOCUMENT_READERS_PDF_PAGE_H_
#define WHEREOF_DOCUMENT_READERS_PDF_PAGE_H_

#include <cstdint>
#include <vector>

#include "document/readers/pdfium_library.h"
#include "whereof/document.h"

namespace whereof::document {

// A character that is seen. Its direction of writing is 0 (to the right), 1 (up), 2 (upside down),
// 3 (down), or kSlanted. `along` runs with the writing, `baseline` across it and away from the
// first line of a page in this direction; both in points, so that layout need not know directions.
struct Glyph {
  char32_t value = 0;
  Box box;  // on the page as it is shown: rotated, from the upper left corner of its crop box
  float along_begin = 0;
  float along_end = 0;
  float baseline = 0;
  float size = 0;            // points
  std::uint32_t object = 0;  // the text object that drew it, counted on its page
  std::int8_t direction = 0;
  bool is_bold = false;
  bool space_before = false;
  std::int8_t confidence = -1;  // of text recognition; -1: written as text
};

constexpr std::int8_t kSlanted = 4;

struct PdfPageContent {
  float width = 0;
  float height = 0;
  // Little or no text over a picture that fills most of the page, or no text over any picture or
  // over many drawn paths (letters turned into outlines).
  bool is_picture = false;
  std::int64_t hidden_characters = 0;
  std::vector<Glyph> glyphs;
  std::vector<Box> rules;  // straight lines that are drawn (page_rules.h)
};

// Text that no reader of the page sees is counted, not returned:
//  - render mode "invisible" or "clip only" without an image under it (over an image it is the
//    text layer of a scan),
//  - wholly transparent, or white with nothing behind it that could be another colour,
//  - smaller than one point, or outside the crop box.
PdfPageContent read_pdf_page(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PDF_PAGE_H_
