// The online softmax of a tile (Milakov and Gimelshein 2018, arXiv 1805.02867), in base 2, with
// what evidence needs in the same pass. Rows lie in lanes, so maximum, sums and rescaling are
// vertical. The equations stand at SoftmaxTile; all are exact up to rounding but for exp2 (exp2.h).
#ifndef WHEREOF_KERNELS_SOFTMAX_TILE_H_
#define WHEREOF_KERNELS_SOFTMAX_TILE_H_

#include <cstdint>

#include "kernels/exp2.h"
#include "kernels/simd.h"
#include "kernels/tanh.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

// Where the weights of a vector of rows go: each to the place of its score,
template <Simd S>
struct FloatWeights {
  using V = typename S::Vector;
  float* scores;
  std::int64_t stride;

  void put_even(std::int64_t key, V weight) noexcept { S::store(scores + key * stride, weight); }
  void put_odd(std::int64_t key, V weight) noexcept { S::store(scores + key * stride, weight); }
  void finish(std::int64_t) noexcept {}
};

// or as pairs of bf16, words [pair of keys][row] from the first key's place on; the partner of an
// odd last key is zero.
template <PairSimd S>
struct PairWeights {
  using V = typename S::Vector;
  float* scores;
  std::int64_t stride;
  V even = S::broadcast(0.0F);

  void put_even(std::int64_t, V weight) noexcept { even = weight; }
  void put_odd(std::int64_t key, V weight) noexcept {
    S::store(scores + key / 2 * stride, S::pairs_of(even, weight));
  }
  void finish(std::int64_t key_count) noexcept {
    if (key_count % 2 == 1) put_odd(key_count, S::broadcast(0.0F));
  }
};

// What a vector of rows gathers over the keys of a tile. Even and odd keys have sums of their own,
// so that neighbours need not wait for each other.
template <Simd S>
struct KeySums {
  using V = typename S::Vector;
  const float* scores;
  std::int64_t stride;
  V row_max;
  V segment[2] = {S::broadcast(0.0F), S::broadcast(0.0F)};
  V dot[2] = {S::broadcast(0.0F), S::broadcast(0.0F)};

  void find_maximum(std::int64_t key_count) noexcept {
    V odd_max = row_max;
    std::int64_t key = 0;
    for (; key + 1 < key_count; key += 2) {
      row_max = S::maximum(row_max, S::load(scores + key * stride));
      odd_max = S::maximum(odd_max, S::load(scores + (key + 1) * stride));
    }
    if (key < key_count) row_max = S::maximum(row_max, S::load(scores + key * stride));
    row_max = S::maximum(row_max, odd_max);
  }
  template <int kParity>
  V weigh(std::int64_t key) noexcept {
    const V below_max = S::subtract(S::load(scores + key * stride), row_max);
    const V weight = exp2<S>(below_max);
    segment[kParity] = S::add(segment[kParity], weight);
    dot[kParity] = S::multiply_add(weight, below_max, dot[kParity]);
    return weight;
  }
  V end_segment() noexcept {
    const V sum = S::add(segment[0], segment[1]);
    segment[0] = segment[1] = S::broadcast(0.0F);
    return sum;
  }
};

