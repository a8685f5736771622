// Weights and gradients of the scores of a tile, from its scores and the gradients of its weights
// (Dao 2023, arXiv 2307.08691, algorithm 2). The equations stand at SoftmaxGradientTile; all are
// exact up to rounding but for exp2 (exp2.h). Rows lie in lanes.
#ifndef WHEREOF_KERNELS_SOFTMAX_GRADIENT_H_
#define WHEREOF_KERNELS_SOFTMAX_GRADIENT_H_

#include <cstdint>

#include "kernels/exp2.h"
#include "kernels/simd.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

template <Simd S>
struct WeightAndGradient {
  typename S::Vector weight;
  typename S::Vector gradient;
};

// Of one key and the rows of one vector.
template <Simd S>
struct SoftmaxGradientColumn {
  using V = typename S::Vector;
  V log_sum_exp;
  V rest;
  V dot;
  V inverse_cap;

  SoftmaxGradientColumn(const SoftmaxGradientTile& t, std::int64_t column) noexcept
      : log_sum_exp(S::load(t.log_sum_exp + column)),
        rest(S::load(t.rest + column)),
        dot(S::load(t.dot + column)),
        inverse_cap(S::broadcast(t.inverse_cap)) {}

  // A hidden score is chosen away, not multiplied by zero: a row that is not a number must not
  // reach keys that it does not see.
  WeightAndGradient<S> of(const float* scores, const float* gradients) const noexcept {
    const V zero = S::broadcast(0.0F);
    const V hidden = S::broadcast(kHiddenBelow);
    const V score = S::load(scores);
    const V weight = exp2<S>(S::subtract(S::subtract(score, log_sum_exp), rest));
    const V capped = S::multiply(score, inverse_cap);
    const V change = S::multiply(S::subtract(S::load(gradients), dot), weight);
    const V gradient = S::subtract(change, S::multiply(S::multiply(capped, capped), change));
    return {.weight = S::select_less(score, hidden, zero, weight),
            .gradient = S::select_less(score, hidden, zero, gradient)};
  }

 private:
  static constexpr float kHiddenBelow = -1.0e38F;  // between any true score and kMaskedScore
};

template <Simd S>
void softmax_gradient_tile(const SoftmaxGradientTile& t) noexcept {
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    const SoftmaxGradientColumn<S> rows(t, column);
    for (std::int64_t key = 0; key < t.key_count; ++key) {
      float* const score = t.scores + key * t.stride + column;
      float* const gradient = t.gradients + key * t.stride + column;
      const WeightAndGradient<S> both = rows.of(score, gradient);
      S::store(score, both.weight);
      S::store(gradient, both.gradient);
    }
  }
}

// Lines become half as long in place: a line's halves are written behind where it is read.
template <PairSimd S>
void softmax_gradient_pairs(const SoftmaxGradientTile& t) noexcept {
  const auto line = [&](float* array, std::int64_t key, std::int64_t column) {
    return reinterpret_cast<std::uint16_t*>(array + key * t.stride) + column;
  };
  for (std::int64_t column = 0; column < t.columns; column += S::kLanes) {
    const SoftmaxGradientColumn<S> rows(t, column);
    const auto convert = [&](std::int64_t key) {
      const std::int64_t at = key * t.stride + column;
      const WeightAndGradient<S> both = rows.of(t.scores + at, t.gradients + at);
      S::store_bf16(line(t.scores, key, column), both.weight);
      S::store_bf16(line(t.gradients, key, column), both.gradient);
      return both.gradient;
    };
    for (std::int64_t key = 0; key < t.key_count; key += 2) {
      const typename S::Vector low = convert(key);
      const typename S::Vector high = key + 1 < t.key_count ? convert(key + 1) : S::broadcast(0.0F);
      S::store(t.gradient_columns + key / 2 * t.stride + column, S::pairs_of(low, high));
    }
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_SOFTMAX_GRADIENT_H_
