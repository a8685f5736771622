#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TokenId greedy(std::vector<float> logits) { return Sampler({}).choose(logits); }

TEST(Sampler, GreedyTakesTheFirstOfTheLargest) {
  EXPECT_EQ(greedy({0, 3, 1, 3}), 1);
  EXPECT_EQ(greedy({-5}), 0);
  EXPECT_EQ(greedy({-kInfinity, -1e30F}), 1);
  EXPECT_EQ(greedy({0, kInfinity, kInfinity}), 1);
}

TEST(Sampler, NaNIsNeverChosen) {
  EXPECT_EQ(greedy({kNaN, 1, kNaN, 2}), 3);
  EXPECT_EQ(greedy({kNaN, kNaN}), 0);  // there is nothing else
  EXPECT_EQ(greedy({-kInfinity, -kInfinity}), 0);
  Sampler sampler({.temperature = 1, .top_k = 0, .top_p = 1, .seed = 3});
  const std::vector<float> logits = {kNaN, 0, -kInfinity, 0, kNaN};
  for (int i = 0; i < 200; ++i) {
    const TokenId choice = sampler.choose(logits);
    EXPECT_TRUE(choice == 1 || choice == 3) << choice;
  }
  EXPECT_EQ(sampler.choose(std::vector<float>{kNaN, kNaN}), 0);
  EXPECT_EQ(sampler.choose(std::vector<float>{0, kInfinity, kNaN}), 1);
}

TEST(Sampler, DrawsAreThoseOfTheDescription) {
  std::vector<float> logits(200);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    logits[i] = static_cast<float>((i * 37) % 101) / 8;
  }
  std::ifstream lines(WHEREOF_SOURCE_DIR "/tests/model/golden/samples.jsonl");
  int runs = 0;
  for (std::string line; std::getline(lines, line); ++runs) {
    const auto golden = nlohmann::json::parse(line);
    Sampler sampler({.temperature = golden["temperature"],
                     .top_k = golden["top_k"],
                     .top_p = golden["top_p"],
                     .seed = golden["seed"]});
    std::vector<TokenId> choices;
    for (std::size_t i = 0; i < golden["choices"].size(); ++i) {
      choices.push_back(sampler.choose(logits));
    }
    EXPECT_EQ(choices, golden["choices"].get<std::vector<TokenId>>()) << line;
  }
  EXPECT_EQ(runs, 6);
}

TEST(Sampler, FrequenciesFollowTheSoftmax) {
  const std::vector<float> logits = {0, std::log(2.0F), -40, std::log(5.0F)};
  Sampler sampler({.temperature = 1, .top_k = 0, .top_p = 1, .seed = 11});
  constexpr int kDraws = 80000;
  std::array<int, 4> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(sampler.choose(logits))];
  // Five standard deviations of a binomial count: a right sampler fails one seed in a million.
  const std::array<double, 4> expected = {1.0 / 8, 2.0 / 8, 0, 5.0 / 8};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double deviation = std::sqrt(kDraws * expected[i] * (1 - expected[i]));
    EXPECT_LE(std::abs(counts[i] - kDraws * expected[i]), 5 * deviation) << "token " << i;
  }
}

TEST(Sampler, TiesAtTheCutGoToTheLowerId) {
  const std::vector<float> logits(10, 1.0F);
  Sampler sampler({.temperature = 1, .top_k = 3, .top_p = 1, .seed = 1});
  std::array<int, 10> counts{};
  for (int i = 0; i < 300; ++i) ++counts[static_cast<std::size_t>(sampler.choose(logits))];
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i] > 0, i < 3) << i;
}

TEST(Sampler, ExtremesStayInRange) {
  const std::vector<float> logits = {-3e38F, 3e38F, 0, -1e-40F};
  for (const float temperature : {1e-38F, 1e-3F, 1.0F, 1e30F}) {
    Sampler sampler({.temperature = temperature, .top_k = 0, .top_p = 1, .seed = 5});
    for (int i = 0; i < 50; ++i) {
      const TokenId choice = sampler.choose(logits);
      EXPECT_TRUE(choice >= 0 && choice < 4);
      EXPECT_TRUE(choice == 1 || temperature > 1);
    }
  }
  Sampler sampler({.temperature = 1, .top_k = 1'000'000'000'000, .top_p = 1, .seed = 5});
  EXPECT_EQ(sampler.choose(logits), 1);
}

TEST(Sampler, RefusesOptionsOutOfRange) {
  const auto refuses = [](const SamplerOptions& options) {
    try {
      Sampler sampler(options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::invalid_argument;
    }
    return false;
  };
  EXPECT_TRUE(refuses({.temperature = -1}));
  EXPECT_TRUE(refuses({.temperature = kNaN}));
  EXPECT_TRUE(refuses({.temperature = kInfinity}));
  EXPECT_TRUE(refuses({.top_k = -1}));
  EXPECT_TRUE(refuses({.top_p = -0.1F}));
  EXPECT_TRUE(refuses({.top_p = 1.1F}));
  EXPECT_TRUE(refuses({.top_p = kNaN}));
  EXPECT_FALSE(refuses({.temperature = 0, .top_k = 0, .top_p = 0}));
  EXPECT_THROW(Sampler({}).choose({}), Error);
}

}  // namespace
}  // namespace whereof
