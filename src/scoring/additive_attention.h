// Attention with the score v . tanh(a_i + b_j) of projected queries a and keys b, a head at a time:
//
//   s_ij = v . tanh(a_i + b_j),  w_i = softmax(s_i),  output_i = sum_j w_ij value_j
//
// (Bahdanau, Cho and Bengio 2014, arXiv 1409.0473), with the online softmax of arXiv 1805.02867
// over tiles of keys. Exact up to rounding; [query_length, key_length] is never held.
#ifndef WHEREOF_SCORING_ADDITIVE_ATTENTION_H_
#define WHEREOF_SCORING_ADDITIVE_ATTENTION_H_

#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "kernels/kernel_set.h"
#include "scoring/head_rows.h"
#include "whereof/tensor_view.h"

namespace whereof::scoring {

struct AdditiveProblem {
  const HeadRows& queries;       // a: [batch, heads, query_length, width]
  const HeadRows& keys;          // b: [batch, heads, key_length, width]
  ConstTensorView value;         // [batch, key_length, heads, value_dim]
  ConstTensorView score_vector;  // v: [1, heads, 1, width]
  std::int64_t query_length = 0;
  bool is_causal = false;
  int threads = 0;
  std::stop_token stop;

  std::int64_t batch() const noexcept { return value.shape[0]; }
  std::int64_t key_length() const noexcept { return value.shape[1]; }
  std::int64_t heads() const noexcept { return value.shape[2]; }
  std::int64_t value_dim() const noexcept { return value.shape[3]; }
  std::int64_t width() const noexcept { return score_vector.shape[3]; }
  // How many first keys query row i sees.
  std::int64_t visible_keys(std::int64_t i) const noexcept {
    if (!is_causal) return key_length();
    return std::clamp<std::int64_t>(key_length() - query_length + i + 1, 0, key_length());
  }
};

// output       [batch, query_length, heads, value_dim]
// log_sum_exp  [batch, heads, query_length], or null
void additive_forward(const kernels::KernelSet& kernels, const AdditiveProblem& problem,
                      const TensorView& output, float* log_sum_exp);

struct AdditiveGradients {
  HeadRows queries;
  HeadRows keys;
};

// grad_value and grad_score_vector are overwritten.
AdditiveGradients additive_backward(const kernels::KernelSet& kernels,
                                    const AdditiveProblem& problem, const ConstTensorView& output,
                                    const float* log_sum_exp, const ConstTensorView& grad_output,
                                    const TensorView& grad_value,
                                    const TensorView& grad_score_vector);

}  // namespace whereof::scoring

#endif  // WHEREOF_SCORING_ADDITIVE_ATTENTION_H_
