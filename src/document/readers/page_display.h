// From the space of a PDF page to the page as it is shown.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_DISPLAY_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_DISPLAY_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "document/readers/pdfium_library.h"
#include "whereof/document.h"

namespace whereof::document {

// From page space (y up, not rotated) to the page as it is shown (y down).
class PageDisplay {
 public:
  PageDisplay(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page)
      : width(pdfium.page_width(page)),
        height(pdfium.page_height(page)),
        rotation_(pdfium.page_rotation(page) & 3) {
    if (pdfium.page_bounds(page, &bounds_) == 0) bounds_ = {0, height, width, 0};
  }

  void map(double x, double y, float& shown_x, float& shown_y) const {
    const double from_left = x - bounds_.left;
    const double from_right = bounds_.right - x;
    const double from_top = bounds_.top - y;
    const double from_bottom = y - bounds_.bottom;
    const std::array<std::array<double, 2>, 4> shown = {{{from_left, from_top},
                                                         {from_bottom, from_left},
                                                         {from_right, from_bottom},
                                                         {from_top, from_right}}};
    shown_x = static_cast<float>(shown[rotation_][0]);
    shown_y = static_cast<float>(shown[rotation_][1]);
  }

  Box map(const PdfRectangle& r) const {
    Box box;
    map(r.left, r.top, box.left, box.top);
    map(r.right, r.bottom, box.right, box.bottom);
    if (box.left > box.right) std::swap(box.left, box.right);
    if (box.top > box.bottom) std::swap(box.top, box.bottom);
    return box;
  }

  // Degrees, counter-clockwise, of writing as it is shown.
  double writing_angle(const PdfMatrix& m) const {
    return std::atan2(m.b, m.a) * 180 / std::numbers::pi - 90.0 * static_cast<double>(rotation_);
  }

  float width;
  float height;

 private:
  std::size_t rotation_;
  PdfRectangle bounds_{};
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_DISPLAY_H_
