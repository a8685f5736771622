#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "whereof/error.h"
#include "whereof/passage_ranking.h"

namespace whereof {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// One layer of two heads over three passages.
PassageMasses masses() {
  PassageMasses masses;
  masses.layers = 1;
  masses.heads = 2;
  masses.passages = 3;
  masses.content_free = {0.1F, 0.1F, 0.1F, 0.2F, 0.2F, 0.2F};
  masses.questions = {{0.1F, 0.4F, 0.2F, 0.2F, 0.1F, 0.3F}};
  return masses;
}

auto near(double value) { return DoubleNear(value, 1e-6); }

TEST(AttentionScores, AreWeightedSharesOfTheLiftOverTheContentFreeRows) {
  HeadWeights weights;
  weights.heads = {{0, 0, 2}, {0, 1, 0.5}};
  // Head 0 lifts 0, 0.3, 0.1 of 0.7; head 1 lifts 0, nothing below zero, 0.1 of 0.6.
  EXPECT_THAT(attention_scores(masses(), 0, weights),
              ElementsAre(near(0), near(2 * 0.3 / 0.7), near(2 * 0.1 / 0.7 + 0.5 * 0.1 / 0.6)));
}

TEST(AttentionScores, WithoutWeightsAllHeadsCountAlikeAndAreNotShares) {
  EXPECT_THAT(attention_scores(masses(), 0, {}),
              ElementsAre(near(0), near(0.15), near(0.05 + 0.05)));
}

TEST(AttentionScores, AHeadWithoutMassAddsNothing) {
  PassageMasses empty = masses();
  empty.questions[0] = {0, 0, 0, 0.2F, 0.2F, 0.4F};
  HeadWeights weights;
  weights.heads = {{0, 0, 2}, {0, 1, 1}};
  EXPECT_THAT(attention_scores(empty, 0, weights), ElementsAre(near(0), near(0), near(0.25)));
}

TEST(AttentionScores, AHeadThatLooksNowhereAddsNothing) {
  PassageMasses flat = masses();
  flat.questions[0] = flat.content_free;
  EXPECT_THAT(attention_scores(flat, 0, {}), ElementsAre(0, 0, 0));
}

TEST(AttentionScores, AHeadThatIsNotThereIsAnError) {
  HeadWeights weights;
  weights.source = "some.heads";
  weights.heads = {{1, 0, 1}};
  try {
    attention_scores(masses(), 0, weights);
    ADD_FAILURE() << "scores were given";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), testing::HasSubstr("some.heads: head 0 of layer 1"));
  }
}

TEST(CombinedScores, FittedWeightsAddStandardisedWords) {
  HeadWeights weights;
  weights.heads = {{0, 0, 1}};
  weights.full_text_weight = 0.5;
  const std::vector<double> attention = {0, 0, 3, 3};
  const std::vector<double> words = {10, 30, 10, 30};
  EXPECT_THAT(combined_scores(attention, words, weights),
              ElementsAre(near(-0.5), near(0.5), near(2.5), near(3.5)));
}

TEST(CombinedScores, WithoutWeightsBothAreStandardised) {
  HeadWeights weights;
  weights.full_text_weight = 0.5;
  const std::vector<double> attention = {0, 0, 3, 3};
  const std::vector<double> words = {10, 30, 10, 30};
  EXPECT_THAT(combined_scores(attention, words, weights),
              ElementsAre(near(-1.5), near(-0.5), near(0.5), near(1.5)));
  const std::vector<double> same = {2, 2, 2, 2};
  EXPECT_THAT(combined_scores(same, words, weights),
              ElementsAre(near(-0.5), near(0.5), near(-0.5), near(0.5)));
  EXPECT_THROW(combined_scores(same, std::vector<double>{1}, weights), Error);
}

TEST(WordsAtBest, AreTheStandardisedWordsOfThePassageThatAttentionRanksFirst) {
  const std::vector<double> words = {10, 30, 10, 30};
  EXPECT_NEAR(words_at_best(std::vector<double>{0, 3, 1, 2}, words), 1, 1e-9);
  EXPECT_NEAR(words_at_best(std::vector<double>{0, 1, 3, 2}, words), -1, 1e-9);
  EXPECT_EQ(words_at_best(std::vector<double>(4, 0), words), 0) << "nothing was attended to";
  EXPECT_EQ(words_at_best(std::vector<double>(4, 1), std::vector<double>(4, 0)), 0);
  EXPECT_EQ(words_at_best({}, {}), 0);
  EXPECT_THROW(words_at_best(std::vector<double>{1}, words), Error);
}

}  // namespace
}  // namespace whereof
