#include "whereof/rotary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "whereof/error.h"

namespace whereof {
namespace {

constexpr RotaryPairing kPairings[] = {RotaryPairing::interleaved, RotaryPairing::halves};

std::vector<float> random_row(std::int64_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> row(static_cast<std::size_t>(size));
  for (float& x : row) x = normal(random);
  return row;
}

std::vector<float> rotated(std::vector<float> row, const RotaryTable& table,
                           std::int64_t position) {
  const auto size = static_cast<std::int64_t>(row.size());
  table.rotate(dense_view(row.data(), ElementType::f32, {1, 1, 1, size}), {{position}});
  return row;
}

TEST(Rotary, HandWorkedQuarterTurn) {
  // rotary_dim 2: theta_0 = 1, so position 1 turns (1, 0) to (cos 1, sin 1).
  for (const RotaryPairing pairing : kPairings) {
    const auto row = rotated({1, 0, 9}, RotaryTable(2, 10000, 2, pairing), 1);
    EXPECT_FLOAT_EQ(row[0], 0.540302306F);
    EXPECT_FLOAT_EQ(row[1], 0.841470985F);
    EXPECT_EQ(row[2], 9);  // past rotary_dim: untouched
  }
}

TEST(Rotary, PairsAreTheOnesNamed) {
  // rotary_dim 4, base 100: theta = 1, 0.1.
  const auto interleaved =
      rotated({1, 0, 1, 0}, RotaryTable(4, 100, 4, RotaryPairing::interleaved), 3);
  EXPECT_NEAR(interleaved[0], std::cos(3.0), 1e-7);
  EXPECT_NEAR(interleaved[1], std::sin(3.0), 1e-7);
  EXPECT_NEAR(interleaved[2], std::cos(0.3), 1e-7);
  EXPECT_NEAR(interleaved[3], std::sin(0.3), 1e-7);
  const auto halves = rotated({1, 1, 0, 0}, RotaryTable(4, 100, 4, RotaryPairing::halves), 3);
  EXPECT_NEAR(halves[0], std::cos(3.0), 1e-7);
  EXPECT_NEAR(halves[2], std::sin(3.0), 1e-7);
  EXPECT_NEAR(halves[1], std::cos(0.3), 1e-7);
  EXPECT_NEAR(halves[3], std::sin(0.3), 1e-7);
}

TEST(Rotary, KeepsNorms) {
  for (const RotaryPairing pairing : kPairings) {
    const RotaryTable table(64, 1e6, 40000, pairing);
    for (const std::int64_t position : {0, 1, 2048, 39999}) {
      const auto before = random_row(80, 7);
      const auto after = rotated(before, table, position);
      const auto square = [](const std::vector<float>& v) {
        return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
      };
      EXPECT_NEAR(square(after), square(before), 1e-5 * square(before));
    }
  }
}

TEST(Rotary, ProductsDependOnDistanceOnly) {
  for (const RotaryPairing pairing : kPairings) {
    const RotaryTable table(32, 10000, 33000, pairing);
    const auto query = random_row(32, 1);
    const auto key = random_row(32, 2);
    const auto product = [&](std::int64_t q, std::int64_t k) {
      const auto a = rotated(query, table, q);
      const auto b = rotated(key, table, k);
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    for (const std::int64_t distance : {0, 1, 17, 900}) {
      const double near = product(distance, 0);
      for (const std::int64_t start : {1, 100, 5000, 32000}) {
        EXPECT_NEAR(product(start + distance, start), near, 2e-5) << start << " " << distance;
      }
    }
  }
}

TEST(Rotary, RotatesEveryBatchRowAndHeadOfAStridedView) {
  const RotaryTable table(4, 100, 50, RotaryPairing::halves);
  // [2, 3, 2, 5] inside [2, 2, 3, 7]: heads outside rows, gaps between them.
  std::vector<float> memory = random_row(2 * 2 * 3 * 7, 3);
  const std::vector<float> before = memory;
  const TensorView view{memory.data(), ElementType::f32, {2, 3, 2, 5}, {42, 7, 21, 1}};
  const std::vector<std::int64_t> positions = {9, 0, 49};
  table.rotate(view, positions);
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t row = 0; row < 3; ++row) {
      for (std::int64_t head = 0; head < 2; ++head) {
        const auto at = before.begin() + view.row_offset(b, row, head);
        std::vector<float> wanted = rotated({at, at + 4}, table, positions[row]);
        wanted.insert(wanted.end(), at + 4, at + 7);
        const auto found = memory.begin() + view.row_offset(b, row, head);
        EXPECT_EQ(std::vector<float>(found, found + 7), wanted);
      }
    }
  }
}

ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::cancelled;
}

TEST(Rotary, RefusesWhatItCannotRotate) {
  const auto table = [](std::int64_t dim, double base, std::int64_t length) {
    return kind_of([=] { RotaryTable(dim, base, length, RotaryPairing::halves); });
  };
  EXPECT_EQ(table(0, 100, 1), ErrorKind::invalid_argument);
  EXPECT_EQ(table(3, 100, 1), ErrorKind::invalid_argument);
  EXPECT_EQ(table(4, 0, 1), ErrorKind::invalid_argument);
  EXPECT_EQ(table(4, std::nan(""), 1), ErrorKind::invalid_argument);
  EXPECT_EQ(table(4, 100, -1), ErrorKind::invalid_argument);

  const RotaryTable small(4, 100, 10, RotaryPairing::halves);
  std::vector<float> row(8);
  const auto rotate = [&](ElementType type, std::int64_t head_dim,
                          std::vector<std::int64_t> positions) {
    return kind_of([&] {
      small.rotate(dense_view(row.data(), type, {1, 1, 1, head_dim}), positions);
    });
  };
  EXPECT_EQ(rotate(ElementType::f32, 8, {10}), ErrorKind::invalid_argument);
  EXPECT_EQ(rotate(ElementType::f32, 8, {-1}), ErrorKind::invalid_argument);
  EXPECT_EQ(rotate(ElementType::f32, 8, {1, 2}), ErrorKind::invalid_argument);
  EXPECT_EQ(rotate(ElementType::f32, 3, {1}), ErrorKind::invalid_argument);
  EXPECT_EQ(rotate(ElementType::bf16, 8, {1}), ErrorKind::unsupported);
}

TEST(Rotary, GivenThetasAndAMagnitude) {
  const std::vector<double> thetas = {0.5, 0.25};
  for (const RotaryPairing pairing : kPairings) {
    const RotaryTable table(thetas, 2.0, 3, pairing);
    EXPECT_EQ(table.rotary_dim(), 4);
    const auto row = rotated({1, 0, 0, 0}, table, 2);
    EXPECT_FLOAT_EQ(row[0], 2 * 0.540302306F);  // theta_0 * 2 = 1
    EXPECT_FLOAT_EQ(row[pairing == RotaryPairing::interleaved ? 1 : 2], 2 * 0.841470985F);
  }
  const std::vector<double> not_finite = {1.0, INFINITY};
  EXPECT_THROW(RotaryTable({}, 1.0, 2, kPairings[0]), Error);
  EXPECT_THROW(RotaryTable(not_finite, 1.0, 2, kPairings[0]), Error);
  EXPECT_THROW(RotaryTable(thetas, 0.0, 2, kPairings[0]), Error);
  EXPECT_THROW(RotaryTable(thetas, 1.0, -1, kPairings[0]), Error);
}

}  // namespace
}  // namespace whereof
