#include "answering/window_cuts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "whereof/error.h"

namespace whereof::answering {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Span> passages_of(std::span<const std::int64_t> lengths, std::int64_t begin) {
  std::vector<Span> passages;
  for (const std::int64_t length : lengths) {
    passages.push_back({begin, begin + length});
    begin += length;
  }
  return passages;
}

TEST(WindowCuts, RepeatAnEighthOfTheWindowBefore) {
  const std::vector<std::int64_t> lengths(10, 20);
  EXPECT_THAT(cut_into_windows(passages_of(lengths, 7), 160),
              ElementsAre(WindowCut{{7, 167}, 7}, WindowCut{{147, 207}, 167}));
}

TEST(WindowCuts, OnePassageMayFillAWindow) {
  const std::vector<std::int64_t> lengths = {10, 100, 10};
  EXPECT_THAT(
      cut_into_windows(passages_of(lengths, 0), 100),
      ElementsAre(WindowCut{{0, 10}, 0}, WindowCut{{10, 110}, 10}, WindowCut{{110, 120}, 110}));
}

TEST(WindowCuts, APassageOverTheWindowIsRefusedWithBothNumbers) {
  const std::vector<std::int64_t> lengths = {10, 101};
  try {
    cut_into_windows(passages_of(lengths, 0), 100);
    ADD_FAILURE() << "it was cut";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::over_window);
    EXPECT_THAT(error.what(), HasSubstr("101"));
    EXPECT_THAT(error.what(), HasSubstr("100"));
  }
}

TEST(WindowCuts, HoldEveryPassageOnceAndNeverTooMuch) {
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 500; ++round) {
    const auto room = static_cast<std::int64_t>(50 + random() % 200);
    std::vector<std::int64_t> lengths(1 + random() % 60);
    for (std::int64_t& length : lengths) length = static_cast<std::int64_t>(random() % 50);
    const std::vector<Span> passages = passages_of(lengths, 30);
    std::int64_t next = 30;
    for (const WindowCut& cut : cut_into_windows(passages, room)) {
      EXPECT_EQ(cut.own, next) << "seed " << kSeed << " round " << round;
      EXPECT_LE(cut.tokens.length(), room);
      EXPECT_LE(cut.own - cut.tokens.begin, room / 8);
      next = cut.tokens.end;
    }
    EXPECT_EQ(next, passages.back().end);
  }
}

TEST(WindowCuts, MillionsOfPassagesTakeLinearTime) {
  const std::vector<std::int64_t> lengths(2'000'000, 1);
  EXPECT_EQ(cut_into_windows(passages_of(lengths, 0), 8).size(), 1 + (2'000'000 - 8 + 6) / 7);
  const std::vector<std::int64_t> nothing(2'000'000, 0);
  EXPECT_EQ(cut_into_windows(passages_of(nothing, 0), 8).size(), 1U);
}

}  // namespace
}  // namespace whereof::answering
