#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

TEST(Metrics, FirstHit) {
  const std::vector<Span> ranked = {{0, 10}, {20, 30}, {30, 40}};
  EXPECT_EQ(first_hit(ranked, std::vector<Span>{{29, 31}}), 2);
  EXPECT_EQ(first_hit(ranked, std::vector<Span>{{10, 20}}), 0);
  EXPECT_EQ(first_hit(ranked, std::vector<Span>{{100, 200}, {5, 6}}), 1);
  EXPECT_EQ(first_hit({}, std::vector<Span>{{0, 1}}), 0);
}

TEST(Metrics, RecallAndReciprocalRank) {
  const std::vector<std::int64_t> places = {1, 2, 0, 7};
  EXPECT_DOUBLE_EQ(recall_at(places, 1), 0.25);
  EXPECT_DOUBLE_EQ(recall_at(places, 5), 0.5);
  EXPECT_DOUBLE_EQ(recall_at(places, 10), 0.75);
  EXPECT_DOUBLE_EQ(mean_reciprocal_rank(places), (1 + 0.5 + 1.0 / 7) / 4);
  EXPECT_EQ(recall_at({}, 1), 0);
  EXPECT_EQ(mean_reciprocal_rank({}), 0);
}

TEST(Metrics, AurocByHand) {
  EXPECT_DOUBLE_EQ(auroc(std::vector<ScoredLabel>{{3, true}, {2, false}, {1, false}}), 1);
  EXPECT_DOUBLE_EQ(auroc(std::vector<ScoredLabel>{{1, true}, {2, false}}), 0);
  EXPECT_DOUBLE_EQ(auroc(std::vector<ScoredLabel>{{2, true}, {2, false}}), 0.5);
  EXPECT_DOUBLE_EQ(auroc(std::vector<ScoredLabel>{{2, true}, {2, true}}), 0.5);
  EXPECT_EQ(auroc({}), 0);
}

TEST(Metrics, AurocIsTheShareOfPairsInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<ScoredLabel> scored;
    for (int i = 0; i < 30; ++i) scored.push_back({double(random() % 9), random() % 3 == 0});
    scored.push_back({4, true});
    scored.push_back({4, false});
    double pairs = 0;
    double in_order = 0;
    for (const ScoredLabel& positive : scored) {
      for (const ScoredLabel& negative : scored) {
        if (!positive.is_positive || negative.is_positive) continue;
        pairs += 1;
        in_order += positive.score > negative.score    ? 1
                    : positive.score == negative.score ? 0.5
                                                       : 0;
      }
    }
    ASSERT_NEAR(auroc(scored), in_order / pairs, 1e-12);
  }
}

TEST(Metrics, PrecisionAtRecall) {
  const std::vector<ScoredLabel> scored = {{5, true}, {4, false}, {3, true}, {2, false}, {1, true}};
  EXPECT_DOUBLE_EQ(precision_at_recall(scored, 0.3), 1);
  EXPECT_DOUBLE_EQ(precision_at_recall(scored, 0.6), 2.0 / 3);
  EXPECT_DOUBLE_EQ(precision_at_recall(scored, 1), 3.0 / 5);
  EXPECT_EQ(precision_at_recall({}, 0.8), 0);
}

TEST(Metrics, RiskByCoverageTakesTheBestFirstAndTiesTogether) {
  const std::vector<ScoredLabel> scored{{0.9, true}, {0.5, false}, {0.5, true}, {0.1, false}};
  const auto curve = risk_by_coverage(scored);
  ASSERT_EQ(curve.size(), 3U);
  EXPECT_EQ(curve[0], std::pair(0.25, 0.0));
  EXPECT_EQ(curve[1], std::pair(0.75, 1.0 / 3));
  EXPECT_EQ(curve[2], std::pair(1.0, 0.5));
  EXPECT_TRUE(risk_by_coverage({}).empty());
}

TEST(Metrics, CitationsAgainstGold) {
  const std::vector<Span> cited = {{0, 10}, {5, 15}, {100, 110}};
  const std::vector<Span> gold = {{10, 20}, {200, 210}};
  CitationCounts counts = compare_citations(cited, gold);
  EXPECT_DOUBLE_EQ(counts.precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(counts.recall(), 0.5);
  EXPECT_EQ(counts.cited_characters, 25);
  EXPECT_EQ(counts.shared_characters, 5);
  EXPECT_DOUBLE_EQ(counts.character_precision(), 0.2);
  EXPECT_DOUBLE_EQ(counts.character_recall(), 0.25);
  counts += compare_citations(gold, gold);
  EXPECT_DOUBLE_EQ(counts.precision(), 3.0 / 5);
  EXPECT_EQ(compare_citations({}, {}).precision(), 0);
}

TEST(Metrics, RankCorrelationIsOfRanksAlone) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(rank_correlation(values, std::vector<double>{1, 10, 11, 1000}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(values, std::vector<double>{4, 3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(rank_correlation(values, std::vector<double>{5, 5, 5, 5}), 0);
  // Ranks 0, 1.5, 1.5, 3 against 0 to 3: 4.5 / sqrt(4.5 x 5).
  EXPECT_NEAR(rank_correlation(values, std::vector<double>{1, 2, 2, 3}), std::sqrt(0.9), 1e-12);
  EXPECT_DOUBLE_EQ(rank_correlation({}, {}), 0);
  EXPECT_THROW(rank_correlation(values, std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace whereof
