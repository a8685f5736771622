// The kernels of backward, set by set, against plain loops; arrays lie misaligned between guards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/runnable_sets.h"
#include "numeric/half.h"

namespace whereof::kernels {
namespace {

class BackwardKernels : public testing::TestWithParam<const KernelSet*> {
 protected:
  const KernelSet& set() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Sets, BackwardKernels, testing::ValuesIn(runnable_sets()), name_of_set);

// Random floats at an address that no vector is aligned to.
class Guarded {
 public:
  Guarded(std::int64_t size, std::mt19937& random)
      : memory_(static_cast<std::size_t>(size + 2 * kPad), kGuard) {
    std::normal_distribution<float> normal;
    for (std::int64_t i = 0; i < size; ++i) memory_[i + kPad] = normal(random);
  }
  float* data() { return memory_.data() + kPad; }
  float& operator[](std::int64_t i) { return memory_[i + kPad]; }
  void expect_guards() const {
    for (std::int64_t i = 0; i < kPad; ++i) {
      ASSERT_EQ(memory_[i], kGuard);
      ASSERT_EQ(memory_[memory_.size() - 1 - i], kGuard);
    }
  }

 private:
  static constexpr std::int64_t kPad = 17;
  static constexpr float kGuard = -12345.5F;
  std::vector<float> memory_;
};

float low_of(float word) {
  std::uint32_t bits;
  std::memcpy(&bits, &word, sizeof bits);
  return numeric::float_of_bf16(static_cast<std::uint16_t>(bits & 0xffffU));
}
float high_of(float word) {
  std::uint32_t bits;
  std::memcpy(&bits, &word, sizeof bits);
  return numeric::float_of_bf16(static_cast<std::uint16_t>(bits >> 16));
}

// A tile of scores, some hidden, with one row that sees nothing and one that is not a number.
struct GradientCase {
  std::int64_t keys, columns, stride;
  Guarded scores, gradients, gradient_columns, log_sum_exp, rest, dot;
  std::vector<double> weight, gradient;  // [key][column], by the equations
  float inverse_cap;

  GradientCase(std::int64_t key_count, std::int64_t lanes, float inverse_cap_in,
               std::mt19937& random)
      : keys(key_count),
        columns(3 * lanes),
        stride(columns + lanes),
        scores(keys * stride, random),
        gradients(keys * stride, random),
        gradient_columns((keys + 1) / 2 * stride, random),
        log_sum_exp(columns, random),
        rest(columns, random),
        dot(columns, random),
        inverse_cap(inverse_cap_in) {
    for (std::int64_t c = 0; c < columns; ++c) {
      log_sum_exp[c] += 3.0F;
      rest[c] *= 1e-7F;
    }
    log_sum_exp[1] = 3.0e38F;
    rest[1] = 0.0F;
    dot[2] = std::nanf("");
    for (std::int64_t key = 0; key < keys; ++key) {
      for (std::int64_t c = 0; c < columns; ++c) {
        if ((key + c) % 5 == 0) scores[key * stride + c] = kMaskedScore;
        const double s = scores[key * stride + c];
        const double w = std::exp2(s - log_sum_exp[c] - rest[c]);
        const double change = w * (gradients[key * stride + c] - dot[c]);
        const bool is_hidden = scores[key * stride + c] == kMaskedScore;
        weight.push_back(is_hidden ? 0 : w);
        gradient.push_back(is_hidden ? 0 : change * (1 - std::pow(s * inverse_cap, 2)));
      }
    }
  }
  SoftmaxGradientTile tile() {
    return {.scores = scores.data(),
            .gradients = gradients.data(),
            .gradient_columns = gradient_columns.data(),
            .log_sum_exp = log_sum_exp.data(),
            .rest = rest.data(),
            .dot = dot.data(),
            .inverse_cap = inverse_cap,
            .key_count = keys,
            .columns = columns,
            .stride = stride};
  }
  void expect_guards() const {
    scores.expect_guards();
    gradients.expect_guards();
    gradient_columns.expect_guards();
  }
};

void expect_close(double found, double wanted, double relative) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_NEAR(found, wanted, relative * (std::abs(wanted) + 0.05));
  }
}

TEST_P(BackwardKernels, SoftmaxGradient) {
  std::mt19937 random(1);
  for (const std::int64_t keys : {1, 2, 7, 64}) {
    for (const float inverse_cap : {0.0F, 0.3F}) {
      GradientCase c(keys, set().lanes, inverse_cap, random);
      set().softmax_gradient(c.tile());
      for (std::int64_t i = 0; i < keys * c.columns; ++i) {
        const std::int64_t at = i / c.columns * c.stride + i % c.columns;
        expect_close(c.scores[at], c.weight[i], 1e-6);
        expect_close(c.gradients[at], c.gradient[i], 2e-6);
      }
      c.expect_guards();
    }
  }
}

TEST_P(BackwardKernels, SoftmaxGradientIntoPairs) {
  if (set().pairs.elements_per_word != 2) GTEST_SKIP() << "no pairs";
  std::mt19937 random(2);
  for (const std::int64_t keys : {1, 2, 7, 64}) {
    GradientCase c(keys, set().lanes, 0.3F, random);
    set().pair_packing.softmax_gradient(c.tile());
    for (std::int64_t i = 0; i < keys * c.columns; ++i) {
      const std::int64_t key = i / c.columns;
      const std::int64_t column = i % c.columns;
      const auto of_row = [&](Guarded& array) {
        const float word = array[key * c.stride + column / 2];
        return column % 2 == 0 ? low_of(word) : high_of(word);
      };
      expect_close(of_row(c.scores), c.weight[i], 0x1p-8);
      expect_close(of_row(c.gradients), c.gradient[i], 0x1p-8);
      const float word = c.gradient_columns[key / 2 * c.stride + column];
      expect_close(key % 2 == 0 ? low_of(word) : high_of(word), c.gradient[i], 0x1p-8);
      if (key == keys - 1 && key % 2 == 0) {
        EXPECT_EQ(high_of(word), 0);
      }
    }
    c.expect_guards();
  }
}

TEST_P(BackwardKernels, GradientOfFloats) {
  std::mt19937 random(3);
  for (const std::int64_t keys : {1, 3, 8, 19}) {
    for (const std::int64_t rows : {1, 5, 33}) {
      const std::int64_t columns = 4 * set().lanes;
      const std::int64_t stride = columns + 3;
      Guarded weights(keys * (rows + 2), random);
      Guarded values(rows * stride, random);
      Guarded sums(keys * stride, random);
      Guarded before = sums;
      set().floats.gradient({.weights = weights.data(),
                             .rows = values.data(),
                             .sums = sums.data(),
                             .weight_stride = rows + 2,
                             .row_stride = stride,
                             .sum_stride = stride,
                             .row_count = rows,
                             .key_count = keys,
                             .columns = columns});
      for (std::int64_t key = 0; key < keys; ++key) {
        for (std::int64_t c = 0; c < stride; ++c) {
          double wanted = before[key * stride + c];
          for (std::int64_t r = 0; r < rows && c < columns; ++r) {
            wanted += static_cast<double>(weights[key * (rows + 2) + r]) * values[r * stride + c];
          }
          ASSERT_NEAR(sums[key * stride + c], wanted, 1e-5);
        }
      }
      sums.expect_guards();
    }
  }
}

}  // namespace
}  // namespace whereof::kernels
