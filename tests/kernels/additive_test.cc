// The kernels of additive scores, for every set that runs here: tanh against the library's in
// double, tiles against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/runnable_sets.h"

namespace whereof::kernels {
namespace {

class AdditiveKernels : public testing::TestWithParam<const KernelSet*> {
 protected:
  const KernelSet& set() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Sets, AdditiveKernels, testing::ValuesIn(runnable_sets()), name_of_set);

// tanh is seen through a tile of width 1: vector 1, key 0.
std::vector<float> tanh_of(const KernelSet& set, const std::vector<float>& x) {
  const float zero = 0;
  const float one = 1;
  std::vector<float> result(x.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  set.additive({.queries = x.data(),
                .keys = &zero,
                .vector = &one,
                .scores = result.data(),
                .key_stride = 1,
                .key_count = 1,
                .width = 1,
                .columns = columns,
                .stride = columns,
                .factor = 1.0F});
  return result;
}

TEST_P(AdditiveKernels, TanhErrorIsBelowItsBound) {
  std::vector<float> x(1 << 16);
  double worst = 0;
  for (const double largest : {1.0e-30, 1.0e-3, 1.0, 4.0, 12.0, 1.0e5}) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] =
          static_cast<float>(largest * static_cast<double>(i + 1) / static_cast<double>(x.size()));
    }
    const std::vector<float> found = tanh_of(set(), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::tanh(static_cast<double>(x[i]));
      worst = std::max(worst, std::abs(static_cast<double>(found[i]) / exact - 1));
    }
  }
  EXPECT_LT(worst, 3.5e-7);
  EXPECT_GT(worst, 1e-8);  // it was measured
}

TEST_P(AdditiveKernels, TanhIsOddAndKeepsItsEdges) {
  std::vector<float> x(1024);
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 3);
  for (std::size_t i = 0; i < 512; ++i) {
    x[i] = normal(random);
    x[512 + i] = -x[i];
  }
  const std::vector<float> y = tanh_of(set(), x);
  for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(y[i], -y[512 + i]) << x[i];
  x[0] = 0;
  x[1] = std::numeric_limits<float>::infinity();
  x[2] = -x[1];
  x[3] = std::nanf("");
  x[4] = 0x1p-140F;  // a subnormal
  const std::vector<float> edges = tanh_of(set(), x);
  EXPECT_EQ(edges[0], 0);
  EXPECT_EQ(edges[1], 1);
  EXPECT_EQ(edges[2], -edges[1]);
  EXPECT_TRUE(std::isnan(edges[3]));
  EXPECT_EQ(edges[4], 0x1p-140F);
}

// A random tile, [key][row] with strides wider than what is used; NaN beyond.
struct Tile {
  std::int64_t lanes, key_count, width;
  std::int64_t columns = 2 * lanes;
  std::int64_t stride = columns + 3;
  std::int64_t key_stride = width + 2;
  std::vector<float> queries, keys, vector, gradient;

  Tile(std::int64_t lanes_in, std::int64_t keys_in, std::int64_t width_in)
      : lanes(lanes_in), key_count(keys_in), width(width_in) {
    std::mt19937 random(static_cast<std::uint32_t>(100 * keys_in + width_in));
    std::normal_distribution<float> normal;
    const auto fill = [&](std::vector<float>& to, std::int64_t rows, std::int64_t used,
                          std::int64_t step) {
      to.assign(static_cast<std::size_t>(rows * step), std::nanf(""));
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < used; ++j) {
          to[static_cast<std::size_t>(i * step + j)] = normal(random);
        }
      }
    };
    fill(queries, width, columns, stride);
    fill(keys, key_count, width, key_stride);
    fill(vector, 1, width, width);
    fill(gradient, key_count, columns, stride);
  }
  double tanh_at(std::int64_t key, std::int64_t w, std::int64_t column) const {
    return std::tanh(static_cast<double>(queries[static_cast<std::size_t>(w * stride + column)]) +
                     static_cast<double>(keys[static_cast<std::size_t>(key * key_stride + w)]));
  }
};

