// The products of a block of many rows on a unit that multiplies tiles, over pairs of bf16:
//
//   scores[key][row]     = factor * sum over words of keys[key][word] . queries[word][row]
//   output[element][row] = output[element][row] * rescale[row]
//                        + sum over pairs of values^T[element][pair] . weights[pair][row]
//   sums[key][element]  += sum over pairs of weights[key][pair] . rows[pair][element]   (backward)
//
// All are C += A B. The panel B is what the packing for PairUnit leaves: words [depth][row]. The
// lines A, keys, transposed values or weights, are gathered in a buffer in whole tiles with zeros
// around them; so are the edges of B and C. The unit thus always meets whole tiles, touches no
// memory outside the operands, and never multiplies padding that is not a number.
//
// Four tiles of sums, two of lines, two of the panel: each loaded tile is used twice.
#ifndef WHEREOF_KERNELS_TILE_UNIT_PRODUCTS_H_
#define WHEREOF_KERNELS_TILE_UNIT_PRODUCTS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernel_set.h"
#include "kernels/simd.h"
#include "kernels/tile_products.h"
#include "tiles/tile_unit.h"

namespace whereof::kernels {

using tiles::kAllTilesWhole;
using tiles::kTileLines;
using tiles::kTileWords;
using tiles::TileUnit;

// The vectors beside such a unit.
template <typename S>
concept TurningSimd = PairSimd<S> && requires(typename S::Vector* rows) {
  S::transpose(rows);  // kLanes vectors in place; moves words, whatever they mean
};

// Rows: an odd number of cache lines, so that a panel's rows fall into different sets of the cache.
// Keys: a tile of sums is loaded and stored once for so many.
constexpr BlockShape kTileUnitBlock = {.rows = 240, .keys = 256};

constexpr std::int64_t kUnitLines = 2 * kTileLines;  // of C, for one visit to the unit
constexpr std::int64_t kUnitColumns = 2 * kTileWords;
constexpr std::int64_t kUnitDepth = 128;  // words of A that are gathered at a time
constexpr std::int64_t kWordBytes = sizeof(float);

constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
constexpr std::int64_t whole_tiles(std::int64_t count) {
  return (count + kTileWords - 1) / kTileWords * kTileWords;
}

// A: [kUnitLines][stride], rows and words beyond the operand zero up to whole tiles.
struct GatheredLines {
  alignas(64) float words[kUnitLines * kUnitDepth];
  std::int64_t stride = 0;  // a whole number of tiles
  std::int64_t count = 0;   // lines of the operand, at most kUnitLines

  // Zeroes what the operand will not fill.
  void begin(std::int64_t lines, std::int64_t depth) noexcept {
    stride = whole_tiles(depth);
    count = lines;
    if (depth % kTileWords == 0 && lines % kTileLines == 0) return;
    __builtin_memset(words, 0, sizeof(float) * static_cast<std::size_t>(kUnitLines * stride));
  }
};

// B: words [depth][stride], of which `columns` count, whole vectors.
struct UnitPanel {
  const float* words;
  std::int64_t stride;
  std::int64_t depth;
  std::int64_t columns;
};

// Copies a rectangle whose columns are whole vectors.
template <Simd S>
void copy_words(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
                std::int64_t lines, std::int64_t columns) noexcept {
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t column = 0; column < columns; column += S::kLanes) {
      S::store(to + line * to_stride + column, S::load(from + line * from_stride + column));
    }
  }
}

// One visit to the unit: kLines x kColumns tiles of sums, at most 2 x 2.
template <PairSimd S, TileUnit U, int kLines, int kColumns>
struct UnitVisit {
  static constexpr std::int64_t kWidth = kColumns * kTileWords;
  // C (line l, column c) is tile 2 l + c, A (l) is tile 4 + l, B (c) is tile 6 + c.

  static void clear() noexcept {
    U::template zero<0>();
    if constexpr (kColumns == 2) U::template zero<1>();
    if constexpr (kLines == 2) U::template zero<2>();
    if constexpr (kLines == 2 && kColumns == 2) U::template zero<3>();
  }
  static void load_sums(const float* from, std::int64_t stride) noexcept {
    const float* below = from + kTileLines * stride;
    U::template load<0>(from, stride * kWordBytes);
    if constexpr (kColumns == 2) U::template load<1>(from + kTileWords, stride * kWordBytes);
    if constexpr (kLines == 2) U::template load<2>(below, stride * kWordBytes);
    if constexpr (kLines == 2 && kColumns == 2) {
      U::template load<3>(below + kTileWords, stride * kWordBytes);
    }
  }
  static void store_sums(float* to, std::int64_t stride) noexcept {
    float* below = to + kTileLines * stride;
    U::template store<0>(to, stride * kWordBytes);
    if constexpr (kColumns == 2) U::template store<1>(to + kTileWords, stride * kWordBytes);
    if constexpr (kLines == 2) U::template store<2>(below, stride * kWordBytes);
    if constexpr (kLines == 2 && kColumns == 2) {
      U::template store<3>(below + kTileWords, stride * kWordBytes);
    }
  }

