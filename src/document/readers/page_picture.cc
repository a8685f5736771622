#include "document/readers/page_picture.h"

#include <algorithm>
#include <cstddef>

namespace whereof::document {
namespace {

constexpr float kMostPixels = 5000;    // of the longer side
constexpr int kGrayBitmap = 1;         // FPDFBitmap_Gray
constexpr int kWithAnnotations = 0x1;  // FPDF_ANNOT
constexpr int kGrayscale = 0x08;       // FPDF_GRAYSCALE
constexpr unsigned long kWhite = 0xFFFFFFFF;

}  // namespace

std::optional<PagePicture> render_gray(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page,
                                       float dots_per_inch, bool with_annotations) {
  const float width = pdfium.page_width(page), height = pdfium.page_height(page);
  if (!(width >= 1) || !(height >= 1)) return std::nullopt;
  const float scale = std::min(dots_per_inch / 72, kMostPixels / std::max(width, height));
  PagePicture picture;
  picture.points = 1 / scale;
  picture.columns = std::max(1, static_cast<int>(width * scale));
  picture.rows = std::max(1, static_cast<int>(height * scale));
  picture.gray.resize(static_cast<std::size_t>(picture.columns) *
                      static_cast<std::size_t>(picture.rows));
  PdfiumLibrary::Bitmap bitmap = pdfium.create_bitmap(picture.columns, picture.rows, kGrayBitmap,
                                                      picture.gray.data(), picture.columns);
  if (bitmap == nullptr) return std::nullopt;
  pdfium.fill_bitmap(bitmap, 0, 0, picture.columns, picture.rows, kWhite);
  pdfium.render_page(bitmap, page, 0, 0, picture.columns, picture.rows, 0,
                     kGrayscale | (with_annotations ? kWithAnnotations : 0));
  pdfium.destroy_bitmap(bitmap);
  return picture;
}

}  // namespace whereof::document
