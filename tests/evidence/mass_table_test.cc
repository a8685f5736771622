#include "evidence/mass_table.h"

#include <gtest/gtest.h>

#include "whereof/error.h"

namespace whereof::evidence {
namespace {

// One layer, two heads, two spans, `rows` rows with these summed masses.
Evidence evidence_of(std::int64_t rows, std::vector<float> span_mass) {
  Evidence evidence;
  evidence.batch = 1;
  evidence.query_heads = 2;
  evidence.groups = 1;
  evidence.key_spans = 2;
  evidence.row_count = {rows};
  evidence.entropy = {1.0F * static_cast<float>(rows), 2.0F * static_cast<float>(rows)};
  evidence.sink_mass = {0.5F * static_cast<float>(rows), 0.3F * static_cast<float>(rows)};
  evidence.span_mass = std::move(span_mass);
  return evidence;
}

TEST(MassTable, GivesMeansOverRows) {
  MassTable table;
  table.add(std::vector{evidence_of(2, {0.2F, 0.4F, 0.6F, 0.0F})});
  table.add(std::vector{evidence_of(1, {0.1F, 0.2F, 0.3F, 0.0F})});
  EXPECT_EQ(table.rows(), 3);
  EXPECT_NEAR(table.mass(0, 0, 1), 0.2, 1e-6);
  EXPECT_NEAR(table.mass(0, 1, 0), 0.3, 1e-6);
  EXPECT_NEAR(table.sink_mass(), 0.4, 1e-6);
  EXPECT_NEAR(table.entropy(0), 1.5, 1e-6);
  EXPECT_NEAR(table.mass_of_all_spans(), (0.1 + 0.2 + 0.3) / 2, 1e-6);
  const std::vector<double> means = table.mean_span_mass();
  EXPECT_NEAR(means[0], 0.2, 1e-6);
  EXPECT_NEAR(means[1], 0.1, 1e-6);
}

TEST(MassTable, AddsAnotherAsIfItsRowsHadBeenAdded) {
  const auto first = evidence_of(2, {0.2F, 0.4F, 0.6F, 0.0F});
  const auto second = evidence_of(1, {0.1F, 0.2F, 0.3F, 0.0F});
  MassTable whole, parts, part;
  whole.add(std::vector{first});
  whole.add(std::vector{second});
  part.add(std::vector{first});
  parts.add(part);
  part = {};
  parts.add(part);  // nothing
  part.add(std::vector{second});
  parts.add(part);
  EXPECT_EQ(parts.rows(), whole.rows());
  EXPECT_EQ(parts.mean_masses(), whole.mean_masses());
  EXPECT_EQ(parts.sink_mass(), whole.sink_mass());
  EXPECT_EQ(parts.entropy(0), whole.entropy(0));
}

TEST(MassTable, RefusesAnotherShape) {
  MassTable table;
  table.add(std::vector{evidence_of(1, {0.1F, 0.2F, 0.3F, 0.0F})});
  Evidence other = evidence_of(1, {0.1F, 0.2F, 0.3F});
  other.key_spans = 3;
  EXPECT_THROW(table.add(std::vector{other}), Error);
  EXPECT_THROW(table.add(std::vector{other, other}), Error);
  other = evidence_of(1, {0.1F, 0.2F, 0.3F, 0.0F, 0.1F, 0.2F});
  other.key_spans = 3;
  MassTable wider;
  wider.add(std::vector{other});
  EXPECT_THROW(table.add(wider), Error);
}

TEST(SpanScores, SubtractTheContentFreeRowsAndStayAboveZero) {
  MassTable rows;
  rows.add(std::vector{evidence_of(1, {0.2F, 0.1F, 0.2F, 0.1F})});
  MassTable content_free;
  content_free.add(std::vector{evidence_of(4, {0.2F, 0.8F, 0.2F, 0.8F})});
  const std::vector<double> scores = span_scores(rows, content_free, {});
  EXPECT_NEAR(scores[0], 0.15, 1e-6);
  EXPECT_EQ(scores[1], 0);
}

TEST(SpanScores, OfChosenHeadsAreWeightedSharesOfTheLift) {
  MassTable rows;
  rows.add(std::vector{evidence_of(2, {0.4F, 0.4F, 0.6F, 0.2F})});
  MassTable content_free;
  content_free.add(std::vector{evidence_of(4, {0.4F, 1.2F, 0.4F, 0.4F})});
  HeadWeights weights;
  weights.heads = {{0, 0, 2}, {0, 1, 1}};
  const std::vector<double> scores = span_scores(rows, content_free, weights);
  // Head 0: 0.2, 0.2 less 0.1, 0.3, of 0.4; head 1: 0.3, 0.1 less 0.1, 0.1, of 0.4.
  EXPECT_NEAR(scores[0], 2 * 0.1 / 0.4 + 0.2 / 0.4, 1e-6);
  EXPECT_NEAR(scores[1], 0, 1e-6);
}

TEST(SpanScores, WithoutRowsAreZeroAndAnAbsentHeadIsAnError) {
  MassTable rows;
  rows.add(std::vector{evidence_of(1, {0.2F, 0.1F, 0.2F, 0.1F})});
  HeadWeights weights;
  weights.heads = {{0, 2, 1}};
  EXPECT_THROW(span_scores(rows, rows, weights), Error);
  EXPECT_TRUE(span_scores(MassTable(), rows, weights).empty());
}

TEST(TakeLastSpan, LeavesTheOthers) {
  std::vector<Evidence> layers{evidence_of(1, {0.2F, 0.4F, 0.6F, 0.1F})};
  const std::vector<double> taken = take_last_span(layers);
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_NEAR(taken[0], 0.4, 1e-6);
  EXPECT_NEAR(taken[1], 0.1, 1e-6);
  EXPECT_EQ(layers[0].key_spans, 1);
  EXPECT_EQ(layers[0].span_mass, (std::vector<float>{0.2F, 0.6F}));
}

TEST(Lookback, ComparesTokensOfTheDocumentWithTokensOfTheAnswer) {
  const std::vector<Evidence> layers{evidence_of(1, {0.2F, 0.2F, 0.0F, 0.0F})};
  const std::vector<double> on_answer{0.1, 0.5};
  // Head 0: 0.4 / 8 = 0.05 a token of the document, 0.1 / 2 = 0.05 of the answer; head 1: 0.
  EXPECT_NEAR(lookback_ratio(layers, 8, on_answer, 2), 0.25, 1e-6);
  EXPECT_EQ(lookback_ratio(layers, 0, on_answer, 2), 0);
  EXPECT_EQ(lookback_ratio(layers, 8, on_answer, 0), 0);
}

TEST(LargestWeight, CountsOnlyKeysInsideTheSpans) {
  Evidence evidence = evidence_of(1, {0, 0, 0, 0});
  evidence.top = {{0, 0.9F}, {12, 0.3F}, {20, 0.5F}, {-1, 0}};
  EXPECT_NEAR(largest_weight_on(std::vector{evidence}, std::vector<Span>{{10, 20}, {30, 40}}), 0.3,
              1e-6);
  EXPECT_EQ(largest_weight_on(std::vector{evidence}, std::vector<Span>{{30, 40}}), 0);
}

}  // namespace
}  // namespace whereof::evidence
