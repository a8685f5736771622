#include "reference/naive_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace whereof::reference {
namespace {

// [1, rows, 1, 2] with `diagonal` on the diagonal.
Array<double> diagonal(double diagonal) {
  Array<double> array({1, 2, 1, 2});
  array.at(0, 0, 0, 0) = array.at(0, 1, 0, 1) = diagonal;
  return array;
}

// X = I, W = I, head_dim 2: scores 1/sqrt 2 on the diagonal, e^0.7071 / (e^0.7071 + 1) = 0.66976.
TEST(NaiveAttention, WorkedExampleWithoutMask) {
  const Array<double> x = diagonal(1);
  const auto result = naive_attention(x, x, x);
  EXPECT_NEAR(result.scores.at(0, 0, 0, 0), 0.70711, 1e-5);
  EXPECT_EQ(result.scores.at(0, 0, 0, 1), 0);
  EXPECT_NEAR(result.weights.at(0, 0, 0, 0), 0.66976, 1e-5);
  EXPECT_NEAR(result.weights.at(0, 0, 0, 1), 0.33024, 1e-5);
  EXPECT_NEAR(result.weights.at(0, 0, 1, 0), 0.33024, 1e-5);
  for (const std::int64_t i : {0, 1}) {
    for (const std::int64_t j : {0, 1}) {
      EXPECT_EQ(result.output.at(0, i, 0, j), result.weights.at(0, 0, i, j));
    }
  }
  EXPECT_NEAR(result.log_sum_exp.at(0, 0, 0, 0), std::log(std::exp(std::sqrt(0.5)) + 1), 1e-12);
}

TEST(NaiveAttention, WorkedExampleWithCausalMask) {
  const Array<double> x = diagonal(1);
  const auto result = naive_attention(x, x, x, {.mask = {.is_causal = true}});
  EXPECT_EQ(result.output.at(0, 0, 0, 0), 1);
  EXPECT_EQ(result.output.at(0, 0, 0, 1), 0);
  EXPECT_NEAR(result.output.at(0, 1, 0, 1), 0.66976, 1e-5);
}

TEST(NaiveAttention, DoubledQueriesRaiseTheDiagonal) {
  const Array<double> x = diagonal(1);
  const auto result = naive_attention(diagonal(2), x, x);
  EXPECT_NEAR(result.weights.at(0, 0, 0, 0), 0.80442, 1e-5);
}

TEST(NaiveAttention, EvidenceOfTheWorkedExample) {
  const Array<double> x = diagonal(1);
  const auto result = naive_attention(x, x, x);
  EvidenceRequest request;
  request.key_spans = {{1, 2}};
  request.top_keys = 2;
  const GroupEvidence sums = group_evidence(result, request, 0, 0, {0, 1});
  const double p = 0.669761;
  EXPECT_EQ(sums.row_count, 2);
  EXPECT_NEAR(sums.max_weight, p, 1e-6);
  EXPECT_NEAR(sums.entropy, -2 * (p * std::log(p) + (1 - p) * std::log(1 - p)), 1e-6);
  EXPECT_NEAR(sums.sink_mass, 1, 1e-12);
  EXPECT_NEAR(sums.span_mass[0], 1, 1e-12);
  EXPECT_NEAR(sums.unassigned_mass, 1, 1e-12);
  ASSERT_EQ(sums.top.size(), 2U);
  EXPECT_EQ(sums.top[0].second, 0);
  EXPECT_NEAR(sums.top[1].first, p, 1e-6);
}

TEST(NaiveAttention, GroupsOfRows) {
  EvidenceRequest request;
  EXPECT_EQ(rows_of_groups(request, 3), (std::vector<std::vector<std::int64_t>>{{0, 1, 2}}));
  request.rows = EvidenceRows::by_query_span;
  request.query_spans = {{0, 1}, {2, 4}};
  EXPECT_EQ(rows_of_groups(request, 4), (std::vector<std::vector<std::int64_t>>{{0}, {2, 3}}));
  request.rows = EvidenceRows::single;
  request.query_rows = {1, 3};
  EXPECT_EQ(rows_of_groups(request, 4), (std::vector<std::vector<std::int64_t>>{{1}, {3}}));
}

}  // namespace
}  // namespace whereof::reference