template <Simd S, typename Weights>
void softmax_columns(const SoftmaxTile& t, std::int64_t column) noexcept {
  using V = typename S::Vector;
  const std::int64_t key_count = t.segment_ends[t.segments - 1];
  const V old_max = S::load(t.row_max + column);
  KeySums<S> sums{.scores = t.scores + column, .stride = t.stride, .row_max = old_max};
  sums.find_maximum(key_count);
  Weights weights{.scores = t.scores + column, .stride = t.stride};
  V sum = S::broadcast(0.0F);
  std::int64_t key = 0;
  for (std::int64_t segment = 0; segment < t.segments; ++segment) {
    const std::int64_t end = t.segment_ends[segment];
    if (key % 2 == 1 && key < end) {
      weights.put_odd(key, sums.template weigh<1>(key));
      ++key;
    }
    for (; key + 1 < end; key += 2) {
      const V even = sums.template weigh<0>(key);
      const V odd = sums.template weigh<1>(key + 1);
      weights.put_even(key, even);
      weights.put_odd(key + 1, odd);
    }
    if (key < end) {
      weights.put_even(key, sums.template weigh<0>(key));
      ++key;
    }
    const V segment_sum = sums.end_segment();
    S::store(t.segment_sums + segment * t.stride + column, segment_sum);
    sum = S::add(sum, segment_sum);
  }
  weights.finish(key_count);
  const V shift = S::subtract(old_max, sums.row_max);
  const V rescale = exp2<S>(shift);
  const V old_sum = S::load(t.row_sum + column);
  const V old_dot = S::multiply_add(old_sum, shift, S::load(t.row_dot + column));
  S::store(t.row_max + column, sums.row_max);
  S::store(t.rescale + column, rescale);
  S::store(t.row_sum + column, S::multiply_add(old_sum, rescale, sum));
  S::store(t.row_dot + column, S::multiply_add(old_dot, rescale, S::add(sums.dot[0], sums.dot[1])));
}

template <Simd S, typename Weights>
void softmax_tile(const SoftmaxTile& t) noexcept {
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    softmax_columns<S, Weights>(t, column);
  }
}

template <Simd S>
void cap_tile(const CapTile& t) noexcept {
  const typename S::Vector factor = S::broadcast(t.factor);
  for (std::int64_t line = 0; line < t.lines; ++line) {
    for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
      float* at = t.scores + line * t.stride + column;
      S::store(at, S::multiply(tanh<S>(S::load(at)), factor));
    }
  }
}

template <Simd S>
void mask_tile(const MaskTile& t) noexcept {
  const typename S::Vector masked = S::broadcast(kMaskedScore);
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    const typename S::Vector sinks_begin = S::load(t.sinks_begin + column);
    const typename S::Vector sinks_end = S::load(t.sinks_end + column);
    const typename S::Vector begin = S::load(t.begin + column);
    const typename S::Vector end = S::load(t.end + column);
    for (std::int64_t key = 0; key < t.key_count; ++key) {
      float* at = t.scores + key * t.stride + column;
      const typename S::Vector position = S::broadcast(static_cast<float>(key));
      const typename S::Vector score = S::load(at);
      const typename S::Vector until_end = S::select_less(position, end, score, masked);
      const typename S::Vector run = S::select_less(position, begin, masked, until_end);
      const typename S::Vector sink = S::select_less(position, sinks_begin, masked, score);
      S::store(at, S::select_less(position, sinks_end, sink, run));
    }
  }
}

template <Simd S>
void add_to_bin(const BinAddition& a) noexcept {
  for (std::int64_t column = 0; column < a.columns; column += S::kLanes) {
    const typename S::Vector row_max = S::load(a.row_max + column);
    const typename S::Vector rescale = exp2<S>(S::subtract(S::load(a.bin_max + column), row_max));
    S::store(a.bin_sum + column,
             S::multiply_add(S::load(a.bin_sum + column), rescale, S::load(a.amount + column)));
    S::store(a.bin_max + column, row_max);
  }
}

template <Simd S>
void mass_of_bin(const BinMass& b) noexcept {
  const typename S::Vector zero = S::broadcast(0.0F);
  for (std::int64_t column = 0; column < b.columns; column += S::kLanes) {
    const typename S::Vector rescale =
        exp2<S>(S::subtract(S::load(b.bin_max + column), S::load(b.row_max + column)));
    const typename S::Vector row_sum = S::load(b.row_sum + column);
    const typename S::Vector mass =
        S::divide(S::multiply(S::load(b.bin_sum + column), rescale), row_sum);
    // A row without keys has no mass; a row of NaN compares false and stays NaN.
    S::store(b.mass + column, S::select_less(row_sum, S::broadcast(1.0e-38F), zero, mass));
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_SOFTMAX_TILE_H_
