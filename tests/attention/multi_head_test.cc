// Multi-head attention from its parts: projections by W_Q, W_K, W_V, heads split, attended,
// concatenated and projected by W_O.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "whereof/attention.h"

namespace whereof::attention_test {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kLength = 5;
constexpr std::int64_t kModel = 8;  // D
constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kHeadDim = kModel / kHeads;
constexpr std::array<std::int64_t, 4> kSplit = {kBatch, kLength, kHeads, kHeadDim};

std::vector<float> random_floats(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& x : values) x = normal(random);
  return values;
}

// [batch * length, D] times [D, D]; the result is [batch, length, heads, head_dim] as it lies.
std::vector<float> projected(const std::vector<float>& x, const std::vector<float>& weight) {
  std::vector<float> to(x.size());
  for (std::size_t row = 0; row < x.size() / kModel; ++row) {
    for (std::size_t j = 0; j < kModel; ++j) {
      for (std::size_t i = 0; i < kModel; ++i) {
        to[row * kModel + j] += x[row * kModel + i] * weight[i * kModel + j];
      }
    }
  }
  return to;
}

struct Layer {
  std::vector<float> x = random_floats(kBatch * kLength * kModel, 1);
  std::vector<float> query = projected(x, random_floats(kModel* kModel, 2));
  std::vector<float> key = projected(x, random_floats(kModel* kModel, 3));
  std::vector<float> value = projected(x, random_floats(kModel* kModel, 4));
};

ConstTensorView split(const std::vector<float>& rows) {
  return dense_view(static_cast<const void*>(rows.data()), ElementType::f32, kSplit);
}

// X [2, 5, 8] with 2 heads has weights [2, 2, 5, 5], whose rows sum to 1. They are seen through
// values that are the identity: an output of [batch, length, heads, keys].
TEST(MultiHead, WeightsHaveTheirShapeAndRowsOfOne) {
  const Layer layer;
  std::vector<float> identity(kLength * kLength);
  for (std::size_t i = 0; i < kLength; ++i) identity[i * kLength + i] = 1;
  // The same rows for every batch and head.
  const ConstTensorView value(identity.data(), ElementType::f32, {kBatch, kLength, kHeads, kLength},
                              {0, kLength, 0, 1});
  std::vector<float> weights(kBatch * kHeads * kLength * kLength);
  // [batch, heads, length, keys] as it lies.
  const TensorView output{weights.data(),
                          ElementType::f32,
                          {kBatch, kLength, kHeads, kLength},
                          {kHeads * kLength * kLength, kLength, kLength * kLength, 1}};
  attention_forward(split(layer.query), split(layer.key), value, output);
  ASSERT_EQ(weights.size(), 2U * 2U * 5U * 5U);
  for (std::size_t row = 0; row < weights.size() / kLength; ++row) {
    float sum = 0;
    for (std::size_t j = 0; j < kLength; ++j) {
      EXPECT_GT(weights[row * kLength + j], 0);
      sum += weights[row * kLength + j];
    }
    EXPECT_NEAR(sum, 1, 1e-6) << row;
  }
}

// One call over all heads is each head alone, concatenated; and W_O gives [batch, length, D] back.
TEST(MultiHead, HeadsAreAttendedAloneAndConcatenated) {
  const Layer layer;
  std::vector<float> together(layer.x.size());
  attention_forward(split(layer.query), split(layer.key), split(layer.value),
                    dense_view(together.data(), ElementType::f32, kSplit));
  std::vector<float> concatenated(layer.x.size());
  for (std::int64_t head = 0; head < kHeads; ++head) {
    const auto one_head = [&](ConstTensorView view) {
      view.data = static_cast<const float*>(view.data) + head * kHeadDim;
      view.shape[2] = 1;
      return view;
    };
    TensorView output = dense_view(concatenated.data(), ElementType::f32, kSplit);
    output.data = concatenated.data() + head * kHeadDim;
    output.shape[2] = 1;
    attention_forward(one_head(split(layer.query)), one_head(split(layer.key)),
                      one_head(split(layer.value)), output);
  }
  EXPECT_EQ(together, concatenated);
  EXPECT_EQ(projected(together, random_floats(kModel * kModel, 5)).size(),
            static_cast<std::size_t>(kBatch * kLength * kModel));
}

// Every output is a mean of values with weights that are positive and sum to 1.
TEST(MultiHead, OutputsAreConvexCombinationsOfValues) {
  const Layer layer;
  std::vector<float> output(layer.x.size());
  attention_forward(split(layer.query), split(layer.key), split(layer.value),
                    dense_view(output.data(), ElementType::f32, kSplit));
  for (std::size_t b = 0; b < kBatch; ++b) {
    for (std::size_t j = 0; j < kModel; ++j) {
      float lowest = HUGE_VALF;
      float highest = -HUGE_VALF;
      for (std::size_t i = 0; i < kLength; ++i) {
        lowest = std::min(lowest, layer.value[(b * kLength + i) * kModel + j]);
        highest = std::max(highest, layer.value[(b * kLength + i) * kModel + j]);
      }
      for (std::size_t i = 0; i < kLength; ++i) {
        EXPECT_GE(output[(b * kLength + i) * kModel + j], lowest - 1e-6F);
        EXPECT_LE(output[(b * kLength + i) * kModel + j], highest + 1e-6F);
      }
    }
  }
}

}  // namespace
}  // namespace whereof::attention_test
