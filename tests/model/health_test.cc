// Faults of attention and positions, injected into real and tiny models: the health check names
// each by what it computes, and raises no alarm on a clean model.
#include "whereof/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "model/model_files.h"
#include "model/position_check.h"
#include "whereof/error.h"

namespace whereof {
namespace {

constexpr std::array kAttentionFaults = {InjectedFault::mask_on_wrong_triangle,
                                         InjectedFault::mask_after_softmax, InjectedFault::no_scale,
                                         InjectedFault::scale_by_head_dim};

std::vector<std::string> tiny_models() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(WHEREOF_SOURCE_DIR "/tests/model/golden/families")) {
    if (entry.path().extension() == ".gguf") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class TinyHealth : public testing::TestWithParam<std::string> {
 protected:
  Health health_with(InjectedFault fault) const {
    const auto model =
        Model::open(WHEREOF_SOURCE_DIR "/tests/model/golden/families/" + GetParam() + ".gguf");
    return check_health(model, {.depth_tokens = 0, .threads = 1, .fault = fault});
  }
};

TEST_P(TinyHealth, ACleanModelRaisesNoAlarm) {
  const Health health = health_with(InjectedFault::none);
  EXPECT_TRUE(health.holds) << health.alarm;
  EXPECT_EQ(health.alarm, "");
  EXPECT_EQ(health.recognised, InjectedFault::none);
  for (const LayerHealth& layer : health.layers) {
    EXPECT_LT(layer.difference, 0.02);
    EXPECT_LT(layer.evidence_difference, 0.01);
    EXPECT_NEAR(layer.row_sum, 1, 1e-3);
  }
}

TEST_P(TinyHealth, EachFaultOfAttentionIsNamed) {
  for (const InjectedFault fault : kAttentionFaults) {
    const Health health = health_with(fault);
    EXPECT_FALSE(health.holds) << name_of(fault);
    EXPECT_EQ(name_of(health.recognised), name_of(fault)) << health.alarm;
    EXPECT_THAT(health.alarm, testing::HasSubstr("differs from its formula by"));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFamily, TinyHealth, testing::ValuesIn(tiny_models()),
                         [](const auto& name) { return name.param; });

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

TEST(Health, ACleanModelRaisesNoAlarm) {
  const Health health = check_health(smollm(), {.depth_tokens = 320});
  EXPECT_TRUE(health.holds) << health.alarm;
  EXPECT_EQ(health.positions.positions, 8);
  EXPECT_EQ(std::ssize(health.layers), smollm()->description().layers);
}

TEST(Health, EachFaultOfAttentionInARealModelIsNamed) {
  for (const InjectedFault fault : kAttentionFaults) {
    const Health health = check_health(smollm(), {.depth_tokens = 0, .fault = fault});
    EXPECT_FALSE(health.holds) << name_of(fault);
    EXPECT_EQ(name_of(health.recognised), name_of(fault)) << health.alarm;
  }
}

TEST(Health, FaultsOfPositionInARealModelAreNamed) {
  for (const InjectedFault fault :
       {InjectedFault::offset_restarts_at_depth, InjectedFault::rotary_table_too_short}) {
    const Health health = check_health(smollm(), {.depth_tokens = 320, .fault = fault});
    EXPECT_FALSE(health.holds) << name_of(fault);
    EXPECT_EQ(name_of(health.recognised), name_of(fault)) << health.alarm;
  }
}

// Evidence of a row that is read in a block: its masses over two spans and the rest.
double sum_of_row(InjectedFault fault, std::int64_t row) {
  const auto context = Context::create(smollm(), {.capacity_tokens = 64, .fault = fault});
  std::vector<TokenId> tokens(24);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<TokenId>(300 + 7 * i);
  EvidenceRequest request;
  request.rows = EvidenceRows::single;
  request.query_rows = {row};
  request.key_spans = {{0, 2}, {5, 24}};
  std::vector<Evidence> layers;
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &layers;
  context->read(tokens, read);
  double sum = 0;
  for (const Evidence& layer : layers) {
    for (const float mass : layer.span_mass) sum += static_cast<double>(mass);
    for (const float mass : layer.unassigned_mass) sum += static_cast<double>(mass);
  }
  return sum / static_cast<double>(layers.size() * static_cast<std::size_t>(layers[0].query_heads));
}

TEST(Health, AMaskAfterTheSoftmaxLeavesRowsThatDoNotSumToOne) {
  EXPECT_NEAR(sum_of_row(InjectedFault::none, 8), 1, 1e-3);
  EXPECT_NEAR(sum_of_row(InjectedFault::mask_on_wrong_triangle, 8), 1, 1e-3);
  EXPECT_NEAR(sum_of_row(InjectedFault::mask_after_softmax, 23), 1, 1e-3);
  EXPECT_LT(sum_of_row(InjectedFault::mask_after_softmax, 8), 0.95);
}

using model::KeyPlace;

TEST(FaultOfPlaces, WhatFitsNoKnownFaultHasNoName) {
  EXPECT_EQ(model::fault_of(std::vector<KeyPlace>{{10, 10, 10}, {20, 20, 20}}),
            InjectedFault::none);
  EXPECT_EQ(model::fault_of(std::vector<KeyPlace>{{10, 12, 10}, {20, 25, 20}}),
            InjectedFault::none);
  EXPECT_EQ(model::fault_of(std::vector<KeyPlace>{{10, -1, -1}}), InjectedFault::none);
}

TEST(FaultOfPlaces, TheAmountIsLeftOpen) {
  EXPECT_EQ(model::fault_of(std::vector<KeyPlace>{{10, 13, 10}, {20, 23, 20}}),
            InjectedFault::left_padding);
  EXPECT_EQ(model::fault_of(std::vector<KeyPlace>{{90, 90, 90}, {110, 10, 10}}),
            InjectedFault::offset_restarts_at_depth);
}

}  // namespace
}  // namespace whereof
