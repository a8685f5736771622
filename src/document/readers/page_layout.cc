#include "document/readers/page_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "document/normalize.h"
#include "document/readers/column_search.h"
#include "document/readers/right_to_left.h"

namespace whereof::document {
namespace {

// All in units of the character size.
constexpr float kSameBaseline = 0.25f;
constexpr float kPieceGap = 1.2f;       // wider: another piece
constexpr float kWordGap = 0.17f;       // wider, between pieces: a space
constexpr float kStreamWordGap = 0.3f;  // wider, inside a piece: a space even if none was written
constexpr float kBandAbove = 0.75f;  // what a line's characters reach above and below its baseline
constexpr float kBandBelow = 0.2f;
constexpr float kDoubled = 0.15f;  // nearer: the same character printed twice

struct Band {
  float top, bottom;
};

Band band_of(float baseline, float size) {
  return {baseline - kBandAbove * size, baseline + kBandBelow * size};
}

bool share_a_line(const Piece& piece, const LayoutLine& line) {
  const Band a = band_of(piece.baseline, piece.size);
  const Band b = band_of(line.baseline, line.size);
  const float overlap = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return overlap > 0.5f * std::min(a.bottom - a.top, b.bottom - b.top);
}

std::vector<Piece> pieces_of(const std::vector<Glyph>& glyphs) {
  std::vector<Piece> pieces;
  for (const Glyph& glyph : glyphs) {
    bool continues = false;
    if (!pieces.empty()) {
      const Glyph& last = pieces.back().glyphs.back();
      const float size = std::max(glyph.size, last.size);
      const float gap = glyph.along_begin - last.along_end;
      continues = std::abs(glyph.baseline - last.baseline) < kSameBaseline * size &&
                  gap < kPieceGap * size && gap > -0.5f * size;
    }
    if (!continues) {
      pieces.emplace_back();
      pieces.back().begin = glyph.along_begin;
      pieces.back().end = glyph.along_end;
      pieces.back().baseline = glyph.baseline;
      pieces.back().size = glyph.size;
    }
    Piece& piece = pieces.back();
    piece.begin = std::min(piece.begin, glyph.along_begin);
    piece.end = std::max(piece.end, glyph.along_end);
    piece.size = std::max(piece.size, glyph.size);
    piece.glyphs.push_back(glyph);
  }
  return pieces;
}

// Most of a line's characters have this size; a superscript or a drop cap does not set it.
float usual_size(const std::vector<Glyph>& glyphs) {
  std::vector<float> sizes;
  sizes.reserve(glyphs.size());
  for (const Glyph& glyph : glyphs) sizes.push_back(glyph.size);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

// The letters of one ligature share a box too, but come from one text object.
bool is_printed_twice(const Glyph& glyph, const std::vector<Glyph>& line) {
  const std::size_t first = line.size() > 3 ? line.size() - 3 : 0;
  for (std::size_t i = first; i < line.size(); ++i) {
    if (line[i].value == glyph.value && line[i].object != glyph.object &&
        std::abs(line[i].along_begin - glyph.along_begin) < kDoubled * glyph.size &&
        std::abs(line[i].baseline - glyph.baseline) < kDoubled * glyph.size) {
      return true;
    }
  }
  return false;
}

void append_piece(LayoutLine& line, const Piece& piece) {
  bool is_first_of_piece = true;
  for (Glyph glyph : piece.glyphs) {
    if (is_printed_twice(glyph, line.glyphs)) continue;
    if (line.glyphs.empty()) {
      glyph.space_before = false;
    } else {
      const Glyph& last = line.glyphs.back();
      const float gap = (glyph.along_begin - last.along_end) / std::max(glyph.size, last.size);
      line.widest_gap = std::max(line.widest_gap, gap);
      const bool both_ideographic = is_ideographic(glyph.value) && is_ideographic(last.value);
      const float word_gap = both_ideographic    ? 0.8f
                             : is_first_of_piece ? kWordGap
                                                 : kStreamWordGap;
      if (gap > word_gap) glyph.space_before = true;
      // A space that was written between two ideographs set solid is an artefact of the writer.
      if (both_ideographic && gap < 0.1f) glyph.space_before = false;
    }
    is_first_of_piece = false;
    line.glyphs.push_back(glyph);
  }
}

void complete(LayoutLine& line) {
  order_right_to_left(line.glyphs);
  line.begin = line.glyphs.front().along_begin;
  line.end = line.glyphs.front().along_end;
  std::size_t bold = 0;
  std::int64_t recognized = 0, confidence = 0;
  for (const Glyph& glyph : line.glyphs) {
    line.begin = std::min(line.begin, glyph.along_begin);
    line.end = std::max(line.end, glyph.along_end);
    bold += glyph.is_bold ? 1 : 0;
    recognized += glyph.confidence >= 0 ? 1 : 0;
    confidence += std::max<std::int64_t>(glyph.confidence, 0);
  }
  if (recognized > 0) line.confidence = static_cast<std::int8_t>(confidence / recognized);
  line.size = usual_size(line.glyphs);
  line.is_bold = bold == line.glyphs.size();
}

// The lines of one column.
void lines_of(std::vector<const Piece*> pieces, int column, std::vector<LayoutLine>& lines) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece* a, const Piece* b) { return a->baseline < b->baseline; });
  std::vector<std::vector<const Piece*>> rows;
  LayoutLine row_band;  // baseline and size of the row's longest piece so far
  float row_length = 0;
  for (const Piece* piece : pieces) {
    if (rows.empty() || !share_a_line(*piece, row_band)) {
      rows.emplace_back();
      row_length = 0;
    }
    rows.back().push_back(piece);
    if (piece->end - piece->begin > row_length) {
      row_length = piece->end - piece->begin;
      row_band.baseline = piece->baseline;
      row_band.size = piece->size;
    }
  }
  for (auto& row : rows) {
    std::stable_sort(row.begin(), row.end(),
                     [](const Piece* a, const Piece* b) { return a->begin < b->begin; });
    LayoutLine line;
    line.column = column;
    const Piece* longest = row.front();
    for (const Piece* piece : row) {
      append_piece(line, *piece);
      if (piece->end - piece->begin > longest->end - longest->begin) longest = piece;
    }
    line.baseline = longest->baseline;
    complete(line);
    lines.push_back(std::move(line));
  }
}

