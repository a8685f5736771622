// The oracle's gradients against central differences of the oracle's output.
#include "reference/naive_backward.h"

#include <gtest/gtest.h>

#include <random>

namespace whereof::reference {
namespace {

struct Inputs {
  Array<double> query, key, value, grad_output;

  // Two query heads share a kv head; no two dimensions are alike.
  explicit Inputs(std::uint32_t seed)
      : query({2, 3, 4, 5}), key({2, 6, 2, 5}), value({2, 6, 2, 7}), grad_output({2, 3, 4, 7}) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    for (Array<double>* array : {&query, &key, &value, &grad_output}) {
      for (double& x : array->data) x = normal(random);
    }
  }
  // The loss whose gradient by the output is grad_output.
  double loss(const AttentionOptions& options) const {
    const Array<double> output = naive_attention(query, key, value, options).output;
    double sum = 0;
    for (std::size_t i = 0; i < output.data.size(); ++i) {
      sum += output.data[i] * grad_output.data[i];
    }
    return sum;
  }
};

void expect_central_differences(const AttentionOptions& options) {
  Inputs inputs(11);
  const NaiveGradients<double> grad =
      naive_backward(inputs.query, inputs.key, inputs.value,
                     naive_attention(inputs.query, inputs.key, inputs.value, options),
                     inputs.grad_output, options);
  const auto compare = [&](Array<double>& input, const Array<double>& gradient) {
    ASSERT_EQ(input.shape, gradient.shape);
    constexpr double kStep = 1e-5;
    for (std::size_t i = 0; i < input.data.size(); ++i) {
      const double before = input.data[i];
      input.data[i] = before + kStep;
      const double above = inputs.loss(options);
      input.data[i] = before - kStep;
      const double below = inputs.loss(options);
      input.data[i] = before;
      ASSERT_NEAR(gradient.data[i], (above - below) / (2 * kStep), 1e-8) << "element " << i;
    }
  };
  compare(inputs.query, grad.query);
  compare(inputs.key, grad.key);
  compare(inputs.value, grad.value);
}

TEST(NaiveBackward, CentralDifferencesWithoutMask) { expect_central_differences({}); }

TEST(NaiveBackward, CentralDifferencesWithCausalMask) {
  expect_central_differences({.mask = {.is_causal = true}});
}

TEST(NaiveBackward, CentralDifferencesWithRowsThatSeeNothing) {
  expect_central_differences({.scale = -0.7F, .mask = {.is_causal = true, .query_offset = -1}});
}

TEST(NaiveBackward, CentralDifferencesWithSoftCap) {
  expect_central_differences({.scale = 1.0F, .soft_cap = 1.5F, .mask = {.is_causal = true}});
}

// One row, two keys, one dimension: P = (p, 1 - p), dS = p (1 - p) (v_0 - v_1) (1, -1) dO.
TEST(NaiveBackward, WorkedExample) {
  Array<double> query({1, 1, 1, 1}, 1.0);
  Array<double> key({1, 2, 1, 1});
  Array<double> value({1, 2, 1, 1});
  key.data = {std::log(3.0), 0.0};  // p = 3/4
  value.data = {2.0, 10.0};
  const Array<double> grad_output({1, 1, 1, 1}, 1.0);
  const auto grad =
      naive_backward(query, key, value, naive_attention(query, key, value), grad_output);
  EXPECT_NEAR(grad.value.data[0], 0.75, 1e-15);
  EXPECT_NEAR(grad.value.data[1], 0.25, 1e-15);
  EXPECT_NEAR(grad.key.data[0], -1.5, 1e-14);
  EXPECT_NEAR(grad.key.data[1], 1.5, 1e-14);
  EXPECT_NEAR(grad.query.data[0], -1.5 * std::log(3.0), 1e-14);
}

}  // namespace
}  // namespace whereof::reference