  // C += A B, one tile of depth.
  static void add_step(const float* lines, std::int64_t line_stride, const float* panel,
                       std::int64_t panel_stride) noexcept {
    U::template load<4>(lines, line_stride * kWordBytes);
    U::template load<6>(panel, panel_stride * kWordBytes);
    U::template dot<0, 4, 6>();
    if constexpr (kColumns == 2) {
      U::template load<7>(panel + kTileWords, panel_stride * kWordBytes);
      U::template dot<1, 4, 7>();
    }
    if constexpr (kLines == 2) {
      U::template load<5>(lines + kTileLines * line_stride, line_stride * kWordBytes);
      U::template dot<2, 5, 6>();
    }
    if constexpr (kLines == 2 && kColumns == 2) U::template dot<3, 5, 7>();
  }

  // C += A B. The panel is [depth][columns], columns <= kWidth; edges go through a buffer.
  static void add(const GatheredLines& lines, const UnitPanel& panel) noexcept {
    for (std::int64_t depth = 0; depth < panel.depth; depth += kTileWords) {
      const float* from = panel.words + depth * panel.stride;
      const std::int64_t present = smaller(kTileWords, panel.depth - depth);
      if (present == kTileWords && panel.columns == kWidth) {
        add_step(lines.words + depth, lines.stride, from, panel.stride);
        continue;
      }
      alignas(64) float edge[kTileLines * kWidth] = {};
      copy_words<S>(from, panel.stride, edge, kWidth, present, panel.columns);
      add_step(lines.words + depth, lines.stride, edge, kWidth);
    }
  }
};

// Calls visit<kLines, kColumns>() with the tiles that lines and columns need, at most 2 x 2.
template <typename Visit>
void with_tiles_for(std::int64_t lines, std::int64_t columns, const Visit& visit) noexcept {
  if (lines > kTileLines) {
    if (columns > kTileWords) {
      visit.template run<2, 2>();
    } else {
      visit.template run<2, 1>();
    }
  } else if (columns > kTileWords) {
    visit.template run<1, 2>();
  } else {
    visit.template run<1, 1>();
  }
}

template <PairSimd S, TileUnit U>
struct ScoreVisit {
  const GatheredLines& lines;
  UnitPanel panel;
  float* scores;
  std::int64_t stride;
  float factor;

  template <int kLines, int kColumns>
  void run() const noexcept {
    using Unit = UnitVisit<S, U, kLines, kColumns>;
    alignas(64) float sums[kLines * kTileLines * Unit::kWidth];
    Unit::clear();
    Unit::add(lines, panel);
    Unit::store_sums(sums, Unit::kWidth);
    const typename S::Vector scale = S::broadcast(factor);
    for (std::int64_t line = 0; line < lines.count; ++line) {
      for (std::int64_t column = 0; column < panel.columns; column += S::kLanes) {
        S::store(scores + line * stride + column,
                 S::multiply(S::load(sums + line * Unit::kWidth + column), scale));
      }
    }
  }
};

// Fewer keys than a tile has lines, and heads of over 256 elements, stay in the vector registers.
template <PairSimd S, TileUnit U>
void tile_unit_score(const ScoreTile& t) noexcept {
  if (t.row_count < kTileLines || t.depth > kUnitDepth) {
    score_tile<PairUnit<S>>(t);
    return;
  }
  GatheredLines lines;
  U::configure(kAllTilesWhole);
  for (std::int64_t row = 0; row < t.row_count; row += kUnitLines) {
    lines.begin(smaller(kUnitLines, t.row_count - row), t.depth);
    for (std::int64_t line = 0; line < lines.count; ++line) {
      __builtin_memcpy(lines.words + line * lines.stride, t.rows + (row + line) * t.row_stride,
                       static_cast<std::size_t>(t.depth) * sizeof(float));
    }
    for (std::int64_t column = 0; column < t.columns; column += kUnitColumns) {
      const std::int64_t columns = smaller(kUnitColumns, t.columns - column);
      with_tiles_for(lines.count, columns,
                     ScoreVisit<S, U>{.lines = lines,
                                      .panel = {t.panel + column, t.stride, t.depth, columns},
                                      .scores = t.scores + row * t.stride + column,
                                      .stride = t.stride,
                                      .factor = t.factor});
    }
  }
  U::release();
}

