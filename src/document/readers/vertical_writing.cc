#include "document/readers/vertical_writing.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "document/normalize.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLeastRun = 5;
constexpr float kSideways = 0.3f;  // all in units of the character size
constexpr float kLeastStep = 0.7f;
constexpr float kMostStep = 1.35f;
constexpr float kAboveBaseline = 0.88f;
constexpr std::int8_t kDown = 3;

float middle_of(const Glyph& glyph) { return (glyph.box.left + glyph.box.right) / 2; }

bool follows_downwards(const Glyph& above, const Glyph& below) {
  if (above.direction != 0 || below.direction != 0) return false;
  const float step = below.baseline - above.baseline;
  return std::abs(middle_of(below) - middle_of(above)) < kSideways * above.size &&
         step > kLeastStep * above.size && step < kMostStep * above.size;
}

void turn(Glyph& glyph, float page_width) {
  const float top = glyph.baseline - kAboveBaseline * glyph.size;
  glyph.direction = kDown;
  glyph.along_begin = top;
  glyph.along_end = top + glyph.size;
  glyph.baseline = page_width - middle_of(glyph);
}

}  // namespace

void turn_vertical_writing(PdfPageContent& content) {
  std::vector<Glyph>& glyphs = content.glyphs;
  std::vector<bool> is_vertical(glyphs.size(), false);
  std::size_t vertical = 0, ideographs = 0;
  for (std::size_t begin = 0; begin < glyphs.size();) {
    std::size_t end = begin + 1;
    std::size_t in_run = is_ideographic(glyphs[begin].value) ? 1 : 0;
    for (; end < glyphs.size() && follows_downwards(glyphs[end - 1], glyphs[end]); ++end) {
      in_run += is_ideographic(glyphs[end].value) ? 1 : 0;
    }
    ideographs += in_run;
    if (end - begin >= kLeastRun && in_run * 2 > end - begin) {
      vertical += in_run;
      for (std::size_t i = begin; i < end; ++i) is_vertical[i] = true;
    }
    begin = end;
  }
  const bool is_page_vertical = vertical * 2 > ideographs;
  for (std::size_t i = 0; i < glyphs.size() && vertical > 0; ++i) {
    const bool joins =
        is_page_vertical && glyphs[i].direction == 0 && is_ideographic(glyphs[i].value);
    if (is_vertical[i] || joins) turn(glyphs[i], content.width);
  }
}

}  // namespace whereof::document
