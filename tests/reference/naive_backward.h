// The oracle's gradients: every weight and its gradient written down, in code that reads like the
// formulas of whereof/attention_backward.h. Slow; linked into tests only.
#ifndef WHEREOF_TESTS_REFERENCE_NAIVE_BACKWARD_H_
#define WHEREOF_TESTS_REFERENCE_NAIVE_BACKWARD_H_

#include <cmath>
#include <cstdint>

#include "numeric/half.h"
#include "reference/naive_attention.h"

namespace whereof::reference {

template <typename T>
struct NaiveGradients {
  Array<T> query;  // shaped as what they are the gradients of
  Array<T> key;
  Array<T> value;
};

// `attention` is what naive_attention gave for the same arrays and options. products_are_bf16: the
// weights and the gradients of the scores are rounded before they meet rows, as code does that
// keeps everything but its sums in bf16.
template <typename T>
NaiveGradients<T> naive_backward(const Array<T>& query, const Array<T>& key, const Array<T>& value,
                                 const Naive<T>& attention, const Array<T>& grad_output,
                                 const AttentionOptions& options = {},
                                 bool products_are_bf16 = false) {
  const auto [batch, query_length, heads, head_dim] = query.shape;
  const std::int64_t key_length = key.shape[1];
  const std::int64_t group_size = heads / key.shape[2];
  const std::int64_t value_dim = value.shape[3];
  const T scale =
      options.scale ? static_cast<T>(*options.scale) : T{1} / std::sqrt(static_cast<T>(head_dim));
  const T soft_cap = static_cast<T>(options.soft_cap);
  const auto rounded = [&](T x) -> T {
    if (!products_are_bf16) return x;
    return numeric::float_of_bf16(numeric::bf16_of_float(static_cast<float>(x)));
  };
  NaiveGradients<T> grad{
      .query = Array<T>(query.shape), .key = Array<T>(key.shape), .value = Array<T>(value.shape)};
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::int64_t kv = h / group_size;
      for (std::int64_t i = 0; i < query_length; ++i) {
        T dot = 0;
        for (std::int64_t d = 0; d < value_dim; ++d) {
          dot += grad_output.at(b, i, h, d) * attention.output.at(b, i, h, d);
        }
        for (std::int64_t j = 0; j < key_length; ++j) {
          const T score = attention.scores.at(b, h, i, j);
          if (score == -std::numeric_limits<T>::infinity()) continue;  // hidden
          const T weight = std::exp(score - attention.log_sum_exp.at(b, h, i, 0));
          T grad_weight = 0;
          for (std::int64_t d = 0; d < value_dim; ++d) {
            grad_weight += grad_output.at(b, i, h, d) * value.at(b, j, kv, d);
            grad.value.at(b, j, kv, d) += rounded(weight) * grad_output.at(b, i, h, d);
          }
          const T share_of_cap = soft_cap > 0 ? score / soft_cap : T{0};  // tanh of what was capped
          const T grad_score = weight * (grad_weight - dot) * (1 - share_of_cap * share_of_cap);
          for (std::int64_t d = 0; d < head_dim; ++d) {
            grad.query.at(b, i, h, d) += scale * rounded(grad_score) * key.at(b, j, kv, d);
            grad.key.at(b, j, kv, d) += scale * rounded(grad_score) * query.at(b, i, h, d);
          }
        }
      }
    }
  }
  return grad;
}

}  // namespace whereof::reference

#endif  // WHEREOF_TESTS_REFERENCE_NAIVE_BACKWARD_H_
