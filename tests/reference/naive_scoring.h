// The oracle of the scoring forms: every score and weight written down, forward and backward, in
// code that reads like the formulas of whereof/scoring.h. Slow; linked into tests only.
#ifndef WHEREOF_TESTS_REFERENCE_NAIVE_SCORING_H_
#define WHEREOF_TESTS_REFERENCE_NAIVE_SCORING_H_

#include <cmath>
#include <limits>

#include "reference/naive_attention.h"
#include "whereof/scoring.h"

namespace whereof::reference {

// Inputs, or the gradients with respect to them.
template <typename T>
struct ScoringArrays {
  Array<T> query;         // [batch, query_length, heads, query_dim]
  Array<T> key;           // [batch, key_length, heads, key_dim]
  Array<T> value;         // [batch, key_length, heads, value_dim]
  Array<T> weight;        // [1, heads, rows, columns]
  Array<T> key_weight;    // [1, heads, width, key_dim]
  Array<T> score_vector;  // [1, heads, 1, width]
};

// One query and one key.
struct ScoredPair {
  std::int64_t b, h, i, j;
};

template <typename T>
class NaiveScoring {
 public:
  NaiveScoring(ScoringForm form, const ScoringArrays<T>& inputs, bool is_causal)
      : form_(form), in_(inputs) {
    const auto [batch, query_length, heads, query_dim] = in_.query.shape;
    const std::int64_t key_length = in_.key.shape[1];
    const std::int64_t value_dim = in_.value.shape[3];
    const T infinity = std::numeric_limits<T>::infinity();
    weights = Array<T>({batch, heads, query_length, key_length});
    output = Array<T>({batch, query_length, heads, value_dim});
    log_sum_exp = Array<T>({batch, heads, query_length, 1}, -infinity);
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t h = 0; h < heads; ++h) {
        for (std::int64_t i = 0; i < query_length; ++i) {
          const std::int64_t visible =
              is_causal ? std::clamp<std::int64_t>(key_length - query_length + i + 1, 0, key_length)
                        : key_length;
          softmax_of_row(b, h, i, visible);
          for (std::int64_t j = 0; j < visible; ++j) {
            for (std::int64_t d = 0; d < value_dim; ++d) {
              output.at(b, i, h, d) += weights.at(b, h, i, j) * in_.value.at(b, j, h, d);
            }
          }
        }
      }
    }
  }

  ScoringArrays<T> backward(const Array<T>& grad_output) const {
    ScoringArrays<T> grad{Array<T>(in_.query.shape),      Array<T>(in_.key.shape),
                          Array<T>(in_.value.shape),      Array<T>(in_.weight.shape),
                          Array<T>(in_.key_weight.shape), Array<T>(in_.score_vector.shape)};
    const auto [batch, heads, query_length, key_length] = weights.shape;
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t h = 0; h < heads; ++h) {
        for (std::int64_t i = 0; i < query_length; ++i) {
          std::vector<T> grad_weight(static_cast<std::size_t>(key_length));
          T mean = 0;
          for (std::int64_t j = 0; j < key_length; ++j) {
            T& p = grad_weight[static_cast<std::size_t>(j)];
            for (std::int64_t d = 0; d < in_.value.shape[3]; ++d) {
              p += grad_output.at(b, i, h, d) * in_.value.at(b, j, h, d);
              grad.value.at(b, j, h, d) += weights.at(b, h, i, j) * grad_output.at(b, i, h, d);
            }
            mean += weights.at(b, h, i, j) * p;
          }
          for (std::int64_t j = 0; j < key_length; ++j) {
            const T g = weights.at(b, h, i, j) * (grad_weight[static_cast<std::size_t>(j)] - mean);
            score_backward({b, h, i, j}, g, grad);
          }
        }
      }
    }
    return grad;
  }

  Array<T> weights;      // [batch, heads, query_length, key_length], 0 where hidden
  Array<T> output;       // [batch, query_length, heads, value_dim]
  Array<T> log_sum_exp;  // [batch, heads, query_length, 1]

 private:
  std::int64_t query_dim() const { return in_.query.shape[3]; }
  std::int64_t key_dim() const { return in_.key.shape[3]; }
  std::int64_t width() const { return in_.score_vector.shape[3]; }

  // Element c of [q; k], and of the row of the weights that it meets.
  T joined(const ScoredPair& p, std::int64_t c) const {
    return c < query_dim() ? in_.query.at(p.b, p.i, p.h, c)
                           : in_.key.at(p.b, p.j, p.h, c - query_dim());
  }
  bool is_of_key_weight(std::int64_t c) const {
    return form_ == ScoringForm::additive && c >= query_dim();
  }
  T joined_weight(std::int64_t h, std::int64_t w, std::int64_t c) const {
    return is_of_key_weight(c) ? in_.key_weight.at(0, h, w, c - query_dim())
                               : in_.weight.at(0, h, w, c);
  }
  // tanh of row w of W [q; k] or W q + U k
  T hidden(const ScoredPair& p, std::int64_t w) const {
    T sum = 0;
    for (std::int64_t c = 0; c < query_dim() + key_dim(); ++c) {
      sum += joined_weight(p.h, w, c) * joined(p, c);
    }
    return std::tanh(sum);
  }

  T score(const ScoredPair& p) const {
    T sum = 0;
    if (form_ == ScoringForm::dot) {
      for (std::int64_t d = 0; d < query_dim(); ++d) {
        sum += in_.query.at(p.b, p.i, p.h, d) * in_.key.at(p.b, p.j, p.h, d);
      }
    } else if (form_ == ScoringForm::general) {
      for (std::int64_t e = 0; e < key_dim(); ++e) {
        T projected = 0;
        for (std::int64_t d = 0; d < query_dim(); ++d) {
          projected += in_.weight.at(0, p.h, e, d) * in_.query.at(p.b, p.i, p.h, d);
        }
        sum += projected * in_.key.at(p.b, p.j, p.h, e);
      }
    } else {
      for (std::int64_t w = 0; w < width(); ++w) {
        sum += in_.score_vector.at(0, p.h, 0, w) * hidden(p, w);
      }
    }
    return sum;
  }

  // Adds g times the derivatives of the score of p.
  void score_backward(const ScoredPair& p, T g, ScoringArrays<T>& grad) const {
    if (form_ == ScoringForm::dot) {
      for (std::int64_t d = 0; d < query_dim(); ++d) {
        grad.query.at(p.b, p.i, p.h, d) += g * in_.key.at(p.b, p.j, p.h, d);
        grad.key.at(p.b, p.j, p.h, d) += g * in_.query.at(p.b, p.i, p.h, d);
      }
    } else if (form_ == ScoringForm::general) {
      for (std::int64_t e = 0; e < key_dim(); ++e) {
        for (std::int64_t d = 0; d < query_dim(); ++d) {
          const T q = in_.query.at(p.b, p.i, p.h, d);
          const T k = in_.key.at(p.b, p.j, p.h, e);
          const T weight = in_.weight.at(0, p.h, e, d);
          grad.query.at(p.b, p.i, p.h, d) += g * weight * k;
          grad.key.at(p.b, p.j, p.h, e) += g * weight * q;
          grad.weight.at(0, p.h, e, d) += g * k * q;
        }
      }
    } else {
      for (std::int64_t w = 0; w < width(); ++w) tanh_backward(p, w, g, grad);
    }
  }

  void tanh_backward(const ScoredPair& p, std::int64_t w, T g, ScoringArrays<T>& grad) const {
    const T h = hidden(p, w);
    grad.score_vector.at(0, p.h, 0, w) += g * h;
    const T inner = g * in_.score_vector.at(0, p.h, 0, w) * (1 - h * h);
    for (std::int64_t c = 0; c < query_dim() + key_dim(); ++c) {
      T& grad_weight = is_of_key_weight(c) ? grad.key_weight.at(0, p.h, w, c - query_dim())
                                           : grad.weight.at(0, p.h, w, c);
      T& grad_joined = c < query_dim() ? grad.query.at(p.b, p.i, p.h, c)
                                       : grad.key.at(p.b, p.j, p.h, c - query_dim());
      grad_weight += inner * joined(p, c);
      grad_joined += inner * joined_weight(p.h, w, c);
    }
  }

  void softmax_of_row(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t visible) {
    if (visible == 0) return;
    T row_max = -std::numeric_limits<T>::infinity();
    for (std::int64_t j = 0; j < visible; ++j) {
      weights.at(b, h, i, j) = score({b, h, i, j});
      row_max = std::max(row_max, weights.at(b, h, i, j));
    }
    T row_sum = 0;
    for (std::int64_t j = 0; j < visible; ++j) {
      weights.at(b, h, i, j) = std::exp(weights.at(b, h, i, j) - row_max);
      row_sum += weights.at(b, h, i, j);
    }
    for (std::int64_t j = 0; j < visible; ++j) weights.at(b, h, i, j) /= row_sum;
    log_sum_exp.at(b, h, i, 0) = row_max + std::log(row_sum);
  }

  ScoringForm form_;
  const ScoringArrays<T>& in_;
};

}  // namespace whereof::reference

#endif  // WHEREOF_TESTS_REFERENCE_NAIVE_SCORING_H_