TEST_P(AdditiveKernels, ScoresOfEveryCountOfKeysAndWidth) {
  for (std::int64_t keys = 1; keys <= 9; ++keys) {
    for (const std::int64_t width : {1, 2, 7, 16}) {
      const Tile t(set().lanes, keys, width);
      std::vector<float> scores(static_cast<std::size_t>(keys * t.stride), -5.0F);
      set().additive({.queries = t.queries.data(),
                      .keys = t.keys.data(),
                      .vector = t.vector.data(),
                      .scores = scores.data(),
                      .key_stride = t.key_stride,
                      .key_count = keys,
                      .width = width,
                      .columns = t.columns,
                      .stride = t.stride,
                      .factor = 1.5F});
      for (std::int64_t key = 0; key < keys; ++key) {
        for (std::int64_t column = 0; column < t.stride; ++column) {
          const float found = scores[static_cast<std::size_t>(key * t.stride + column)];
          if (column >= t.columns) {
            ASSERT_EQ(found, -5);
            continue;
          }
          double exact = 0;
          for (std::int64_t w = 0; w < width; ++w) {
            exact += static_cast<double>(t.vector[static_cast<std::size_t>(w)]) *
                     t.tanh_at(key, w, column);
          }
          ASSERT_NEAR(static_cast<double>(found), 1.5 * exact, 4e-6);
        }
      }
    }
  }
}

TEST_P(AdditiveKernels, GradientsAreAdded) {
  for (std::int64_t keys = 1; keys <= 5; ++keys) {
    for (const std::int64_t width : {1, 3, 8}) {
      const Tile t(set().lanes, keys, width);
      std::vector<float> of_queries(static_cast<std::size_t>(width * t.stride), 0.5F);
      std::vector<float> of_keys(static_cast<std::size_t>(keys * t.key_stride), 0.25F);
      std::vector<float> of_vector(static_cast<std::size_t>(width), 2.0F);
      set().additive_gradient({.queries = t.queries.data(),
                               .keys = t.keys.data(),
                               .vector = t.vector.data(),
                               .score_gradient = t.gradient.data(),
                               .query_gradient = of_queries.data(),
                               .key_gradient = of_keys.data(),
                               .vector_gradient = of_vector.data(),
                               .key_stride = t.key_stride,
                               .key_count = keys,
                               .width = width,
                               .columns = t.columns,
                               .stride = t.stride});
      std::vector<double> exact_queries(of_queries.size(), 0.5);
      std::vector<double> exact_keys(of_keys.size(), 0.25);
      std::vector<double> exact_vector(of_vector.size(), 2.0);
      for (std::int64_t w = 0; w < width; ++w) {
        for (std::int64_t key = 0; key < keys; ++key) {
          for (std::int64_t column = 0; column < t.columns; ++column) {
            const double g = t.gradient[static_cast<std::size_t>(key * t.stride + column)];
            const double h = t.tanh_at(key, w, column);
            const double inner =
                g * static_cast<double>(t.vector[static_cast<std::size_t>(w)]) * (1 - h * h);
            exact_queries[static_cast<std::size_t>(w * t.stride + column)] += inner;
            exact_keys[static_cast<std::size_t>(key * t.key_stride + w)] += inner;
            exact_vector[static_cast<std::size_t>(w)] += g * h;
          }
        }
      }
      const auto expect_near = [](const std::vector<float>& found,
                                  const std::vector<double>& exact) {
        for (std::size_t i = 0; i < exact.size(); ++i) {
          ASSERT_NEAR(static_cast<double>(found[i]), exact[i], 1e-5) << i;
        }
      };
      expect_near(of_queries, exact_queries);
      expect_near(of_keys, exact_keys);
      expect_near(of_vector, exact_vector);
    }
  }
}

}  // namespace
}  // namespace whereof::kernels
