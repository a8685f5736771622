// A depth block of a panel on a unit that multiplies tiles (tiles/tile_unit.h), over pairs of bf16.
//
//   sums[weight row][input row] += sum over words of panel[weight row][word] . inputs[word][row]
//
// is C += A B as the unit has it: A is 16 rows of the widened panel as they lie, B is 16 words of
// 16 input rows as they are packed. Nothing is gathered or turned; edges were padded with zeros.
//
// Two by two tiles of sums, so that a loaded tile is used twice. The slice of the panel stays in
// the first-level cache while all input rows pass it.
#ifndef WHEREOF_LINEAR_TILE_PANEL_PRODUCT_H_
#define WHEREOF_LINEAR_TILE_PANEL_PRODUCT_H_

#include <cstdint>

#include "linear/panel_product.h"
#include "tiles/tile_unit.h"

namespace whereof::linear {

// Unit: as for PanelProduct, with kDepth 2 and kWordStep and kTileRows those of a tile.
template <typename Unit, tiles::TileUnit Tile>
struct UnitTiles {
  static constexpr std::int64_t kLines = tiles::kTileLines;
  static constexpr std::int64_t kWords = tiles::kTileWords;
  static_assert(Unit::kDepth == 2 && Unit::kWordStep == kWords && Unit::kTileRows == kLines);
  static_assert(Unit::kGroup % (2 * kWords) == 0);
  // 256 elements of each of the panel's 48 rows: 24 KiB.
  static constexpr std::int64_t kSliceWords = 128;
  static constexpr std::int64_t kInputStride = Unit::kGroup * 4;

  // sums [16 kRowTiles][32] += weights [16 kRowTiles][words] times inputs [words][32]. C (line l,
  // column c) is tile 2 l + c, A (l) is tile 4 + l, B (c) is tile 6 + c.
  template <int kRowTiles>
  static void multiply_tiles(const std::byte* weights, std::int64_t row_bytes,
                             const std::byte* inputs, std::int64_t words, float* sums,
                             std::int64_t sums_stride, bool is_first) {
    const std::int64_t sums_bytes = sums_stride * static_cast<std::int64_t>(sizeof(float));
    float* below = sums + kLines * sums_stride;
    Tile::template zero<0>();
    Tile::template zero<1>();
    if constexpr (kRowTiles == 2) Tile::template zero<2>();
    if constexpr (kRowTiles == 2) Tile::template zero<3>();
    if (!is_first) {
      Tile::template load<0>(sums, sums_bytes);
      Tile::template load<1>(sums + kWords, sums_bytes);
      if constexpr (kRowTiles == 2) Tile::template load<2>(below, sums_bytes);
      if constexpr (kRowTiles == 2) Tile::template load<3>(below + kWords, sums_bytes);
    }
    for (std::int64_t word = 0; word < words; word += kWords) {
      const auto* lines = reinterpret_cast<const float*>(weights + word * 4);
      const auto* columns = reinterpret_cast<const float*>(inputs + word * kInputStride);
      Tile::template load<4>(lines, row_bytes);
      Tile::template load<6>(columns, kInputStride);
      Tile::template load<7>(columns + kWords, kInputStride);
      Tile::template dot<0, 4, 6>();
      Tile::template dot<1, 4, 7>();
      if constexpr (kRowTiles == 2) {
        Tile::template load<5>(lines + kLines * row_bytes / 4, row_bytes);
        Tile::template dot<2, 5, 6>();
        Tile::template dot<3, 5, 7>();
      }
    }
    Tile::template store<0>(sums, sums_bytes);
    Tile::template store<1>(sums + kWords, sums_bytes);
    if constexpr (kRowTiles == 2) Tile::template store<2>(below, sums_bytes);
    if constexpr (kRowTiles == 2) Tile::template store<3>(below + kWords, sums_bytes);
  }

  // All weight rows times 32 input rows, one slice of the depth.
  static void multiply_slice(const PanelBlock& block, std::int64_t first_word,
                             const std::byte* inputs, float* sums) {
    const std::int64_t left = block.words - first_word;
    const std::int64_t words = left < kSliceWords ? left : kSliceWords;
    const bool is_first = block.is_first && first_word == 0;
    for (std::int64_t row = 0; row < block.weight_rows; row += 2 * kLines) {
      const std::byte* weights = block.panel + row * block.row_bytes + first_word * 4;
      const auto multiply =
          row + kLines < block.weight_rows ? multiply_tiles<2> : multiply_tiles<1>;
      multiply(weights, block.row_bytes, inputs, words, sums + row * block.sums_stride,
               block.sums_stride, is_first);
    }
  }

  static void multiply(const PanelBlock& block) {
    Tile::configure(tiles::kAllTilesWhole);
    for (std::int64_t word = 0; word < block.words; word += kSliceWords) {
      for (std::int64_t group = 0; group < block.groups; ++group) {
        const std::byte* inputs = block.inputs + group * block.group_bytes + word * kInputStride;
        for (std::int64_t column = 0; column < Unit::kGroup; column += 2 * kWords) {
          multiply_slice(block, word, inputs + column * 4,
                         block.sums + group * Unit::kGroup + column);
        }
      }
    }
    Tile::release();
  }
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_TILE_PANEL_PRODUCT_H_