// lines[element][pair] = from[pair][element]. Squares at the edges are filled up with zeros.
template <TurningSimd S>
void gather_turned(const float* from, std::int64_t stride, std::int64_t pairs,
                   GatheredLines& lines) noexcept {
  constexpr std::int64_t kLanes = S::kLanes;
  for (std::int64_t element = 0; element < lines.count; element += kLanes) {
    const std::int64_t elements = smaller(kLanes, lines.count - element);
    for (std::int64_t pair = 0; pair < pairs; pair += kLanes) {
      const std::int64_t rows = smaller(kLanes, pairs - pair);
      const float* corner = from + pair * stride + element;
      float edge[kLanes][kLanes] = {};
      const bool is_whole = elements == kLanes && rows == kLanes;
      for (std::int64_t row = 0; row < rows && !is_whole; ++row) {
        __builtin_memcpy(edge[row], corner + row * stride,
                         static_cast<std::size_t>(elements) * sizeof(float));
      }
      typename S::Vector square[kLanes];
#pragma GCC unroll 16
      for (int i = 0; i < kLanes; ++i) {
        square[i] = S::load(is_whole ? corner + i * stride : edge[i]);
      }
      S::transpose(square);
      float* to = lines.words + element * lines.stride + pair;
#pragma GCC unroll 16
      for (int i = 0; i < kLanes; ++i) S::store(to + i * lines.stride, square[i]);
    }
  }
}

template <PairSimd S, TileUnit U>
struct ValueVisit {
  const GatheredLines& lines;
  UnitPanel panel;
  float* output;
  std::int64_t stride;

  template <int kLines, int kColumns>
  void run() const noexcept {
    using Unit = UnitVisit<S, U, kLines, kColumns>;
    if (lines.count == kLines * kTileLines && panel.columns == Unit::kWidth) {
      Unit::load_sums(output, stride);
      Unit::add(lines, panel);
      Unit::store_sums(output, stride);
      return;
    }
    alignas(64) float sums[kLines * kTileLines * Unit::kWidth] = {};
    copy_words<S>(output, stride, sums, Unit::kWidth, lines.count, panel.columns);
    Unit::load_sums(sums, Unit::kWidth);
    Unit::add(lines, panel);
    Unit::store_sums(sums, Unit::kWidth);
    copy_words<S>(sums, Unit::kWidth, output, stride, lines.count, panel.columns);
  }
};

// The maximum of most rows stays where it is from tile to tile: a vector of rows is multiplied
// only where one of them moved.
template <Simd S>
void rescale_output(const ValueTile& t) noexcept {
  const typename S::Vector one = S::broadcast(1.0F);
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    const typename S::Vector rescale = S::load(t.rescale + column);
    if (S::greater_bits(one, rescale) == 0 && S::greater_bits(rescale, one) == 0) continue;
    float* at = t.output + column;
    for (std::int64_t element = 0; element < t.value_dim; ++element, at += t.stride) {
      S::store(at, S::multiply(S::load(at), rescale));
    }
  }
}

template <TurningSimd S, TileUnit U>
void tile_unit_value(const ValueTile& t) noexcept {
  rescale_output<S>(t);
  GatheredLines lines;
  U::configure(kAllTilesWhole);
  for (std::int64_t pair = 0; pair < t.key_count; pair += kUnitDepth) {
    const std::int64_t pairs = smaller(kUnitDepth, t.key_count - pair);
    for (std::int64_t element = 0; element < t.value_dim; element += kUnitLines) {
      lines.begin(smaller(kUnitLines, t.value_dim - element), pairs);
      gather_turned<S>(t.values + pair * t.value_stride + element, t.value_stride, pairs, lines);
      for (std::int64_t column = 0; column < t.columns; column += kUnitColumns) {
        const std::int64_t columns = smaller(kUnitColumns, t.columns - column);
        with_tiles_for(lines.count, columns,
                       ValueVisit<S, U>{.lines = lines,
                                        .panel = {t.weights + pair * t.stride + column, t.stride,
                                                  pairs, columns},
                                        .output = t.output + element * t.stride + column,
                                        .stride = t.stride});
      }
    }
  }
  U::release();
}

template <PairSimd S, TileUnit U>
void tile_unit_gradient(const GradientTile& t) noexcept {
  GatheredLines lines;
  U::configure(kAllTilesWhole);
  for (std::int64_t pair = 0; pair < t.row_count; pair += kUnitDepth) {
    const std::int64_t pairs = smaller(kUnitDepth, t.row_count - pair);
    for (std::int64_t key = 0; key < t.key_count; key += kUnitLines) {
      lines.begin(smaller(kUnitLines, t.key_count - key), pairs);
      for (std::int64_t line = 0; line < lines.count; ++line) {
        __builtin_memcpy(lines.words + line * lines.stride,
                         t.weights + (key + line) * t.weight_stride + pair,
                         static_cast<std::size_t>(pairs) * sizeof(float));
      }
      for (std::int64_t column = 0; column < t.columns; column += kUnitColumns) {
        const std::int64_t columns = smaller(kUnitColumns, t.columns - column);
        with_tiles_for(lines.count, columns,
                       ValueVisit<S, U>{.lines = lines,
                                        .panel = {t.rows + pair * t.row_stride + column,
                                                  t.row_stride, pairs, columns},
                                        .output = t.sums + key * t.sum_stride + column,
                                        .stride = t.sum_stride});
      }
    }
  }
  U::release();
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_TILE_UNIT_PRODUCTS_H_
