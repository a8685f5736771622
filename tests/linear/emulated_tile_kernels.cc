#include "linear/emulated_tile_kernels.h"

#include <vector>

#include "emulated/emulated_tiles.h"
#include "linear/fill_linear_kernels.h"
#include "linear/panel_product.h"
#include "linear/tile_panel_product.h"
#include "numeric/half.h"

namespace whereof::tests {

using namespace linear;
namespace {

struct PlainPairPanels {
  using Element = std::uint16_t;
  static constexpr std::int64_t kDepth = 2;
  static constexpr std::int64_t kWordStep = tiles::kTileWords;
  static constexpr std::int64_t kGroup = 64;
  static constexpr int kTileRows = tiles::kTileLines;

  static std::int64_t padded(std::int64_t columns) {
    return (columns + 2 * kWordStep - 1) / (2 * kWordStep) * (2 * kWordStep);
  }

  static void widen(const WeightRows& weights, std::int64_t row, std::int64_t begin,
                    std::int64_t count, float* floats, Element* elements) {
    widen_row(weights.type, weights.data + row * weights.row_bytes, weights.columns, begin, count,
              floats);
    for (std::int64_t k = 0; k < padded(count); ++k) {
      elements[k] = k < count ? numeric::bf16_of_float(floats[k]) : Element{0};
    }
  }

  static void pack(const float* input, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                   Element* elements) {
    for (std::int64_t k = 0; k < padded(columns); ++k) {
      for (std::int64_t row = 0; row < kGroup; ++row) {
        const bool is_there = row < rows && k < columns;
        elements[(k / 2 * kGroup + row) * 2 + k % 2] =
            is_there ? numeric::bf16_of_float(input[row * stride + k]) : Element{0};
      }
    }
  }

  static void write_output(const float* sums, std::int64_t sums_stride, std::int64_t input_rows,
                           std::int64_t weight_rows, const OutputRows& output) {
    PlainPanels<kGroup>::write_output(sums, sums_stride, input_rows, weight_rows, output);
  }
};

using Tiles = PanelProduct<PlainPairPanels, UnitTiles<PlainPairPanels, emulated::EmulatedTiles>>;

constexpr LinearKernels kPlain =
    linear_kernels_with<Tiles>(InstructionSet::amx, multiply_rows_plain);

}  // namespace

#if !defined(__x86_64__)
const LinearKernels* emulated_tile_kernels_avx512() { return nullptr; }
#endif

const LinearKernels& emulated_tile_kernels() {
  return can_run(InstructionSet::avx512_bf16) ? *emulated_tile_kernels_avx512() : kPlain;
}

}  // namespace whereof::tests
