#include "document/readers/pdf_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "document/normalize.h"
#include "document/readers/page_display.h"
#include "document/readers/page_rules.h"

namespace whereof::document {
namespace {

constexpr float kTinyPoints = 1.0f;
constexpr std::size_t kFewCharacters = 200;  // fewer over a full-page picture: a stamp on a scan
constexpr float kMostOfPage = 0.5f;
constexpr std::size_t kManyPaths = 50;

bool contains(const Box& box, float x, float y) {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

// What the page shows besides text; gathered only when some text may be hidden by it, and on pages
// with little text.
struct Background {
  std::vector<Box> images;
  std::vector<Box> fills;  // images, shadings and paths that are not white
  std::size_t paths = 0;

  bool has_image_at(float x, float y) const { return any(images, x, y); }
  bool has_fill_at(float x, float y) const { return any(fills, x, y); }

 private:
  static bool any(const std::vector<Box>& boxes, float x, float y) {
    return std::any_of(boxes.begin(), boxes.end(),
                       [&](const Box& box) { return contains(box, x, y); });
  }
};

bool is_white(unsigned r, unsigned g, unsigned b) { return r >= 250 && g >= 250 && b >= 250; }

void gather(const PdfiumLibrary& pdfium, const PageDisplay& display, PdfiumLibrary::Object object,
            const Box* outer, int depth, Background& background) {
  const int type = pdfium.object_type(object);
  PdfRectangle bounds{};
  Box box;
  if (outer != nullptr) {
    box = *outer;  // inside a form: its own space is not the page's, so the form's bounds stand in
  } else if (pdfium.object_bounds(object, &bounds.left, &bounds.bottom, &bounds.right,
                                  &bounds.top) != 0) {
    box = display.map(bounds);
  } else {
    return;
  }
  if (type == kPdfObjectForm && depth < 8) {
    const int count = std::min(pdfium.form_count_objects(object), 10000);
    for (int i = 0; i < count; ++i) {
      PdfiumLibrary::Object inner = pdfium.form_object(object, static_cast<unsigned long>(i));
      if (inner != nullptr) gather(pdfium, display, inner, &box, depth + 1, background);
    }
  } else if (type == kPdfObjectImage) {
    background.images.push_back(box);
    background.fills.push_back(box);
  } else if (type == kPdfObjectShading) {
    background.fills.push_back(box);
  } else if (type == kPdfObjectPath) {
    ++background.paths;
    unsigned r = 255, g = 255, b = 255, a = 0;
    if (pdfium.object_fill_color(object, &r, &g, &b, &a) != 0 && a > 0 && !is_white(r, g, b)) {
      background.fills.push_back(box);
    }
  }
}

Background gather_background(const PdfiumLibrary& pdfium, const PageDisplay& display,
                             PdfiumLibrary::Page page) {
  Background background;
  const int count = std::min(pdfium.count_objects(page), 100000);
  for (int i = 0; i < count; ++i) {
    PdfiumLibrary::Object object = pdfium.page_object(page, i);
    if (object != nullptr) gather(pdfium, display, object, nullptr, 0, background);
  }
  return background;
}

enum class Visibility { seen, needs_image, needs_fill, never };

// What all characters of one text object share.
struct TextStyle {
  PdfiumLibrary::Object object = nullptr;
  std::uint32_t number = 0;
  float size = 0;
  bool is_bold = false;
  std::int8_t direction = 0;
  Visibility visibility = Visibility::seen;
};

bool names_bold_font(const PdfiumLibrary& pdfium, PdfiumLibrary::Text text, int index) {
  std::array<char, 128> name{};
  const unsigned long length = pdfium.font_info(text, index, name.data(), name.size() - 1, nullptr);
  if (length == 0 || length > name.size()) return false;
  const std::string_view view(name.data());
  for (const std::string_view word : {"Bold", "bold", "BOLD", "Black", "Heavy", "SimHei", "黑体"}) {
    if (view.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::int8_t direction_of(double degrees) {
  const double quarters = degrees / 90;
  const double nearest = std::round(quarters);
  if (std::abs(quarters - nearest) > 0.06) return kSlanted;
  return static_cast<std::int8_t>(((static_cast<int>(nearest) % 4) + 4) % 4);
}

TextStyle style_of(const PdfiumLibrary& pdfium, const PageDisplay& display,
                   PdfiumLibrary::Text text, int index, PdfiumLibrary::Object object) {
  TextStyle style;
  style.object = object;
  PdfMatrix matrix{1, 0, 0, 1, 0, 0};
  if (pdfium.matrix(text, index, &matrix) == 0) matrix = {1, 0, 0, 1, 0, 0};
  style.size =
      static_cast<float>(std::abs(pdfium.font_size(text, index)) * std::hypot(matrix.c, matrix.d));
  if (!std::isfinite(style.size)) style.size = 0;
  style.direction = direction_of(display.writing_angle(matrix));
  style.is_bold = pdfium.font_weight(text, index) >= 600 || names_bold_font(pdfium, text, index);
  const int mode = pdfium.text_render_mode(object);
  unsigned r = 0, g = 0, b = 0, a = 255;
  const bool has_color = pdfium.object_fill_color(object, &r, &g, &b, &a) != 0;
  if (mode == kPdfRenderInvisible || mode == kPdfRenderClip) {
    style.visibility = Visibility::needs_image;
  } else if (has_color && a == 0 && mode != 1) {
    style.visibility = Visibility::never;
  } else if (has_color && mode == 0 && is_white(r, g, b)) {
    style.visibility = Visibility::needs_fill;
  }
  return style;
}

void set_writing_frame(Glyph& glyph, float x, float y, const PageDisplay& display) {
  const Box& box = glyph.box;
  switch (glyph.direction) {
    case 1:
      glyph.along_begin = display.height - box.bottom;
      glyph.along_end = display.height - box.top;
      glyph.baseline = x;
      break;
    case 2:
      glyph.along_begin = display.width - box.right;
      glyph.along_end = display.width - box.left;
      glyph.baseline = display.height - y;
      break;
    case 3:
      glyph.along_begin = box.top;
      glyph.along_end = box.bottom;
      glyph.baseline = display.width - x;
      break;
    default:
      glyph.along_begin = box.left;
      glyph.along_end = box.right;
      glyph.baseline = y;
  }
}

class PageReader {
 public:
  PageReader(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page)
      : pdfium_(pdfium), page_(page), display_(pdfium, page) {}

  PdfPageContent read() {
    content_.width = display_.width;
    content_.height = display_.height;
    PdfiumLibrary::Text text = pdfium_.load_text(page_);
    if (text != nullptr) {
      const int count = pdfium_.count_characters(text);
      content_.glyphs.reserve(static_cast<std::size_t>(std::max(count, 0)));
      for (int i = 0; i < count; ++i) i += read_character(text, i, count);
      pdfium_.close_text(text);
    }
    if (!content_.glyphs.empty()) content_.rules = rules_of(pdfium_, display_, page_);
    if (content_.glyphs.size() < kFewCharacters) content_.is_picture = is_picture();
    return std::move(content_);
  }

 private:
  // Returns how many further indices the character took.
  int read_character(PdfiumLibrary::Text text, int index, int count) {
    char32_t value = pdfium_.character(text, index);
    int taken = 0;
    if (value >= 0xD800 && value < 0xDC00 && index + 1 < count) {
      const char32_t low = pdfium_.character(text, index + 1);
      if (low >= 0xDC00 && low < 0xE000) {
        value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
        taken = 1;
      }
    }
    if (value == 0) return taken;
    // PDFium marks a hyphen that it takes for a line break's with U+0002.
    if (value == 2) value = U'-';
    if (is_space(value)) {
      space_before_ = true;
      return taken;
    }
    if (pdfium_.is_generated(text, index) == 1) return taken;
    add_glyph(text, index, value);
    return taken;
  }

  void add_glyph(PdfiumLibrary::Text text, int index, char32_t value) {
    PdfiumLibrary::Object object = pdfium_.text_object(text, index);
    if (object == nullptr) return;
    if (object != style_.object) {
      const std::uint32_t number = style_.number + 1;
      style_ = style_of(pdfium_, display_, text, index, object);
      style_.number = number;
    }
    PdfRectangle loose{};
    double x = 0, y = 0;
    if (pdfium_.loose_box(text, index, &loose) == 0) return;
    if (pdfium_.origin(text, index, &x, &y) == 0) return;
    Glyph glyph;
    glyph.value = value;
    glyph.box = display_.map(loose);
    glyph.size = style_.size;
    glyph.object = style_.number;
    glyph.direction = style_.direction;
    glyph.is_bold = style_.is_bold;
    glyph.space_before = space_before_;
    space_before_ = false;
    float shown_x = 0, shown_y = 0;
    display_.map(x, y, shown_x, shown_y);
    if (!std::isfinite(shown_x + shown_y + glyph.box.left + glyph.box.right + glyph.box.top +
                       glyph.box.bottom) ||
        !is_seen(glyph, shown_x, shown_y)) {
      ++content_.hidden_characters;
      return;
    }
    set_writing_frame(glyph, shown_x, shown_y, display_);
    content_.glyphs.push_back(glyph);
  }

  bool is_picture() {
    const Background& shown = background();
    if (content_.glyphs.empty()) return !shown.images.empty() || shown.paths >= kManyPaths;
    const float most = kMostOfPage * display_.width * display_.height;
    return std::any_of(shown.images.begin(), shown.images.end(), [&](const Box& box) {
      return (box.right - box.left) * (box.bottom - box.top) > most;
    });
  }

  bool is_seen(const Glyph& glyph, float origin_x, float origin_y) {
    const float x = (glyph.box.left + glyph.box.right) / 2;
    const float y = (glyph.box.top + glyph.box.bottom) / 2;
    const Box page{0, 0, display_.width, display_.height};
    if (!contains(page, x, y) && !contains(page, origin_x, origin_y)) return false;
    if (glyph.size < kTinyPoints) return false;
    switch (style_.visibility) {
      case Visibility::needs_image:
        return background().has_image_at(x, y);
      case Visibility::needs_fill:
        return background().has_fill_at(x, y);
      case Visibility::never:
        return false;
      case Visibility::seen:
        break;
    }
    return true;
  }

  const Background& background() {
    if (!has_background_) background_ = gather_background(pdfium_, display_, page_);
    has_background_ = true;
    return background_;
  }

  const PdfiumLibrary& pdfium_;
  PdfiumLibrary::Page page_;
  PageDisplay display_;
  PdfPageContent content_;
  TextStyle style_;
  Background background_;
  bool has_background_ = false;
  bool space_before_ = false;
};

}  // namespace

PdfPageContent read_pdf_page(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page) {
  return PageReader(pdfium, page).read();
}

}  // namespace whereof::document
