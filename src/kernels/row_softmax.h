// The online softmax for few rows: scores [row][key], so maximum and sums run along the lanes and
// are reduced once a row. The equations stand at SoftmaxTile.
#ifndef WHEREOF_KERNELS_ROW_SOFTMAX_H_
#define WHEREOF_KERNELS_ROW_SOFTMAX_H_

#include <cstdint>

#include "kernels/exp2.h"
#include "kernels/simd.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

// Sum of weights[begin .. end): single elements up to a whole vector, then vectors.
template <Simd S>
float sum_of_run(const float* weights, std::int64_t begin, std::int64_t end) noexcept {
  float single = 0;
  for (; begin < end && begin % S::kLanes != 0; ++begin) single += weights[begin];
  typename S::Vector sum = S::broadcast(0.0F);
  for (; begin + S::kLanes <= end; begin += S::kLanes) sum = S::add(sum, S::load(weights + begin));
  for (; begin < end; ++begin) single += weights[begin];
  return single + S::total(sum);
}

template <Simd S>
void row_softmax_tile(const RowSoftmaxTile& t) noexcept {
  using V = typename S::Vector;
  const std::int64_t key_count = t.segment_ends[t.segments - 1];
  for (std::int64_t row = 0; row < t.rows; ++row) {
    float* scores = t.scores + row * t.score_stride;
    const float old_max = t.row_max[row];
    V largest = S::broadcast(old_max);
    for (std::int64_t key = 0; key < key_count; key += S::kLanes) {
      largest = S::maximum(largest, S::load(scores + key));
    }
    const float new_max = S::largest(largest);
    const V row_max = S::broadcast(new_max);
    V sum = S::broadcast(0.0F);
    V dot = S::broadcast(0.0F);
    for (std::int64_t key = 0; key < key_count; key += S::kLanes) {
      const V below_max = S::subtract(S::load(scores + key), row_max);
      const V weight = exp2<S>(below_max);
      S::store(scores + key, weight);
      sum = S::add(sum, weight);
      dot = S::multiply_add(weight, below_max, dot);
    }
    const float shift = old_max - new_max;
    float shifted[S::kLanes];
    S::store(shifted, exp2<S>(S::broadcast(shift)));
    const float rescale = shifted[0];
    const float tile_sum = S::total(sum);
    t.row_max[row] = new_max;
    t.rescale[row] = rescale;
    t.row_dot[row] = (t.row_dot[row] + t.row_sum[row] * shift) * rescale + S::total(dot);
    t.row_sum[row] = t.row_sum[row] * rescale + tile_sum;
    if (t.segments == 1) {
      t.segment_sums[row] = tile_sum;
      continue;
    }
    std::int64_t begin = 0;
    for (std::int64_t segment = 0; segment < t.segments; ++segment) {
      t.segment_sums[segment * t.stride + row] =
          sum_of_run<S>(scores, begin, t.segment_ends[segment]);
      begin = t.segment_ends[segment];
    }
  }
}

template <Simd S>
void scale_columns(const ColumnScaling& t) noexcept {
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    const typename S::Vector factors = S::load(t.factors + column);
    for (std::int64_t row = 0; row < t.rows; ++row) {
      float* at = t.scores + row * t.stride + column;
      S::store(at, S::multiply(S::load(at), factors));
    }
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_ROW_SOFTMAX_H_
