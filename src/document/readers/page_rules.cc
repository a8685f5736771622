#include "document/readers/page_rules.h"

#include <algorithm>
#include <cmath>

namespace whereof::document {
namespace {

constexpr float kThin = 2.5f;  // points
constexpr float kLeastLength = 8;
constexpr int kMostObjects = 100'000;
constexpr int kMostSegments = 20'000;
constexpr int kDeepestForms = 4;
constexpr int kLineSegment = 0;  // FPDF_SEGMENT_LINETO
constexpr int kMoveSegment = 2;  // FPDF_SEGMENT_MOVETO

struct Point {
  float x = 0, y = 0;
};

Point apply(const PdfMatrix& m, Point p) {
  return {m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f};
}

// First `inner`, then `outer`.
PdfMatrix combined(const PdfMatrix& inner, const PdfMatrix& outer) {
  return {inner.a * outer.a + inner.b * outer.c,
          inner.a * outer.b + inner.b * outer.d,
          inner.c * outer.a + inner.d * outer.c,
          inner.c * outer.b + inner.d * outer.d,
          inner.e * outer.a + inner.f * outer.c + outer.e,
          inner.e * outer.b + inner.f * outer.d + outer.f};
}

class RulesReader {
 public:
  RulesReader(const PdfiumLibrary& pdfium, const PageDisplay& display)
      : pdfium_(pdfium), display_(display) {}

  std::vector<Box> read(PdfiumLibrary::Page page) {
    const int count = pdfium_.count_objects(page);
    for (int i = 0; i < count && objects_ < kMostObjects; ++i) {
      add(pdfium_.page_object(page, i), {1, 0, 0, 1, 0, 0}, 0);
    }
    return std::move(rules_);
  }

 private:
  void add(PdfiumLibrary::Object object, const PdfMatrix& outer, int depth) {
    if (object == nullptr) return;
    ++objects_;
    const int type = pdfium_.object_type(object);
    if (type == kPdfObjectForm && depth < kDeepestForms) {
      PdfMatrix own{1, 0, 0, 1, 0, 0};
      if (pdfium_.object_matrix(object, &own) == 0) return;
      const PdfMatrix inner = combined(own, outer);
      const int count = pdfium_.form_count_objects(object);
      for (int i = 0; i < count && objects_ < kMostObjects; ++i) {
        add(pdfium_.form_object(object, static_cast<unsigned long>(i)), inner, depth + 1);
      }
    } else if (type == kPdfObjectPath) {
      add_path(object, outer);
    }
  }

  void add_path(PdfiumLibrary::Object path, const PdfMatrix& outer) {
    PdfRectangle bounds{};
    if (pdfium_.object_bounds(path, &bounds.left, &bounds.bottom, &bounds.right, &bounds.top) ==
        0) {
      return;
    }
    // The whole path is one thin bar: the usual case, and the cheap one.
    if (add_rule(apply(outer, {bounds.left, bounds.bottom}),
                 apply(outer, {bounds.right, bounds.top}))) {
      return;
    }
    int fill_mode = 0, is_stroked = 0;
    PdfMatrix own{1, 0, 0, 1, 0, 0};
    if (pdfium_.path_draw_mode(path, &fill_mode, &is_stroked) == 0 || is_stroked == 0 ||
        pdfium_.object_matrix(path, &own) == 0) {
      return;
    }
    const PdfMatrix matrix = combined(own, outer);
    Point start, last;
    const int count = pdfium_.path_count_segments(path);
    for (int i = 0; i < count && segments_ < kMostSegments; ++i, ++segments_) {
      PdfiumLibrary::Segment segment = pdfium_.path_segment(path, i);
      Point point;
      if (segment == nullptr || pdfium_.segment_point(segment, &point.x, &point.y) == 0) return;
      point = apply(matrix, point);
      const int type = pdfium_.segment_type(segment);
      if (type == kLineSegment) add_rule(last, point);
      if (type == kMoveSegment) start = point;
      if (pdfium_.segment_closes(segment) != 0) add_rule(point, start);
      last = point;
    }
  }

  // Corners of a bar or ends of a line, in page space. Whether it is a rule.
  bool add_rule(Point a, Point b) {
    const Box box = display_.map(PdfRectangle{a.x, a.y, b.x, b.y});
    const float width = box.right - box.left, height = box.bottom - box.top;
    if (!(std::min(width, height) <= kThin && std::max(width, height) >= kLeastLength)) {
      return false;
    }
    if (!std::isfinite(box.left + box.right + box.top + box.bottom)) return false;
    rules_.push_back(box);
    return true;
  }

  const PdfiumLibrary& pdfium_;
  const PageDisplay& display_;
  std::vector<Box> rules_;
  int objects_ = 0;
  int segments_ = 0;
};

}  // namespace

std::vector<Box> rules_of(const PdfiumLibrary& pdfium, const PageDisplay& display,
                          PdfiumLibrary::Page page) {
  return RulesReader(pdfium, display).read(page);
}

}  // namespace whereof::document
