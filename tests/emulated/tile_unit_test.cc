// The emulated unit itself, against hand-worked values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "emulated/emulated_tiles.h"
#include "numeric/half.h"

namespace whereof::emulated {
namespace {

using tiles::TileConfiguration;
using Unit = EmulatedTiles;

TileConfiguration shapes(std::vector<std::pair<int, int>> rows_and_bytes) {
  TileConfiguration configuration;
  configuration.palette = 1;
  for (std::size_t tile = 0; tile < rows_and_bytes.size(); ++tile) {
    configuration.rows[tile] = static_cast<std::uint8_t>(rows_and_bytes[tile].first);
    configuration.row_bytes[tile] = static_cast<std::uint16_t>(rows_and_bytes[tile].second);
  }
  return configuration;
}

float pair_of(float low, float high) {
  const std::uint32_t word = std::uint32_t{numeric::bf16_of_float(high)} << 16 |
                             std::uint32_t{numeric::bf16_of_float(low)};
  float x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

TEST(TileUnit, LoadsAndStoresTheConfiguredRectangleOnly) {
  std::vector<float> from(64), to(64, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  Unit::configure(shapes({{3, 8}}));
  Unit::load<0>(from.data(), 5 * 4);
  Unit::store<0>(to.data(), 7 * 4);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::size_t row = i / 7, column = i % 7;
    EXPECT_EQ(to[i], row < 3 && column < 2 ? from[row * 5 + column] : -1) << i;
  }
  Unit::zero<0>();
  Unit::store<0>(to.data(), 7 * 4);
  EXPECT_EQ(to[8], 0);
  Unit::release();
}

TEST(TileUnit, ConfigurationZeroesTheTiles) {
  std::vector<float> ones(256, 1.0F), to(256, -1);
  Unit::configure(tiles::kAllTilesWhole);
  Unit::load<5>(ones.data(), 64);
  Unit::configure(tiles::kAllTilesWhole);
  Unit::store<5>(to.data(), 64);
  EXPECT_EQ(std::count(to.begin(), to.end(), 0.0F), 256);
  Unit::release();
  EXPECT_FALSE(Unit::is_configured());
}

// C [2][1] += A [2][2 words] B [2 words][1]
TEST(TileUnit, MultipliesPairs) {
  const float a[] = {pair_of(1, 2), pair_of(3, 4), pair_of(-1, 0.5F), pair_of(0, 8)};
  const float b[] = {pair_of(10, 20), pair_of(30, 40)};
  float c[] = {1000, 2000};
  Unit::configure(shapes({{2, 4}, {0, 0}, {2, 8}, {2, 4}}));
  Unit::load<0>(c, 4);
  Unit::load<2>(a, 8);
  Unit::load<3>(b, 4);
  Unit::dot<0, 2, 3>();
  Unit::store<0>(c, 4);
  EXPECT_EQ(c[0], 1000 + 10 + 40 + 90 + 160);
  EXPECT_EQ(c[1], 2000 - 10 + 10 + 0 + 320);
  Unit::release();
}

float dot_of(float a_low, float a_high, float b_low, float b_high, float c) {
  const float a = pair_of(a_low, a_high), b = pair_of(b_low, b_high);
  Unit::configure(shapes({{1, 4}, {1, 4}, {1, 4}}));
  Unit::load<0>(&c, 4);
  Unit::load<1>(&a, 4);
  Unit::load<2>(&b, 4);
  Unit::dot<0, 1, 2>();
  Unit::store<0>(&c, 4);
  Unit::release();
  return c;
}

TEST(TileUnit, TakesSubnormalNumbersForZero) {
  EXPECT_EQ(dot_of(0x1p-130F, 0, 0x1p100F, 0, 3), 3);  // an operand
  EXPECT_EQ(dot_of(0x1p-70F, 0, 0x1p-70F, 0, 0), 0);   // a product
  EXPECT_EQ(dot_of(0, 0, 0, 0, 0x1p-130F), 0);         // the sum that is there
  EXPECT_EQ(dot_of(0x1p-60F, 0, 0x1p-66F, 0, 0), 0x1p-126F);
  EXPECT_TRUE(std::signbit(dot_of(-0x1p-70F, -0x1p-70F, 0x1p-70F, 0x1p-70F, -0x1p-130F)));
}

TEST(TileUnit, RoundsEachStepToNearestEven) {
  EXPECT_EQ(dot_of(1, 0x1p-24F, 1, 1, 0), 1);  // halfway, to even
  EXPECT_EQ(dot_of(1, 0x1p-23F, 1, 1, 0), 1 + 0x1p-23F);
  // The even and the odd products meet before the sum that is there.
  EXPECT_EQ(dot_of(0x1p-24F, 0x1p-24F, 1, 1, 1), 1 + 0x1p-23F);
}

TEST(TileUnit, KeepsNanAndInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(dot_of(infinity, 0, 1, 0, 1), infinity);
  EXPECT_TRUE(std::isnan(dot_of(infinity, 0, 0, 0, 1)));
  EXPECT_TRUE(std::isnan(dot_of(1, 0, 1, 0, std::nanf(""))));
}

TEST(TileUnitDeathTest, FaultsAsTheInstructionsDo) {
  float x[256] = {};
  EXPECT_DEATH(Unit::load<0>(x, 64), "not configured");
  EXPECT_DEATH(Unit::configure({}), "palette 1");
  EXPECT_DEATH(Unit::configure(shapes({{17, 64}})), "up to 16 rows");
  EXPECT_DEATH(Unit::configure(shapes({{16, 68}})), "up to 64 bytes");
  Unit::configure(shapes({{2, 4}, {2, 8}, {3, 4}}));
  EXPECT_DEATH((Unit::dot<0, 1, 2>()), "shapes of C, A and B disagree");
  Unit::release();
}

}  // namespace
}  // namespace whereof::emulated
