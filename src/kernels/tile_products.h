// The products of a block of many rows and a tile, forward and backward, cut into register tiles of
// the set.
#ifndef WHEREOF_KERNELS_TILE_PRODUCTS_H_
#define WHEREOF_KERNELS_TILE_PRODUCTS_H_

#include <cstdint>

#include "kernels/outer_product.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

// Calls body.run<rows, vectors>(row, column) until row_count x columns is covered: whole register
// tiles first, then one of what is left.
template <typename S, int kVectors, int kRows, typename Body>
void cover_rows(const Body& body, std::int64_t row, std::int64_t row_count,
                std::int64_t column) noexcept {
  for (; row + kRows <= row_count; row += kRows) {
    body.template run<kRows, kVectors>(row, column);
  }
  if constexpr (kRows > 1) {
    if (row < row_count) cover_rows<S, kVectors, kRows - 1>(body, row, row_count, column);
  }
}

template <typename S, int kVectors, typename Body>
void cover_columns(const Body& body, std::int64_t row_count, std::int64_t column,
                   std::int64_t columns) noexcept {
  for (; column + kVectors * S::kLanes <= columns; column += kVectors * S::kLanes) {
    cover_rows<S, kVectors, S::kTileRows>(body, 0, row_count, column);
  }
  if constexpr (kVectors > 1) {
    cover_columns<S, kVectors - 1>(body, row_count, column, columns);
  }
}

template <typename Unit>
struct ScoreBody {
  using S = typename Unit::S;
  const ScoreTile& t;

  template <int kRows, int kVectors>
  void run(std::int64_t row, std::int64_t column) const noexcept {
    TileSums<Unit, kRows, kVectors> sums;
    sums.clear();
    sums.add({.panel = t.panel + column,
              .panel_stride = t.stride,
              .scalars = t.rows + row * t.row_stride,
              .row_step = t.row_stride,
              .depth_step = 1,
              .depth = t.depth});
    const typename S::Vector factor = S::broadcast(t.factor);
    float* to = t.scores + row * t.stride + column;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        S::store(to + r * t.stride + v * S::kLanes, S::multiply(sums.at[r][v], factor));
      }
    }
  }
};

template <typename Unit>
struct ValueBody {
  using S = typename Unit::S;
  const ValueTile& t;

  template <int kRows, int kVectors>
  void run(std::int64_t row, std::int64_t column) const noexcept {
    TileSums<Unit, kRows, kVectors> sums;
    float* to = t.output + row * t.stride + column;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const typename S::Vector rescale = S::load(t.rescale + column + v * S::kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        sums.at[r][v] = S::multiply(S::load(to + r * t.stride + v * S::kLanes), rescale);
      }
    }
    sums.add({.panel = t.weights + column,
              .panel_stride = t.stride,
              .scalars = t.values + row,
              .row_step = 1,
              .depth_step = t.value_stride,
              .depth = t.key_count});
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        S::store(to + r * t.stride + v * S::kLanes, sums.at[r][v]);
      }
    }
  }
};

template <typename Unit>
struct GradientBody {
  using S = typename Unit::S;
  const GradientTile& t;

  template <int kRows, int kVectors>
  void run(std::int64_t row, std::int64_t column) const noexcept {
    TileSums<Unit, kRows, kVectors> sums;
    float* to = t.sums + row * t.sum_stride + column;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums.at[r][v] = S::load(to + r * t.sum_stride + v * S::kLanes);
      }
    }
    sums.add({.panel = t.rows + column,
              .panel_stride = t.row_stride,
              .scalars = t.weights + row * t.weight_stride,
              .row_step = t.weight_stride,
              .depth_step = 1,
              .depth = t.row_count});
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        S::store(to + r * t.sum_stride + v * S::kLanes, sums.at[r][v]);
      }
    }
  }
};

template <typename Unit>
void score_tile(const ScoreTile& t) noexcept {
  using S = typename Unit::S;
  cover_columns<S, S::kTileVectors>(ScoreBody<Unit>{t}, t.row_count, 0, t.columns);
}

template <typename Unit>
void value_tile(const ValueTile& t) noexcept {
  using S = typename Unit::S;
  cover_columns<S, S::kTileVectors>(ValueBody<Unit>{t}, t.value_dim, 0, t.columns);
}

template <typename Unit>
void gradient_tile(const GradientTile& t) noexcept {
  using S = typename Unit::S;
  cover_columns<S, S::kTileVectors>(GradientBody<Unit>{t}, t.key_count, 0, t.columns);
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_TILE_PRODUCTS_H_
