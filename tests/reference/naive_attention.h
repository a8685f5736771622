// The oracle: attention with every score and weight written down, in double, in code that reads
// like the formulas of whereof/attention.h and evidence.h. Slow; linked into tests only.
#ifndef WHEREOF_TESTS_REFERENCE_NAIVE_ATTENTION_H_
#define WHEREOF_TESTS_REFERENCE_NAIVE_ATTENTION_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "numeric/half.h"
#include "whereof/attention.h"

namespace whereof::reference {

// A dense array [n0, n1, n2, n3].
template <typename T>
struct Array {
  std::array<std::int64_t, 4> shape{};
  std::vector<T> data;

  Array() = default;
  explicit Array(std::array<std::int64_t, 4> shape_in, T fill = T{})
      : shape(shape_in),
        data(static_cast<std::size_t>(shape_in[0] * shape_in[1] * shape_in[2] * shape_in[3]),
             fill) {}
  T& at(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return data[index(a, b, c, d)];
  }
  const T& at(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    return data[index(a, b, c, d)];
  }

 private:
  std::size_t index(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    return static_cast<std::size_t>(((a * shape[1] + b) * shape[2] + c) * shape[3] + d);
  }
};

// Whether query row i of sequence b sees key j, condition by condition as AttentionMask says.
bool is_visible(const AttentionMask& mask, std::int64_t b, std::int64_t i, std::int64_t j,
                std::int64_t query_length, std::int64_t key_length);

// T is the type that everything is computed in: double for the oracle, float for the plain
// implementation against whose error the kernels are measured.
template <typename T>
struct Naive {
  Array<T> scores;       // [batch, heads, query_length, key_length], -infinity where hidden
  Array<T> weights;      // likewise, 0 where hidden
  Array<T> output;       // [batch, query_length, heads, value_dim]
  Array<T> log_sum_exp;  // [batch, heads, query_length, 1]
};

// weights_are_bf16: each weight is rounded before it meets its value, as code does that keeps
// everything but its sums in bf16.
template <typename T>
Naive<T> naive_attention(const Array<T>& query, const Array<T>& key, const Array<T>& value,
                         const AttentionOptions& options = {}, bool weights_are_bf16 = false) {
  const auto [batch, query_length, heads, head_dim] = query.shape;
  const std::int64_t key_length = key.shape[1];
  const std::int64_t group_size = heads / key.shape[2];
  const std::int64_t value_dim = value.shape[3];
  const T scale =
      options.scale ? static_cast<T>(*options.scale) : T{1} / std::sqrt(static_cast<T>(head_dim));
  const T soft_cap = static_cast<T>(options.soft_cap);
  const T infinity = std::numeric_limits<T>::infinity();
  Naive<T> r{.scores = Array<T>({batch, heads, query_length, key_length}, -infinity),
             .weights = Array<T>({batch, heads, query_length, key_length}),
             .output = Array<T>({batch, query_length, heads, value_dim}),
             .log_sum_exp = Array<T>({batch, heads, query_length, 1}, -infinity)};
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = 0; i < query_length; ++i) {
        std::vector<std::int64_t> visible;
        for (std::int64_t j = 0; j < key_length; ++j) {
          if (is_visible(options.mask, b, i, j, query_length, key_length)) visible.push_back(j);
        }
        T row_max = -infinity;
        for (const std::int64_t j : visible) {
          T dot = 0;
          for (std::int64_t d = 0; d < head_dim; ++d) {
            dot += query.at(b, i, h, d) * key.at(b, j, h / group_size, d);
          }
          const T score = scale * dot;
          r.scores.at(b, h, i, j) = soft_cap > 0 ? soft_cap * std::tanh(score / soft_cap) : score;
          row_max = std::max(row_max, r.scores.at(b, h, i, j));
        }
        if (visible.empty()) continue;
        T row_sum = 0;
        for (const std::int64_t j : visible) {
          r.weights.at(b, h, i, j) = std::exp(r.scores.at(b, h, i, j) - row_max);
          row_sum += r.weights.at(b, h, i, j);
        }
        r.log_sum_exp.at(b, h, i, 0) = row_max + std::log(row_sum);
        for (const std::int64_t j : visible) {
          T& weight = r.weights.at(b, h, i, j);
          weight /= row_sum;
          if (weights_are_bf16) {
            weight = numeric::float_of_bf16(numeric::bf16_of_float(static_cast<float>(weight)));
          }
          for (std::int64_t d = 0; d < value_dim; ++d) {
            r.output.at(b, i, h, d) += weight * value.at(b, j, h / group_size, d);
          }
        }
      }
    }
  }
  return r;
}

// Evidence of one row, from its weights.
struct RowEvidence {
  double log_sum_exp = -std::numeric_limits<double>::infinity();
  double max_weight = 0;
  double entropy = 0;
  double sink_mass = 0;
  std::vector<double> span_mass;
  double unassigned_mass = 0;
};

// Evidence of every group of one head: sums over the group's rows as evidence.h says.
struct GroupEvidence {
  std::int64_t row_count = 0;
  double log_sum_exp = 0;
  double max_weight = 0;
  double entropy = 0;
  double sink_mass = 0;
  std::vector<double> span_mass;
  double unassigned_mass = 0;
  std::vector<std::pair<double, std::int64_t>> top;  // (weight, key), largest first
};

RowEvidence row_evidence(const Naive<double>& attention, const EvidenceRequest& request,
                         std::int64_t b, std::int64_t head, std::int64_t row);

std::vector<std::vector<std::int64_t>> rows_of_groups(const EvidenceRequest& request,
                                                      std::int64_t query_length);

GroupEvidence group_evidence(const Naive<double>& attention, const EvidenceRequest& request,
                             std::int64_t b, std::int64_t head,
                             const std::vector<std::int64_t>& rows);

}  // namespace whereof::reference

#endif  // WHEREOF_TESTS_REFERENCE_NAIVE_ATTENTION_H_
