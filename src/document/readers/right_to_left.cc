#include "document/readers/right_to_left.h"

#include <unicode/ubidi.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace whereof::document {
namespace {

constexpr float kWordGap = 0.17f;  // of the character size

struct CloseBidi {
  void operator()(UBiDi* bidi) const { ubidi_close(bidi); }
};

bool is_right_to_left(char32_t c) {
  if (c < 0x590) return false;
  const UCharDirection direction = u_charDirection(static_cast<UChar32>(c));
  return direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
}

bool is_left_to_right(char32_t c) {
  return u_charDirection(static_cast<UChar32>(c)) == U_LEFT_TO_RIGHT;
}

}  // namespace

void order_right_to_left(std::vector<Glyph>& glyphs) {
  const auto right = std::count_if(glyphs.begin(), glyphs.end(), [](const Glyph& glyph) {
    return is_right_to_left(glyph.value);
  });
  if (right == 0) return;
  const auto left = std::count_if(glyphs.begin(), glyphs.end(),
                                  [](const Glyph& glyph) { return is_left_to_right(glyph.value); });
  std::stable_sort(glyphs.begin(), glyphs.end(),
                   [](const Glyph& a, const Glyph& b) { return a.along_begin < b.along_begin; });
  std::u16string shown;
  std::vector<std::ptrdiff_t> glyph_of;  // of each unit; -1: a space
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    const bool has_gap = i > 0 && glyphs[i].along_begin - glyphs[i - 1].along_end >
                                      kWordGap * std::max(glyphs[i].size, glyphs[i - 1].size);
    if (has_gap) {
      shown.push_back(u' ');
      glyph_of.push_back(-1);
    }
    shown.push_back(glyphs[i].value < 0x10000 ? static_cast<char16_t>(glyphs[i].value) : u'\uFFFC');
    glyph_of.push_back(static_cast<std::ptrdiff_t>(i));
  }
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UBiDi, CloseBidi> bidi(ubidi_open());
  ubidi_setReorderingMode(bidi.get(), UBIDI_REORDER_INVERSE_LIKE_DIRECT);
  ubidi_setPara(bidi.get(), shown.data(), static_cast<std::int32_t>(shown.size()),
                right > left ? 1 : 0, nullptr, &error);
  std::vector<Glyph> ordered;
  ordered.reserve(glyphs.size());
  bool space_before = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::int32_t from =
        ubidi_getLogicalIndex(bidi.get(), static_cast<std::int32_t>(i), &error);
    if (U_FAILURE(error) != 0 || from < 0) return;
    const std::ptrdiff_t which = glyph_of[static_cast<std::size_t>(from)];
    if (which >= 0) {
      ordered.push_back(glyphs[static_cast<std::size_t>(which)]);
      ordered.back().space_before = space_before && ordered.size() > 1;
    }
    space_before = which < 0;
  }
  glyphs = std::move(ordered);
}

}  // namespace whereof::document
