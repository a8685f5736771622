#include "document/readers/line_joining.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>

#include "document/normalize.h"

namespace whereof::document {
namespace {

struct Place {
  std::size_t page, line;
};

LayoutLine& at(std::vector<LaidOutPage>& pages, Place place) {
  return pages[place.page].lines[place.line];
}

std::vector<Place> body_lines(const std::vector<LaidOutPage>& pages) {
  std::vector<Place> places;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    for (std::size_t l = 0; l < pages[p].lines.size(); ++l) {
      if (pages[p].lines[l].kind == LineKind::body) places.push_back({p, l});
    }
  }
  return places;
}

bool is_hyphen(char32_t c) { return c == U'-' || c == 0x2010 || c == 0xAD; }

bool is_alphanumeric(char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0; }

char32_t lower(char32_t c) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))); }

// Letters and digits of glyphs [begin, end), in lower case; hyphens kept.
std::u32string word_of(const std::vector<Glyph>& glyphs, std::size_t begin, std::size_t end) {
  std::u32string word, parts;
  for (std::size_t i = begin; i < end; ++i) {
    normalize(glyphs[i].value, parts);
    for (const char32_t c : parts) {
      if (is_alphanumeric(c)) word.push_back(lower(c));
      if (is_hyphen(c)) word.push_back(U'-');
    }
  }
  return word;
}

std::size_t first_word_end(const std::vector<Glyph>& glyphs) {
  std::size_t end = 1;
  while (end < glyphs.size() && !glyphs[end].space_before) ++end;
  return end;
}

std::size_t last_word_begin(const std::vector<Glyph>& glyphs) {
  std::size_t begin = glyphs.size() - 1;
  while (begin > 0 && !glyphs[begin].space_before) --begin;
  return begin;
}

bool ends_in_hyphen(const LayoutLine& line) {
  const std::size_t n = line.glyphs.size();
  return n >= 2 && is_hyphen(line.glyphs[n - 1].value) && !line.glyphs[n - 1].space_before &&
         is_alphanumeric(line.glyphs[n - 2].value);
}

// The words that stand whole inside the document's lines.
class Vocabulary {
 public:
  Vocabulary(std::vector<LaidOutPage>& pages, const std::vector<Place>& body) {
    for (const Place place : body) {
      const LayoutLine& line = at(pages, place);
      const std::size_t end =
          ends_in_hyphen(line) ? last_word_begin(line.glyphs) : line.glyphs.size();
      std::size_t begin = 0;
      for (std::size_t i = 1; i <= end; ++i) {
        if (i < end && !line.glyphs[i].space_before) continue;
        words_.insert(word_of(line.glyphs, begin, i));
        begin = i;
      }
    }
  }
  bool has(const std::u32string& word) const { return words_.contains(word); }

 private:
  std::unordered_set<std::u32string> words_;
};

bool takes_a_hyphen(std::u32string_view first) {
  constexpr std::array<std::u32string_view, 22> kFirstParts = {
      U"non",   U"self",  U"ex",    U"all",  U"half", U"quasi", U"well", U"long",
      U"short", U"third", U"first", U"high", U"low",  U"full",  U"part", U"cross",
      U"good",  U"arm's", U"one",   U"two",  U"on",   U"off"};
  return std::find(kFirstParts.begin(), kFirstParts.end(), first) != kFirstParts.end();
}

bool keeps_hyphen(const std::vector<Glyph>& above, const std::vector<Glyph>& below,
                  const Vocabulary& vocabulary) {
  const char32_t left = above[above.size() - 2].value;
  const char32_t right = below.front().value;
  if (!is_letter(left) || !is_lower_case(right)) return true;
  if (above.back().value == 0xAD) return false;
  const std::u32string first = word_of(above, last_word_begin(above), above.size() - 1);
  const std::u32string second = word_of(below, 0, first_word_end(below));
  if (vocabulary.has(first + second)) return false;
  if (vocabulary.has(first + U"-" + second)) return true;
  return takes_a_hyphen(first);
}

void join(LayoutLine& above, LayoutLine& below, bool keep_hyphen, bool on_one_page) {
  if (!keep_hyphen) above.glyphs.pop_back();
  const std::size_t end = first_word_end(below.glyphs);
  for (std::size_t i = 0; i < end; ++i) {
    Glyph glyph = below.glyphs[i];
    glyph.space_before = false;
    if (!on_one_page) glyph.box = Box{};
    above.glyphs.push_back(glyph);
  }
  below.glyphs.erase(below.glyphs.begin(), below.glyphs.begin() + static_cast<std::ptrdiff_t>(end));
  if (!below.glyphs.empty()) below.glyphs.front().space_before = false;
}