void lay_out_direction(const std::vector<Glyph>& glyphs, LineKind kind,
                       std::vector<LayoutLine>& lines) {
  const std::vector<Piece> pieces = pieces_of(glyphs);
  int column = lines.empty() ? 0 : lines.back().column + 1;
  const std::size_t first = lines.size();
  for (const auto& region : reading_regions(pieces)) lines_of(region, column++, lines);
  for (std::size_t i = first; i < lines.size(); ++i) lines[i].kind = kind;
}

// Slanted text is one line in the order in which it was written.
void lay_out_slanted(const std::vector<Glyph>& glyphs, std::vector<LayoutLine>& lines) {
  if (glyphs.empty()) return;
  LayoutLine line;
  line.column = lines.empty() ? 0 : lines.back().column + 1;
  line.kind = LineKind::header;
  line.glyphs = glyphs;
  line.glyphs.front().space_before = false;
  line.baseline = glyphs.front().baseline;
  complete(line);
  lines.push_back(std::move(line));
}

}  // namespace

std::vector<LayoutLine> lay_out(const PdfPageContent& content) {
  std::array<std::vector<Glyph>, 5> by_direction;
  for (const Glyph& glyph : content.glyphs) {
    by_direction[static_cast<std::size_t>(glyph.direction)].push_back(glyph);
  }
  const auto most =
      std::max_element(by_direction.begin(), by_direction.begin() + kSlanted,
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<LayoutLine> lines;
  if (!most->empty()) lay_out_direction(*most, LineKind::body, lines);
  for (auto direction = by_direction.begin(); direction != by_direction.begin() + kSlanted;
       ++direction) {
    if (direction == most || direction->empty()) continue;
    lay_out_direction(*direction, LineKind::header, lines);
  }
  lay_out_slanted(by_direction[kSlanted], lines);
  return lines;
}

std::vector<LayoutLine> lay_out_block(const std::vector<Glyph>& glyphs) {
  const std::vector<Piece> pieces = pieces_of(glyphs);
  std::vector<const Piece*> all;
  for (const Piece& piece : pieces) all.push_back(&piece);
  std::vector<LayoutLine> lines;
  lines_of(std::move(all), 0, lines);
  return lines;
}

std::u32string text_of(const LayoutLine& line) {
  std::u32string text;
  std::u32string parts;
  for (const Glyph& glyph : line.glyphs) {
    if (glyph.space_before) text.push_back(U' ');
    if (is_stripped(glyph.value)) continue;
    normalize(glyph.value, parts);
    text += parts;
  }
  return text;
}

}  // namespace whereof::document
