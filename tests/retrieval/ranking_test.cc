#include "retrieval/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace whereof::retrieval {
namespace {

TermCounts match(std::int64_t passage, std::uint32_t body_length,
                 std::vector<std::array<std::uint32_t, kFieldCount>> counts) {
  TermCounts made;
  made.passage = passage;
  made.lengths[kBody] = body_length;
  made.counts = std::move(counts);
  return made;
}

std::vector<TermGroup> words(std::size_t count) {
  std::vector<TermGroup> groups;
  for (std::size_t i = 0; i < count; ++i) groups.push_back({i, 1, false});
  return groups;
}

FieldStatistics statistics(double passages, double mean_body) {
  FieldStatistics all;
  all.passages = passages;
  all.mean_lengths = {1, 4, mean_body};
  return all;
}

TEST(Ranking, IsTheFormula) {
  const std::vector<TermCounts> matches = {match(7, 20, {{0, 0, 2}})};
  const auto ranked = rank(matches, words(1), statistics(10, 10));
  const double idf = std::log(1 + 9.5 / 1.5);
  const double weight = 2 / (1 - 0.75 + 0.75 * 2);
  ASSERT_EQ(ranked.size(), 1U);
  EXPECT_EQ(ranked[0].passage, 7);
  EXPECT_DOUBLE_EQ(ranked[0].score, idf * weight / (1.2 + weight));
}

TEST(Ranking, RareTermsShortPassagesAndHeadingsCountMore) {
  const auto best = [](std::vector<TermCounts> matches) {
    return rank(matches, words(matches[0].counts.size()), statistics(100, 10)).front().passage;
  };
  EXPECT_EQ(best({match(1, 10, {{0, 0, 1}, {0, 0, 0}}), match(2, 10, {{0, 0, 0}, {0, 0, 1}}),
                  match(3, 10, {{0, 0, 1}, {0, 0, 0}})}),
            2);
  EXPECT_EQ(best({match(1, 30, {{0, 0, 1}}), match(2, 10, {{0, 0, 1}})}), 2);
  EXPECT_EQ(best({match(1, 10, {{0, 0, 1}}), match(2, 10, {{0, 1, 0}})}), 2);
}

TEST(Ranking, AddedWordsCountLessThanTheQuestions) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 1}, {0, 0, 0}}),
                                           match(2, 10, {{0, 0, 0}, {0, 0, 1}})};
  std::vector<TermGroup> groups = words(2);
  groups[0].is_added = true;
  const auto ranked = rank(matches, groups, statistics(100, 10));
  EXPECT_EQ(ranked[0].passage, 2);
  EXPECT_GT(ranked[1].score, 0);
}

TEST(Ranking, AddedWordsScoreButDoNotCover) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 1}, {0, 0, 0}}),
                                           match(2, 10, {{0, 0, 1}, {0, 0, 1}})};
  std::vector<TermGroup> groups = words(2);
  groups[1].is_added = true;
  const auto ranked = rank(matches, groups, statistics(100, 10));
  EXPECT_EQ(ranked[0].passage, 2);
  EXPECT_GT(ranked[0].score, ranked[1].score);
  EXPECT_EQ(ranked[0].coverage, 1);
  EXPECT_EQ(ranked[1].coverage, 1);
}

TEST(Ranking, ANamedClauseOutweighsWords) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 0}, {0, 0, 3}}),
                                           match(2, 10, {{1, 0, 0}, {0, 0, 0}})};
  const std::vector<TermGroup> groups = {{0, 1, true}, {1, 1, false}};
  EXPECT_EQ(rank(matches, groups, statistics(100, 10)).front().passage, 2);
}

TEST(Ranking, ASynonymCountsLessThanTheWord) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 0}, {0, 0, 1}}),
                                           match(2, 10, {{0, 0, 1}, {0, 0, 0}})};
  const std::vector<TermGroup> groups = {{0, 2, false}};
  const auto ranked = rank(matches, groups, statistics(100, 10));
  EXPECT_EQ(ranked[0].passage, 2);
  EXPECT_EQ(ranked[1].passage, 1);
  EXPECT_GT(ranked[1].score, 0);
}

TEST(Ranking, ACharacterCountsLessThanAWord) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 0}, {0, 0, 1}}),
                                           match(2, 10, {{0, 0, 1}, {0, 0, 0}})};
  const std::vector<TermGroup> groups = {{0, 1, false, false}, {1, 1, false, true}};
  const auto ranked = rank(matches, groups, statistics(100, 10));
  EXPECT_EQ(ranked[0].passage, 2);
  EXPECT_DOUBLE_EQ(ranked[1].score * 2, ranked[0].score);
}

TEST(Ranking, CoverageIsTheShareOfTheQuestionThatOccurs) {
  const std::vector<TermCounts> matches = {match(1, 10, {{0, 0, 5}, {0, 0, 1}}),
                                           match(2, 10, {{0, 0, 1}, {0, 0, 0}}),
                                           match(3, 10, {{0, 0, 0}, {0, 0, 1}})};
  const auto ranked = rank(matches, words(2), statistics(100, 10));
  EXPECT_EQ(ranked[0].passage, 1);
  EXPECT_DOUBLE_EQ(ranked[0].coverage, 1);
  EXPECT_DOUBLE_EQ(ranked[1].coverage, 0.5);
}

TEST(Ranking, TiesKeepTheOrderOfTheDocument) {
  const std::vector<TermCounts> matches = {match(9, 10, {{0, 0, 1}}), match(4, 10, {{0, 0, 1}})};
  EXPECT_EQ(rank(matches, words(1), statistics(10, 10)).front().passage, 4);
}

TEST(Ranking, OfNothing) { EXPECT_TRUE(rank({}, words(1), statistics(0, 0)).empty()); }

TEST(Ranking, ScoresAreFiniteForOddCounts) {
  const std::vector<TermCounts> matches = {match(1, 0, {{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}})};
  for (const double passages : {0.0, 1.0, 1e9}) {
    EXPECT_TRUE(std::isfinite(rank(matches, words(1), statistics(passages, 0)).front().score));
  }
}

}  // namespace
}  // namespace whereof::retrieval
