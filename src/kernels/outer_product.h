// The one loop that both products of attention are: sums of outer products,
//
//   sum[row][column] += over depth: scalar[depth][row] * panel[depth][column]
//
// with `column` in the vector lanes and one scalar broadcast a row: query rows lie in the lanes,
// keys and values are the scalars and are read as they lie.
#ifndef WHEREOF_KERNELS_OUTER_PRODUCT_H_
#define WHEREOF_KERNELS_OUTER_PRODUCT_H_

#include <cstdint>

#include "kernels/simd.h"

namespace whereof::kernels {

// Words are what a unit multiplies: one float, or a pair of bf16.
template <typename Unit>
struct OuterProduct {
  const float* panel;  // [depth][panel_stride]
  std::int64_t panel_stride;
  const float* scalars;  // word of (depth d, row r) at d * depth_step + r * row_step
  std::int64_t row_step;
  std::int64_t depth_step;
  std::int64_t depth;
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
    const float* panel = p.panel;
    const float* scalars = p.scalars;
    const std::int64_t row_step = p.row_step;
    for (std::int64_t d = 0; d < p.depth; ++d) {
      typename S::Vector column[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) column[v] = S::load(panel + v * S::kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const typename S::Vector scalar = S::broadcast_from(scalars + r * row_step);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          at[r][v] = Unit::dot(column[v], scalar, at[r][v]);
        }
      }
      panel += p.panel_stride;
      scalars += p.depth_step;
    }
  }
};

// One float a word.
template <Simd SimdType>
struct FloatUnit {
  using S = SimdType;
  static constexpr int kElementsPerWord = 1;
  static typename S::Vector dot(typename S::Vector a, typename S::Vector b,
                                typename S::Vector sum) noexcept {
    return S::multiply_add(a, b, sum);
  }
};

// Two bf16 a word.
template <PairSimd SimdType>
struct PairUnit {
  using S = SimdType;
  static constexpr int kElementsPerWord = 2;
  static typename S::Vector dot(typename S::Vector a, typename S::Vector b,
                                typename S::Vector sum) noexcept {
    return S::dot_pairs(a, b, sum);
  }
};

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_OUTER_PRODUCT_H_
