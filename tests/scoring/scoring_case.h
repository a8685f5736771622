// A random call of scoring_forward and scoring_backward: tensors that lie apart between guard
// bytes, and the same numbers for the oracle.
#ifndef WHEREOF_TESTS_SCORING_SCORING_CASE_H_
#define WHEREOF_TESTS_SCORING_SCORING_CASE_H_

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "attention/attention_case.h"
#include "reference/naive_scoring.h"
#include "whereof/scoring.h"

namespace whereof::scoring_test {

using attention_test::name_of_set;

using attention_test::GuardedTensor;
using attention_test::rms_difference;

constexpr ScoringForm kForms[] = {ScoringForm::dot, ScoringForm::general, ScoringForm::concat,
                                  ScoringForm::additive};

struct ScoringShape {
  ScoringForm form = ScoringForm::additive;
  std::int64_t batch = 1;
  std::int64_t query_length = 1;
  std::int64_t key_length = 1;
  std::int64_t heads = 1;
  std::int64_t query_dim = 8;
  std::int64_t key_dim = 8;
  std::int64_t value_dim = 8;
  std::int64_t width = 8;
  float spread = 1;  // of queries and keys

  std::string text() const {
    return std::string(name_of(form)) + " b" + std::to_string(batch) + " q" +
           std::to_string(query_length) + " k" + std::to_string(key_length) + " h" +
           std::to_string(heads) + " d" + std::to_string(query_dim) + "/" +
           std::to_string(key_dim) + "/" + std::to_string(value_dim) + " w" + std::to_string(width);
  }
  bool has_weight() const { return form != ScoringForm::dot; }
  bool has_key_weight() const { return form == ScoringForm::additive; }
  bool has_vector() const { return form == ScoringForm::concat || form == ScoringForm::additive; }
  // The shapes of query, key, value, weight, key_weight and score_vector; empty where not taken.
  std::array<std::array<std::int64_t, 4>, 6> tensors() const {
    const std::array<std::int64_t, 4> none{};
    const std::int64_t rows = form == ScoringForm::general ? key_dim : width;
    const std::int64_t columns = form == ScoringForm::concat ? query_dim + key_dim : query_dim;
    using Shape = std::array<std::int64_t, 4>;
    return {{{batch, query_length, heads, query_dim},
             {batch, key_length, heads, form == ScoringForm::dot ? query_dim : key_dim},
             {batch, key_length, heads, value_dim},
             has_weight() ? Shape{1, heads, rows, columns} : none,
             has_key_weight() ? Shape{1, heads, width, key_dim} : none,
             has_vector() ? Shape{1, heads, 1, width} : none}};
  }
};

// query, key, value, weight, key_weight, score_vector
class TensorSet {
 public:
  explicit TensorSet(const ScoringShape& shape) {
    for (const auto& extents : shape.tensors()) {
      tensors_.emplace_back(ElementType::f32, extents,
                            GuardedTensor::Layout{.heads_outside = shape.heads % 2 == 0});
    }
  }
  GuardedTensor& at(std::size_t i) { return tensors_[i]; }
  const GuardedTensor& at(std::size_t i) const { return tensors_[i]; }
  ScoringGradients views() {
    return {tensors_[0].view(), tensors_[1].view(), tensors_[2].view(),
            tensors_[3].view(), tensors_[4].view(), tensors_[5].view()};
  }
  ScoringInputs inputs() {
    const ScoringGradients all = views();
    return {all.query, all.key, all.value, all.weight, all.key_weight, all.score_vector};
  }
  template <typename T>
  reference::ScoringArrays<T> arrays() const {
    return {tensors_[0].array<T>(), tensors_[1].array<T>(), tensors_[2].array<T>(),
            tensors_[3].array<T>(), tensors_[4].array<T>(), tensors_[5].array<T>()};
  }
  void expect_guards() const {
    for (const GuardedTensor& tensor : tensors_) EXPECT_TRUE(tensor.guards_hold());
  }

 private:
  std::vector<GuardedTensor> tensors_;
};

constexpr const char* kTensorNames[] = {"query",  "key",        "value",
                                        "weight", "key_weight", "score_vector"};

template <typename T>
const reference::Array<T>& array_at(const reference::ScoringArrays<T>& arrays, std::size_t i) {
  const reference::Array<T>* all[] = {&arrays.query,  &arrays.key,        &arrays.value,
                                      &arrays.weight, &arrays.key_weight, &arrays.score_vector};
  return *all[i];
}

struct ScoringCase {
  ScoringShape shape;
  TensorSet inputs;
  TensorSet gradients;
  GuardedTensor output, grad_output;
  std::vector<float> log_sum_exp;

  ScoringCase(const ScoringShape& s, std::uint32_t seed)
      : shape(s),
        inputs(s),
        gradients(s),
        output(ElementType::f32, {s.batch, s.query_length, s.heads, s.value_dim}, {}),
        grad_output(ElementType::f32, {s.batch, s.query_length, s.heads, s.value_dim}, {}),
        log_sum_exp(static_cast<std::size_t>(s.batch * s.heads * s.query_length)) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const auto fill = [&](GuardedTensor& tensor, float spread) {
      tensor.for_each(
          [&](auto a, auto b, auto c, auto d) { tensor.set(a, b, c, d, spread * normal(random)); });
    };
    for (std::size_t i = 0; i < 6; ++i) {
      // Weights such that what they project keeps its size, and queries such that dot and general
      // scores have about the spread of one component.
      const auto fan_in = static_cast<float>(i >= 3 ? s.tensors()[i][3] : 1);
      const auto terms = static_cast<float>(i == 0 && !s.has_vector() ? s.tensors()[1][3] : 1);
      fill(inputs.at(i), i < 2    ? s.spread / std::sqrt(terms)
                         : i == 5 ? 1.0F
                                  : 1 / std::sqrt(std::max(1.0F, fan_in)));
    }
    fill(grad_output, 1);
  }

  void forward(const ScoringOptions& options = {}) {
    scoring_forward(shape.form, inputs.inputs(), output.view(), options, log_sum_exp.data());
  }
  void backward(const ScoringOptions& options = {}) {
    scoring_backward(shape.form, inputs.inputs(), output.view(), log_sum_exp.data(),
                     grad_output.view(), gradients.views(), options);
  }
};

}  // namespace whereof::scoring_test

#endif  // WHEREOF_TESTS_SCORING_SCORING_CASE_H_
