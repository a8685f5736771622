// The whole document, passages or both: against sums worked by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "whereof/budget.h"
#include "whereof/error.h"

namespace whereof {
namespace {

// One layer and head of width 1, so that reading T tokens is 2 T (4 + 8) + 2 T (T + 1) FLOPs.
ModelShape tiny() {
  ModelShape shape;
  shape.layers = shape.width = shape.query_heads = shape.kv_heads = shape.head_dim = 1;
  shape.projection_parameters = 4;
  shape.feed_forward_parameters = 8;
  shape.weight_bytes = 24;
  shape.window_tokens = 2000;
  return shape;
}

MachineSpeed machine() {
  MachineSpeed machine;
  machine.flops_per_second = 1000;
  machine.bytes_per_second = 100;
  machine.memory_bytes = 100'024;
  return machine;
}

double reading(double tokens) { return (24 * tokens + 2 * tokens * (tokens + 1)) / 1000; }
// A key and a value of two bytes each, and the weights, for each token of the answer.
double answering(double before) { return 10 * (24 + 4 * (before + 5)) / 100; }

QuestionLoad load() { return {1000, 200, 20, 10}; }

TEST(Strategies, SecondsAreThoseWorkedByHand) {
  const StrategyComparison ways = compare_strategies(tiny(), machine(), load());
  EXPECT_DOUBLE_EQ(ways.full.once_seconds, reading(1000));
  EXPECT_NEAR(ways.full.question_seconds, reading(1020) - reading(1000) + answering(1000), 1e-9);
  EXPECT_DOUBLE_EQ(ways.retrieval.once_seconds, 0);
  EXPECT_NEAR(ways.retrieval.question_seconds, reading(220) + answering(200), 1e-9);
  EXPECT_NEAR(ways.hybrid.question_seconds,
              reading(220) - reading(200) + 800.0 / 100 + answering(200), 1e-9);
  EXPECT_DOUBLE_EQ(ways.full.kept_bytes, 4000);
  EXPECT_NEAR(ways.retrieval.at_once, 100'000.0 / (4 * 230), 1e-9);
  EXPECT_DOUBLE_EQ(ways.full.seconds_for(3),
                   ways.full.once_seconds + 3 * ways.full.question_seconds);
}

TEST(Strategies, BreakEvenIsWhereTheSumsCross) {
  const StrategyComparison ways = compare_strategies(tiny(), machine(), load());
  for (const auto& [kept, at] : {std::pair(ways.full, ways.full_breaks_even),
                                 std::pair(ways.hybrid, ways.hybrid_breaks_even)}) {
    if (!std::isfinite(at)) {
      EXPECT_GE(kept.question_seconds, ways.retrieval.question_seconds);
      continue;
    }
    EXPECT_LE(kept.seconds_for(at), ways.retrieval.seconds_for(at));
    if (at <= 1) continue;
    EXPECT_GT(kept.seconds_for(at - 1), ways.retrieval.seconds_for(at - 1));
  }
  EXPECT_TRUE(std::isfinite(ways.hybrid_breaks_even));
  // Reading all again for each answer's token can cost more than reading little anew.
  MachineSpeed slow_memory = machine();
  slow_memory.bytes_per_second = 1;
  EXPECT_TRUE(std::isinf(compare_strategies(tiny(), slow_memory, load()).full_breaks_even));
}

TEST(Strategies, TheWindowBoundsAllButTheHybrid) {
  QuestionLoad longer = load();
  longer.document_tokens = 8000;
  const StrategyComparison ways = compare_strategies(tiny(), machine(), longer);
  EXPECT_FALSE(ways.full.is_possible);
  EXPECT_TRUE(std::isinf(ways.full_breaks_even));
  EXPECT_TRUE(ways.retrieval.is_possible);
  EXPECT_TRUE(ways.hybrid.is_possible);
  EXPECT_DOUBLE_EQ(ways.hybrid.once_seconds, 4 * reading(2000));
}

TEST(Strategies, ShortDocumentsAndNonsense) {
  QuestionLoad nothing{0, 0, 20, 10};
  EXPECT_DOUBLE_EQ(compare_strategies(tiny(), machine(), nothing).hybrid.once_seconds, 0);
  QuestionLoad odd = load();
  odd.retrieved_tokens = 1001;
  EXPECT_THROW(compare_strategies(tiny(), machine(), odd), Error);
  odd.retrieved_tokens = std::nan("");
  EXPECT_THROW(compare_strategies(tiny(), machine(), odd), Error);
}

}  // namespace
}  // namespace whereof
