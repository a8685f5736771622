#include "document/readers/page_footnotes.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

namespace whereof::document {
namespace {

constexpr float kSmall = 0.94f;   // of the page's usual size
constexpr float kRaised = 0.85f;  // a mark is smaller than this, of its line's size
constexpr std::size_t kLongestMark = 3;
constexpr std::size_t kLeastCharacters = 200;  // of a page, for its usual size to be known

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

bool is_sign(char32_t c) { return c == U'*' || c == U'†' || c == U'‡' || c == U'§'; }

bool is_raised(const Glyph& glyph, const LayoutLine& line) {
  const bool is_superscript = glyph.value == U'¹' || glyph.value == U'²' || glyph.value == U'³' ||
                              (glyph.value >= 0x2070 && glyph.value <= 0x2079);
  return is_superscript ||
         (glyph.size < kRaised * line.size && glyph.baseline < line.baseline - 0.1f * line.size);
}

struct Mark {
  std::u32string text;  // empty: none
  bool is_raised = false;
};

Mark mark_at(const LayoutLine& line, std::size_t begin) {
  Mark mark;
  for (std::size_t i = begin; i < line.glyphs.size() && mark.text.size() <= kLongestMark; ++i) {
    const Glyph& glyph = line.glyphs[i];
    const bool raised = is_raised(glyph, line);
    if (i == begin) mark.is_raised = raised;
    if (raised != mark.is_raised || (i > begin && glyph.space_before)) break;
    if (!is_digit(glyph.value) && !is_sign(glyph.value) && !raised) {
      // "1." and "1)" are numbers of clauses.
      return i > begin && (glyph.value == U'.' || glyph.value == U')') ? Mark{} : mark;
    }
    mark.text.push_back(glyph.value);
  }
  if (mark.text.size() > kLongestMark) return {};
  return mark;
}

float usual_size(const LaidOutPage& page) {
  std::vector<float> sizes;
  for (const LayoutLine& line : page.lines) {
    if (line.kind == LineKind::body) sizes.insert(sizes.end(), line.glyphs.size(), line.size);
  }
  if (sizes.size() < kLeastCharacters) return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

std::set<std::u32string> raised_marks(const LaidOutPage& page, float size) {
  std::set<std::u32string> marks;
  for (const LayoutLine& line : page.lines) {
    if (line.kind != LineKind::body || line.size < kSmall * size) continue;
    for (std::size_t i = 1; i < line.glyphs.size(); ++i) {
      if (!is_raised(line.glyphs[i], line) || is_raised(line.glyphs[i - 1], line)) continue;
      marks.insert(mark_at(line, i).text);
    }
  }
  return marks;
}

}  // namespace

void mark_footnotes(std::vector<LaidOutPage>& pages) {
  for (LaidOutPage& page : pages) {
    const float size = usual_size(page);
    if (size <= 0) continue;
    const std::set<std::u32string> marks = raised_marks(page, size);
    for (std::size_t end = page.lines.size(); end > 0;) {
      const int column = page.lines[end - 1].column;
      std::size_t begin = end;
      std::size_t first = end;  // of the small lines at the column's end
      bool all_small = true;
      for (; begin > 0 && page.lines[begin - 1].column == column; --begin) {
        const LayoutLine& line = page.lines[begin - 1];
        if (line.kind != LineKind::body) continue;
        all_small = all_small && line.size < kSmall * size && line.level < 0;
        if (all_small) first = begin - 1;
      }
      bool in_notes = false;
      for (std::size_t i = first; i < end; ++i) {
        LayoutLine& line = page.lines[i];
        if (line.kind != LineKind::body) continue;
        const Mark mark = mark_at(line, 0);
        const bool has_mark = !mark.text.empty() && (mark.is_raised || marks.contains(mark.text));
        in_notes = in_notes || has_mark;
        if (in_notes) line.kind = LineKind::footnote;
      }
      end = begin;
    }
  }
}

}  // namespace whereof::document
