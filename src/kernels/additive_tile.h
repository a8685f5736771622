// Additive scores of a tile and their gradients; the equations stand at AdditiveTile and
// AdditiveGradientTile. Rows lie in lanes, and one tanh is taken for each (row, key, width): it is
// what an additive score costs, some twenty operations where a product takes one.
#ifndef WHEREOF_KERNELS_ADDITIVE_TILE_H_
#define WHEREOF_KERNELS_ADDITIVE_TILE_H_

#include <cstdint>

#include "kernels/simd.h"
#include "kernels/tanh.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

// kKeys independent sums, so that the latency of tanh is hidden.
template <Simd S, int kKeys>
void additive_scores(const AdditiveTile& t, std::int64_t key, std::int64_t column) noexcept {
  using V = typename S::Vector;
  const float* keys = t.keys + key * t.key_stride;
  V sums[kKeys];
#pragma GCC unroll 4
  for (int k = 0; k < kKeys; ++k) sums[k] = S::broadcast(0.0F);
  for (std::int64_t w = 0; w < t.width; ++w) {
    const V query = S::load(t.queries + w * t.stride + column);
    const V weight = S::broadcast_from(t.vector + w);
#pragma GCC unroll 4
    for (int k = 0; k < kKeys; ++k) {
      const V sum = S::add(query, S::broadcast_from(keys + k * t.key_stride + w));
      sums[k] = S::multiply_add(weight, tanh<S>(sum), sums[k]);
    }
  }
  const V factor = S::broadcast(t.factor);
#pragma GCC unroll 4
  for (int k = 0; k < kKeys; ++k) {
    S::store(t.scores + (key + k) * t.stride + column, S::multiply(sums[k], factor));
  }
}

template <Simd S>
void additive_tile(const AdditiveTile& t) noexcept {
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    std::int64_t key = 0;
    for (; key + 4 <= t.key_count; key += 4) additive_scores<S, 4>(t, key, column);
    for (; key < t.key_count; ++key) additive_scores<S, 1>(t, key, column);
  }
}

template <Simd S>
void additive_gradient_tile(const AdditiveGradientTile& t) noexcept {
  using V = typename S::Vector;
  const V one = S::broadcast(1.0F);
  for (std::int64_t w = 0; w < t.width; ++w) {
    const float* queries = t.queries + w * t.stride;
    float* query_gradient = t.query_gradient + w * t.stride;
    const V weight = S::broadcast_from(t.vector + w);
    V vector_sum = S::broadcast(0.0F);
    for (std::int64_t key = 0; key < t.key_count; ++key) {
      const V of_key = S::broadcast_from(t.keys + key * t.key_stride + w);
      const float* score_gradient = t.score_gradient + key * t.stride;
      V key_sum = S::broadcast(0.0F);
      for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
        const V value = tanh<S>(S::add(S::load(queries + column), of_key));
        const V gradient = S::load(score_gradient + column);
        vector_sum = S::multiply_add(gradient, value, vector_sum);
        const V slope = S::subtract(one, S::multiply(value, value));
        const V inner = S::multiply(S::multiply(gradient, weight), slope);
        key_sum = S::add(key_sum, inner);
        S::store(query_gradient + column, S::add(S::load(query_gradient + column), inner));
      }
      t.key_gradient[key * t.key_stride + w] += S::total(key_sum);
    }
    t.vector_gradient[w] += S::total(vector_sum);
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_ADDITIVE_TILE_H_
