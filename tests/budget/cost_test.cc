// Every figure of the design case must come out of the formulas, to the rounding it is quoted with.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "whereof/budget.h"
#include "whereof/error.h"

namespace whereof {
namespace {

// value rounded to the given count of significant decimal digits
double rounded(double value, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - digits + 1);
  return std::round(value / unit) * unit;
}

::testing::AssertionResult reads(double value, double quoted, int digits) {
  if (std::abs(rounded(value, digits) - quoted) <= 1e-9 * std::abs(quoted)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << value << " does not round to " << quoted;
}

class Card80 : public ::testing::Test {
 protected:
  Cost at(double tokens) const { return cost_of_reading(profile_.shape, profile_.machine, tokens); }
  Profile profile_ = profile_named("card80");
  Cost full_ = at(profile_.context_tokens);
  Cost retrieved_ = at(profile_.retrieved_tokens);
};

TEST_F(Card80, ProjectionsOfALayerHoldFourTimesTheWidthSquared) {
  EXPECT_EQ(profile_.shape.projection_parameters, 4.0 * 4096 * 4096);
  EXPECT_TRUE(reads(profile_.shape.projection_parameters, 67.1e6, 3));
}

TEST_F(Card80, FlopsOfTheFullContext) {
  EXPECT_TRUE(reads(full_.projection_flops, 4.2e14, 2));
  EXPECT_TRUE(reads(full_.attention_flops, 6.8e15, 2));
  EXPECT_TRUE(reads(full_.feed_forward_flops, 8.4e14, 2));
  EXPECT_TRUE(reads(full_.total_flops, 8.0e15, 2));
  EXPECT_TRUE(reads(full_.prefill_seconds, 8, 1));
  // The quoted 85 % is 6.8e15 / 8.0e15, of rounded terms; the exact ratio is 84.2 %.
  EXPECT_TRUE(reads(full_.attention_share, 0.842, 3));
  EXPECT_TRUE(reads(rounded(full_.attention_flops, 2) / rounded(full_.total_flops, 2), 0.85, 2));
}

TEST_F(Card80, CausalMaskHalvesTheSquareTerm) {
  EXPECT_NEAR(full_.causal_attention_flops / full_.attention_flops, 0.5, 1e-5);
  EXPECT_TRUE(reads(full_.causal_prefill_seconds, 4.6, 2));
}

TEST_F(Card80, ScoresThatAreNeverHeld) {
  EXPECT_TRUE(reads(full_.scores, 5.5e11, 2));
  EXPECT_TRUE(reads(full_.scores * 2, 1.1e12, 2));
}

TEST_F(Card80, CacheAndConcurrency) {
  EXPECT_TRUE(reads(full_.kv_bytes_per_layer, 2.1e9, 2));
  EXPECT_TRUE(reads(full_.kv_bytes, 51.5e9, 3));
  EXPECT_GT(full_.concurrent_requests, 1);
  EXPECT_LT(full_.concurrent_requests, 2);
  EXPECT_TRUE(reads(profile_.machine.memory_bytes / full_.kv_bytes, 1.6, 2));
}

TEST_F(Card80, RetrievalOfEightBlocks) {
  EXPECT_EQ(retrieved_.tokens, 32'768);
  EXPECT_DOUBLE_EQ(full_.attention_flops / retrieved_.attention_flops, 16);
  // "130k to 32k" rounds both lengths before squaring their ratio.
  EXPECT_TRUE(reads(at(130e3).attention_flops / at(32e3).attention_flops, 17, 2));
  EXPECT_TRUE(reads(retrieved_.total_flops, 7e14, 1));
  EXPECT_TRUE(reads(retrieved_.prefill_seconds, 0.7, 1));
}

TEST_F(Card80, DecodeReadsTheCacheForEachToken) {
  EXPECT_TRUE(reads(full_.kv_read_seconds_per_token, 17e-3, 2));
  const double answer_seconds = profile_.answer_tokens * full_.kv_read_seconds_per_token;
  EXPECT_TRUE(reads(answer_seconds, 3.4, 2));
  EXPECT_TRUE(reads(full_.prefill_seconds + answer_seconds, 11, 2));
  const double weights = profile_.shape.weight_bytes / profile_.machine.bytes_per_second;
  EXPECT_DOUBLE_EQ(full_.decode_seconds_per_token, full_.kv_read_seconds_per_token + weights);
}

TEST_F(Card80, TwiceTheTokensFourTimesTheAttention) {
  for (const double tokens : {1024.0, 4096.0, 65'536.0}) {
    EXPECT_DOUBLE_EQ(at(2 * tokens).attention_flops / at(tokens).attention_flops, 4);
    EXPECT_DOUBLE_EQ(at(2 * tokens).projection_flops / at(tokens).projection_flops, 2);
    EXPECT_DOUBLE_EQ(at(2 * tokens).kv_bytes / at(tokens).kv_bytes, 2);
  }
}

TEST_F(Card80, OwnSpeedOfAttentionCounts) {
  MachineSpeed machine = profile_.machine;
  machine.attention_flops_per_second = machine.flops_per_second / 2;
  const Cost cost = cost_of_reading(profile_.shape, machine, 131'072);
  EXPECT_NEAR(cost.prefill_seconds - full_.prefill_seconds,
              full_.attention_flops / machine.flops_per_second, 1e-9);
}

TEST_F(Card80, GroupedHeadsShrinkTheCacheOnly) {
  ModelShape shape = profile_.shape;
  shape.kv_heads = 8;
  const Cost cost = cost_of_reading(shape, profile_.machine, 131'072);
  EXPECT_DOUBLE_EQ(cost.kv_bytes, full_.kv_bytes / 4);
  EXPECT_DOUBLE_EQ(cost.attention_flops, full_.attention_flops);
}

TEST(Cost, ScoresOfOneHead) {
  const ScoreCost cost = cost_of_scores(1024, 1024, 64);
  EXPECT_TRUE(reads(cost.scores, 1.05e6, 3));
  EXPECT_TRUE(reads(cost.multiply_adds, 6.7e7, 2));
  EXPECT_TRUE(reads(cost.flops, 1.34e8, 3));
}

TEST(Cost, ADecodeStepIsOneFlopAByteInHalfPrecision) {
  const DecodeStepCost cost = cost_of_decode_step(131'072, 128, 2);
  EXPECT_EQ(cost.bytes, 4.0 * 131'072 * 128);
  EXPECT_EQ(cost.flops, 4.0 * 131'072 * 128);
  EXPECT_EQ(cost.flops_per_byte, 1);
  EXPECT_EQ(cost_of_decode_step(131'072, 128, 1).flops_per_byte, 2);
}

template <typename Call>
void expect_refused(Call call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
  }
}

TEST(Cost, RefusesWhatIsEmptyOrNegative) {
  const Profile good = profile_named("card80");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double tokens : {-1.0, infinite, std::nan("")}) {
    expect_refused([&] { cost_of_reading(good.shape, good.machine, tokens); });
  }
  expect_refused([&] { cost_of_reading({}, good.machine, 1); });
  expect_refused([&] { cost_of_reading(good.shape, {}, 1); });
  ModelShape shape = good.shape;
  shape.head_dim = 0;
  expect_refused([&] { cost_of_reading(shape, good.machine, 1); });
  expect_refused([] { cost_of_scores(-1, 1, 1); });
  expect_refused([] { cost_of_decode_step(0, 1, 1); });
}

TEST(Cost, NothingReadCostsNothing) {
  const Profile good = profile_named("card80");
  const Cost cost = cost_of_reading(good.shape, good.machine, 0);
  EXPECT_EQ(cost.total_flops, 0);
  EXPECT_EQ(cost.kv_bytes, 0);
  EXPECT_EQ(cost.attention_share, 0);
  EXPECT_EQ(cost.concurrent_requests, 0);
}

TEST(Profile, UnknownNameIsNotFound) {
  try {
    profile_named("card81");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

}  // namespace
}  // namespace whereof
