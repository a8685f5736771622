// The one loop that both products of attention are: sums of outer products,
//
//   sum[row][column] += over depth: scalar[depth][row] * panel[depth][column]
//
// with `column` in the vector lanes and one scalar broadcast a row. For a block of many query rows
// these lie in the lanes, keys and values are the scalars and are read as they lie. For few rows it
// is the other way round: keys (transposed) and values lie in the lanes, query rows are the
// scalars.
#ifndef WHEREOF_KERNELS_OUTER_PRODUCT_H_
#define WHEREOF_KERNELS_OUTER_PRODUCT_H_

#include <cstdint>

#include "kernels/simd.h"

namespace whereof::kernels {

// Words are what a unit multiplies: one float, or a pair of bf16. `prefetch` walks through memory
// that is wanted next, a step of bytes each time, up to three cache lines; a step of 0 at memory
// that is at hand fetches nothing new.
template <typename Unit>
struct OuterProduct {
  const typename Unit::PanelWord* panel;  // [depth][panel_stride]
  std::int64_t panel_stride;
  const float* scalars;  // word of (depth d, row r) at d * depth_step + r * row_step
  std::int64_t row_step;
  std::int64_t depth_step;
  std::int64_t depth;
  const char* prefetch;
  std::int64_t prefetch_step;
};

template <typename Unit, int kRows, int kVectors>
struct TileSums {
  using S = typename Unit::S;
  typename S::Vector at[kRows][kVectors];

  void clear() noexcept {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) at[r][v] = S::broadcast(0.0F);
    }
  }

  void add(const OuterProduct<Unit>& p) noexcept {
    const typename Unit::PanelWord* panel = p.panel;
    const float* scalars = p.scalars;
    const char* prefetch = p.prefetch;
    const std::int64_t row_step = p.row_step;
    for (std::int64_t d = 0; d < p.depth; ++d) {
      typename S::Vector column[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) column[v] = Unit::load(panel + v * S::kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const typename S::Vector scalar = S::broadcast_from(scalars + r * row_step);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          at[r][v] = Unit::dot(column[v], scalar, at[r][v]);
        }
      }
      __builtin_prefetch(prefetch, 0, 2);
      __builtin_prefetch(prefetch + 64, 0, 2);
      __builtin_prefetch(prefetch + 128, 0, 2);
      prefetch += p.prefetch_step;
      panel += p.panel_stride;
      scalars += p.depth_step;
    }
  }
};

// One float a word.
template <Simd SimdType>
struct FloatUnit {
  using S = SimdType;
  using PanelWord = float;
  static constexpr int kElementsPerWord = 1;
  static typename S::Vector load(const float* panel) noexcept { return S::load(panel); }
  static typename S::Vector dot(typename S::Vector a, typename S::Vector b,
                                typename S::Vector sum) noexcept {
    return S::multiply_add(a, b, sum);
  }
};

// The same with a panel of bf16, widened as it is loaded.
template <Simd SimdType>
struct WideningUnit : FloatUnit<SimdType> {
  using S = SimdType;
  using PanelWord = std::uint16_t;
  static typename S::Vector load(const std::uint16_t* panel) noexcept {
    return S::load_bf16(panel);
  }
};

// Two bf16 a word.
template <PairSimd SimdType>
struct PairUnit {
  using S = SimdType;
  using PanelWord = float;
  static typename S::Vector load(const float* panel) noexcept { return S::load(panel); }
  static constexpr int kElementsPerWord = 2;
  static typename S::Vector dot(typename S::Vector a, typename S::Vector b,
                                typename S::Vector sum) noexcept {
    return S::dot_pairs(a, b, sum);
  }
};

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_OUTER_PRODUCT_H_
