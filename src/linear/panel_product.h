// The prefill product of one panel of weight rows, for any instruction set.
//
//   output[t, r] = sum over k of input[t, k] * weight[r, k] + bias[r]
//
// The lanes of a vector are rows of input: inputs are packed so that one vector holds the same
// `kDepth` elements of neighbouring rows, and a weight enters as one 32-bit word broadcast to all
// lanes. Weights therefore need no transposition: a widened row lies as it is in the file. The tile
// of Unit::kTileRows weights by Unit::kVectors vectors stays in registers over a depth block; the
// sums of several depth blocks are put together in `sums`, transposed, in cache.
//
// A Unit offers (U = its name, W = 32-bit word of kDepth elements):
//   Element, kDepth                 stored element; how many make a word
//   Vector, kLanes                  accumulators of kLanes floats
//   kVectors, kTileRows             the register tile
//   zero(), load(floats), store(floats, v), load_words(p), broadcast(p), multiply_add(c, w, x)
//   widen(weights, row, begin, count, floats, elements)
//                                   elements [begin, begin + count) of a weight row, begin a
//                                   multiple of kChunk, padded with zeros to whole words; floats
//                                   is room for `count` floats and a word
//   pack(input, stride, rows, columns, elements)
//                                   one group: [word][row of group][kDepth], zeros where no row is
//   write_output(sums, sums_stride, input_rows, weight_rows, output)
//                                   the transposed sums, and the bias
#ifndef WHEREOF_LINEAR_PANEL_PRODUCT_H_
#define WHEREOF_LINEAR_PANEL_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linear/linear_kernels.h"
#include "linear/unpack.h"

namespace whereof::linear {

// widen, pack and write_output for units whose element is a float, in plain C++.
template <std::int64_t kGroup>
struct PlainPanels {
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

template <typename Unit>
struct PanelProduct {
  using Element = typename Unit::Element;
  using Vector = typename Unit::Vector;
  static constexpr std::int64_t kGroup = Unit::kVectors * Unit::kLanes;  // input rows of a group
  static_assert(kPanelRows % Unit::kTileRows == 0);

  static std::int64_t words_of(std::int64_t columns) {
    return (columns + Unit::kDepth - 1) / Unit::kDepth;
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

  // sums [kTileRows][kGroup] += weights [kTileRows][words] times inputs [words][kGroup].
  static void multiply_tile(const std::byte* weights, const std::byte* inputs, std::int64_t words,
                            float* sums, std::int64_t sums_stride, bool is_first) {
    Vector c[Unit::kTileRows][Unit::kVectors];
    for (int r = 0; r < Unit::kTileRows; ++r) {
      for (int v = 0; v < Unit::kVectors; ++v) {
        c[r][v] = is_first ? Unit::zero() : Unit::load(sums + r * sums_stride + v * Unit::kLanes);
      }
    }
    constexpr std::int64_t kRowBytes = kDepthBlock * static_cast<std::int64_t>(sizeof(Element));
    for (std::int64_t word = 0; word < words; ++word) {
      typename Unit::Words x[Unit::kVectors];
      for (int v = 0; v < Unit::kVectors; ++v) {
        x[v] = Unit::load_words(inputs + (word * kGroup + v * Unit::kLanes) * 4);
      }
      for (int r = 0; r < Unit::kTileRows; ++r) {
        const typename Unit::Words w = Unit::broadcast(weights + r * kRowBytes + word * 4);
        for (int v = 0; v < Unit::kVectors; ++v) c[r][v] = Unit::multiply_add(c[r][v], w, x[v]);
      }
    }
    for (int r = 0; r < Unit::kTileRows; ++r) {
      for (int v = 0; v < Unit::kVectors; ++v) {
        Unit::store(sums + r * sums_stride + v * Unit::kLanes, c[r][v]);
      }
    }
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
    const std::int64_t sums_stride = padded_rows(input_rows);
    const std::int64_t group_size = group_bytes(weights.columns);
    for (std::int64_t begin = 0; begin < weights.columns; begin += kDepthBlock) {
      const std::int64_t left = weights.columns - begin;
      const std::int64_t count = left < kDepthBlock ? left : kDepthBlock;
      widen_panel(weights, begin, count, row_floats, panel);
      for (std::int64_t group = 0; group * kGroup < input_rows; ++group) {
        const std::byte* inputs = packed + group * group_size + begin / Unit::kDepth * kGroup * 4;
        for (std::int64_t row = 0; row < weights.count; row += Unit::kTileRows) {
          multiply_tile(reinterpret_cast<const std::byte*>(panel + row * kDepthBlock), inputs,
                        words_of(count), sums + row * sums_stride + group * kGroup, sums_stride,
                        begin == 0);
        }
      }
    }
    Unit::write_output(sums, sums_stride, input_rows, weights.count, output);
  }
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_PANEL_PRODUCT_H_