struct ColumnShape {
  float left = 0;
  float right = 0;
  float pitch = 0;
};

ColumnShape shape_of(const std::vector<const LayoutLine*>& lines) {
  ColumnShape shape;
  std::vector<float> lefts, rights, pitches;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lefts.push_back(lines[i]->begin);
    rights.push_back(lines[i]->end);
    if (i > 0 && lines[i]->baseline > lines[i - 1]->baseline) {
      pitches.push_back(lines[i]->baseline - lines[i - 1]->baseline);
    }
  }
  std::sort(lefts.begin(), lefts.end());
  std::sort(rights.begin(), rights.end());
  std::sort(pitches.begin(), pitches.end());
  shape.left = lefts[lefts.size() / 10];
  shape.right = rights[rights.size() - 1 - rights.size() / 20];
  // The usual distance of two lines of one paragraph is among the small ones.
  shape.pitch = pitches.empty() ? 0 : pitches[pitches.size() / 3];
  return shape;
}

float first_word_width(const LayoutLine& line) {
  return line.glyphs[first_word_end(line.glyphs) - 1].along_end - line.glyphs.front().along_begin;
}

bool starts_paragraph(const LayoutLine& line, const LayoutLine& above, const ColumnShape& shape,
                      const ColumnShape& above_shape, bool same_column) {
  const float size = std::max(line.size, above.size);
  if (line.is_bold != above.is_bold) return true;
  if (std::abs(line.size - above.size) > 0.12f * size) return true;
  // The line above ended early if the first word of this one would have fitted behind it.
  if (above.end + first_word_width(line) + 1.5f * size < above_shape.right) return true;
  if (!same_column) return line.begin > shape.left + 0.8f * size;
  if (shape.pitch > 0 && line.baseline - above.baseline > 1.3f * shape.pitch) return true;
  if (line.baseline - above.baseline > 2.2f * size) return true;
  if (line.begin > above.begin + 0.8f * size) {
    // A hanging number ("1.1   Text") is followed by lines that begin further to the right.
    return above.widest_gap < 0.8f;
  }
  return line.begin < above.begin - 0.8f * size && line.widest_gap > 0.8f;
}

}  // namespace

void undo_hyphenation(std::vector<LaidOutPage>& pages) {
  const std::vector<Place> body = body_lines(pages);
  const bool any = std::any_of(body.begin(), body.end(),
                               [&](Place place) { return ends_in_hyphen(at(pages, place)); });
  if (!any) return;
  const Vocabulary vocabulary(pages, body);
  for (std::size_t i = 0; i + 1 < body.size(); ++i) {
    LayoutLine& above = at(pages, body[i]);
    LayoutLine& below = at(pages, body[i + 1]);
    if (above.glyphs.empty() || below.glyphs.empty() || !ends_in_hyphen(above)) continue;
    if (body[i + 1].page > body[i].page + 1) continue;
    if (!is_alphanumeric(below.glyphs.front().value)) continue;
    join(above, below, keeps_hyphen(above.glyphs, below.glyphs, vocabulary),
         body[i].page == body[i + 1].page);
  }
  for (LaidOutPage& page : pages) {
    std::erase_if(page.lines, [](const LayoutLine& line) { return line.glyphs.empty(); });
  }
}

void mark_paragraphs(std::vector<LaidOutPage>& pages) {
  const LayoutLine* above = nullptr;
  ColumnShape above_shape;
  for (LaidOutPage& page : pages) {
    for (std::size_t first = 0; first < page.lines.size();) {
      std::size_t end = first;
      std::vector<const LayoutLine*> column;
      while (end < page.lines.size() && page.lines[end].column == page.lines[first].column) {
        if (page.lines[end].kind == LineKind::body) column.push_back(&page.lines[end]);
        ++end;
      }
      if (!column.empty()) {
        const ColumnShape shape = shape_of(column);
        bool same_column = false;
        for (std::size_t i = first; i < end; ++i) {
          LayoutLine& line = page.lines[i];
          if (line.kind != LineKind::body) continue;
          line.starts_paragraph = above == nullptr || line.begins_cell ||
                                  starts_paragraph(line, *above, shape, above_shape, same_column);
          above = &line;
          above_shape = shape;
          same_column = true;
        }
      }
      first = end;
    }
  }
}

}  // namespace whereof::document
