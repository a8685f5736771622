// The prefill product of one panel of weight rows, for any instruction set.
//
//   output[t, r] = sum over k of input[t, k] * weight[r, k] + bias[r]
//
// The lanes of a vector are rows of input: inputs are packed so that one vector holds the same
// `kDepth` elements of neighbouring rows, and a weight enters as one 32-bit word broadcast to all
// lanes. Weights therefore need no transposition: a widened row lies as it is in the file. The sums
// of several depth blocks are put together in `sums`, transposed, in cache. How one depth block is
// multiplied is a parameter: RegisterTiles, or the tiles of AMX (tile_panel_product.h).
//
// A Unit offers (a word is 32 bits, kDepth elements):
//   Element, kDepth                 stored element; how many make a word
//   kWordStep                       packed and widened rows are whole steps of so many words
//   kGroup, kTileRows               input rows of a group; weight rows that are multiplied at once
//   widen(weights, row, begin, count, floats, elements)
//                                   elements [begin, begin + count) of a weight row, begin a
//                                   multiple of kChunk, padded with zeros to whole steps; floats
//                                   is room for `count` floats and a step
//   pack(input, stride, rows, columns, elements)
//                                   one group: [word][row of group][kDepth], zeros where no row is
//   write_output(sums, sums_stride, input_rows, weight_rows, output)
//                                   the transposed sums, and the bias
// and for RegisterTiles, whose tile of kTileRows weights by kVectors vectors stays in registers
// over a depth block:
//   Vector, Words, kLanes, kVectors accumulators of kLanes floats, words of as many input rows
//   zero(), load(floats), store(floats, v), load_words(p), broadcast(p), multiply_add(c, w, x)
#ifndef WHEREOF_LINEAR_PANEL_PRODUCT_H_
#define WHEREOF_LINEAR_PANEL_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linear/linear_kernels.h"
#include "linear/unpack.h"

namespace whereof::linear {

// widen, pack and write_output for units whose element is a float, in plain C++.
template <std::int64_t kRows>
struct PlainPanels {
  static constexpr std::int64_t kGroup = kRows;
  static constexpr std::int64_t kWordStep = 1;

  static void widen(const WeightRows& weights, std::int64_t row, std::int64_t begin,
                    std::int64_t count, float*, float* elements) {
    widen_row(weights.type, weights.data + row * weights.row_bytes, weights.columns, begin, count,
              elements);
  }

  static void pack(const float* input, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                   float* elements) {
    for (std::int64_t k = 0; k < columns; ++k) {
      for (std::int64_t row = 0; row < kGroup; ++row) {
        elements[k * kGroup + row] = row < rows ? input[row * stride + k] : 0.0F;
      }
    }
  }

  static void write_output(const float* sums, std::int64_t sums_stride, std::int64_t input_rows,
                           std::int64_t weight_rows, const OutputRows& output) {
    for (std::int64_t t = 0; t < input_rows; ++t) {
      float* out = output.data + t * output.stride;
      for (std::int64_t r = 0; r < weight_rows; ++r) {
        out[r] = sums[r * sums_stride + t] + (output.bias != nullptr ? output.bias[r] : 0.0F);
      }
    }
  }
};

// One depth block of a panel: sums [weight row][input row] (+)= panel times inputs.
struct PanelBlock {
  const std::byte* panel = nullptr;  // [weight row][kDepthBlock elements]
  std::int64_t row_bytes = 0;
  std::int64_t weight_rows = 0;       // whole tiles of rows are there, the last ones zero
  const std::byte* inputs = nullptr;  // the first group's words, [word][row of group]
  std::int64_t group_bytes = 0;       // from a group to the next
  std::int64_t groups = 0;
  std::int64_t words = 0;
  float* sums = nullptr;
  std::int64_t sums_stride = 0;
  bool is_first = false;  // the sums begin with this block
};

template <typename Unit>
struct RegisterTiles {
  using Vector = typename Unit::Vector;

