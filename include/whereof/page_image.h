// Pictures of pages: a page of a PDF as its reader would see it.
#ifndef WHEREOF_PAGE_IMAGE_H_
#define WHEREOF_PAGE_IMAGE_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "whereof/document.h"

namespace whereof {

struct PageImage {
  std::int32_t columns = 0;
  std::int32_t rows = 0;
  float points_a_pixel = 0;  // a box of Document::boxes divided by it is in pixels of the image
  std::string gray;          // [rows, columns], a byte a pixel: 0 black, 255 white
};

// Renders one page, counted from 0, of a PDF in a worker process under options.limits; text that a
// reader of the page would see, pictures and annotations, but no fields of forms. Fonts that the
// file does not hold are drawn as read_document knows them: Chinese ones as squares. dots_per_inch:
// 10 to 600, less where a side would be longer than 5,000 pixels. Throws Error as read_document
// does; invalid_argument where the file is no PDF or has no such page.
PageImage render_page(const std::filesystem::path& path, std::int32_t page, int dots_per_inch,
                      const ReadDocumentOptions& options = {});

// A PNG file of 16 shades of gray, compressed. Pure; linear in the pixels.
std::string png_of(const PageImage& image);

}  // namespace whereof

#endif  // WHEREOF_PAGE_IMAGE_H_