  // sums [kTileRows][kGroup] += weights [kTileRows][words] times inputs [words][kGroup].
  static void multiply_tile(const PanelBlock& block, const std::byte* weights,
                            const std::byte* inputs, float* sums) {
    Vector c[Unit::kTileRows][Unit::kVectors];
    for (int r = 0; r < Unit::kTileRows; ++r) {
      for (int v = 0; v < Unit::kVectors; ++v) {
        c[r][v] = block.is_first ? Unit::zero()
                                 : Unit::load(sums + r * block.sums_stride + v * Unit::kLanes);
      }
    }
    // Known here, so that the broadcasts need no pointer for each row.
    constexpr std::int64_t kRowBytes =
        kDepthBlock * static_cast<std::int64_t>(sizeof(typename Unit::Element));
    for (std::int64_t word = 0; word < block.words; ++word) {
      typename Unit::Words x[Unit::kVectors];
      for (int v = 0; v < Unit::kVectors; ++v) {
        x[v] = Unit::load_words(inputs + (word * Unit::kGroup + v * Unit::kLanes) * 4);
      }
      for (int r = 0; r < Unit::kTileRows; ++r) {
        const typename Unit::Words w = Unit::broadcast(weights + r * kRowBytes + word * 4);
        for (int v = 0; v < Unit::kVectors; ++v) c[r][v] = Unit::multiply_add(c[r][v], w, x[v]);
      }
    }
    for (int r = 0; r < Unit::kTileRows; ++r) {
      for (int v = 0; v < Unit::kVectors; ++v) {
        Unit::store(sums + r * block.sums_stride + v * Unit::kLanes, c[r][v]);
      }
    }
  }

  static void multiply(const PanelBlock& block) {
    for (std::int64_t group = 0; group < block.groups; ++group) {
      for (std::int64_t row = 0; row < block.weight_rows; row += Unit::kTileRows) {
        multiply_tile(block, block.panel + row * block.row_bytes,
                      block.inputs + group * block.group_bytes,
                      block.sums + row * block.sums_stride + group * Unit::kGroup);
      }
    }
  }
};

template <typename Unit, typename Tiles = RegisterTiles<Unit>>
struct PanelProduct {
  using Element = typename Unit::Element;
  static constexpr std::int64_t kGroup = Unit::kGroup;
  static_assert(kPanelRows % Unit::kTileRows == 0);

  static std::int64_t words_of(std::int64_t columns) {
    constexpr std::int64_t kStep = Unit::kDepth * Unit::kWordStep;
    return (columns + kStep - 1) / kStep * Unit::kWordStep;
  }

  static std::int64_t group_bytes(std::int64_t columns) noexcept {
    return words_of(columns) * kGroup * 4;
  }

  // packed [word][row of group][kDepth].
  static void pack_group(const float* input, std::int64_t stride, std::int64_t rows,
                         std::int64_t columns, std::byte* packed) noexcept {
    Unit::pack(input, stride, rows, columns, reinterpret_cast<Element*>(packed));
  }

  static std::int64_t padded_rows(std::int64_t input_rows) {
    return (input_rows + kGroup - 1) / kGroup * kGroup;
  }

  // The widened panel, one row widened to float, the sums.
  static std::int64_t panel_scratch_bytes(std::int64_t input_rows) noexcept {
    return kPanelRows * kDepthBlock * static_cast<std::int64_t>(sizeof(Element)) +
           (kDepthBlock + 16) * 4 + kPanelRows * padded_rows(input_rows) * 4;
  }

  // Widens [begin, begin + count) of every row of the panel; rows that are not there become zeros.
  static void widen_panel(const WeightRows& weights, std::int64_t begin, std::int64_t count,
                          float* row_floats, Element* panel) {
    for (std::int64_t row = 0; row < weights.count; ++row) {
      Unit::widen(weights, row, begin, count, row_floats, panel + row * kDepthBlock);
    }
    for (std::int64_t row = weights.count; row % Unit::kTileRows != 0; ++row) {
      std::memset(panel + row * kDepthBlock, 0, sizeof(Element) * kDepthBlock);
    }
  }

  static void multiply_panel(const WeightRows& weights, const std::byte* packed,
                             std::int64_t input_rows, const OutputRows& output,
                             std::byte* scratch) noexcept {
    auto* panel = reinterpret_cast<Element*>(scratch);
    auto* row_floats = reinterpret_cast<float*>(panel + kPanelRows * kDepthBlock);
    float* sums = row_floats + kDepthBlock + 16;
    PanelBlock block = {
        .panel = scratch,
        .row_bytes = kDepthBlock * static_cast<std::int64_t>(sizeof(Element)),
        .weight_rows = weights.count,
        .group_bytes = group_bytes(weights.columns),
        .groups = padded_rows(input_rows) / kGroup,
        .sums = sums,
        .sums_stride = padded_rows(input_rows),
    };
    for (std::int64_t begin = 0; begin < weights.columns; begin += kDepthBlock) {
      const std::int64_t left = weights.columns - begin;
      const std::int64_t count = left < kDepthBlock ? left : kDepthBlock;
      widen_panel(weights, begin, count, row_floats, panel);
      block.inputs = packed + begin / Unit::kDepth * kGroup * 4;
      block.words = words_of(count);
      block.is_first = begin == 0;
      Tiles::multiply(block);
    }
    Unit::write_output(sums, block.sums_stride, input_rows, weights.count, output);
  }
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_PANEL_PRODUCT_H_
