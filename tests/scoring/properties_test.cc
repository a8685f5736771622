// What must hold whatever the inputs.
#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>

#include "parallel/thread_pool.h"
#include "scoring/scoring_case.h"

namespace whereof::scoring_test {
namespace {

class ScoringProperty : public testing::TestWithParam<InstructionSet> {};

INSTANTIATE_TEST_SUITE_P(Sets, ScoringProperty, testing::ValuesIn(runnable_instruction_sets()),
                         name_of_set);

ScoringShape shape_of(ScoringForm form) {
  return {.form = form,
          .batch = 2,
          .query_length = 130,
          .key_length = 700,
          .heads = 2,
          .query_dim = 12,
          .key_dim = 10,
          .value_dim = 9,
          .width = 14};
}

// The pool of this program has five threads on any machine.
const bool kHasFiveThreads = setenv("WHEREOF_THREADS", "5", 1) == 0;

TEST_P(ScoringProperty, TheSameBitsForAnyNumberOfThreads) {
  ASSERT_TRUE(kHasFiveThreads);
  ASSERT_EQ(parallel::ThreadPool::process().threads(), 5);
  for (const ScoringForm form : kForms) {
    ScoringShape shape = shape_of(form);
    shape.batch = 1;  // keys in pieces
    ScoringCase one(shape, 1);
    one.forward({.is_causal = true, .threads = 1, .instruction_set = GetParam()});
    one.backward({.is_causal = true, .threads = 1, .instruction_set = GetParam()});
    for (int repeat = 0; repeat < 3; ++repeat) {
      ScoringCase many(shape, 1);
      many.forward({.is_causal = true, .instruction_set = GetParam()});
      many.backward({.is_causal = true, .instruction_set = GetParam()});
      EXPECT_EQ(one.output.bytes(), many.output.bytes());
      EXPECT_EQ(one.log_sum_exp, many.log_sum_exp);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(one.gradients.at(i).bytes(), many.gradients.at(i).bytes())
            << name_of(form) << " " << kTensorNames[i];
      }
    }
  }
}

TEST_P(ScoringProperty, WeightsOfARowSumToOne) {
  for (const ScoringForm form : kForms) {
    ScoringCase c(shape_of(form), 2);
    GuardedTensor& value = c.inputs.at(2);
    value.for_each([&](auto... at) { value.set(at..., 1.0F); });
    c.forward({.instruction_set = GetParam()});
    for (const double x : c.output.array<double>().data) EXPECT_NEAR(x, 1, 4e-6);
  }
}

// concat is additive with one matrix cut in two.
TEST_P(ScoringProperty, ConcatEqualsAdditiveToTheBit) {
  ScoringCase concat(shape_of(ScoringForm::concat), 3);
  ScoringCase additive(shape_of(ScoringForm::additive), 3);
  for (const std::size_t i : {0, 1, 2, 5}) additive.inputs.at(i) = concat.inputs.at(i);
  const GuardedTensor& joined = concat.inputs.at(3);
  joined.for_each([&](auto a, auto h, auto w, auto d) {
    const std::int64_t query_dim = concat.shape.query_dim;
    if (d < query_dim) {
      additive.inputs.at(3).set(a, h, w, d, joined.get(a, h, w, d));
    } else {
      additive.inputs.at(4).set(a, h, w, d - query_dim, joined.get(a, h, w, d));
    }
  });
  for (ScoringCase* c : {&concat, &additive}) {
    c->forward({.instruction_set = GetParam()});
    c->backward({.instruction_set = GetParam()});
  }
  EXPECT_EQ(concat.output.bytes(), additive.output.bytes());
  for (const std::size_t i : {0, 1, 2, 5}) {
    EXPECT_EQ(concat.gradients.at(i).bytes(), additive.gradients.at(i).bytes());
  }
}

TEST_P(ScoringProperty, ARowThatSeesNothingGivesZerosAndAddsNothing) {
  for (const ScoringForm form : kForms) {
    ScoringShape shape = shape_of(form);
    shape.key_length = 100;  // the first 30 of 130 rows see none
    ScoringCase c(shape, 4);
    c.forward({.is_causal = true, .instruction_set = GetParam()});
    c.backward({.is_causal = true, .instruction_set = GetParam()});
    EXPECT_EQ(c.log_sum_exp[29], -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isfinite(c.log_sum_exp[30]));
    for (std::int64_t i = 0; i < 30; ++i) {
      for (std::int64_t d = 0; d < shape.value_dim; ++d) EXPECT_EQ(c.output.get(0, i, 0, d), 0);
      for (std::int64_t d = 0; d < shape.query_dim; ++d) {
        EXPECT_EQ(c.gradients.at(0).get(0, i, 0, d), 0);
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (const double x : c.gradients.at(i).array<double>().data) ASSERT_TRUE(std::isfinite(x));
    }
  }
}

TEST_P(ScoringProperty, NoKeysAndNoQueries) {
  for (const ScoringForm form : kForms) {
    for (const std::int64_t query_length : {0, 3}) {
      ScoringShape shape = shape_of(form);
      shape.query_length = query_length;
      shape.key_length = query_length == 0 ? 5 : 0;
      ScoringCase c(shape, 5);
      c.forward({.instruction_set = GetParam()});
      c.backward({.instruction_set = GetParam()});
      EXPECT_THAT(c.output.array<float>().data, testing::Each(0.0F));
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_THAT(c.gradients.at(i).array<float>().data, testing::Each(0.0F)) << name_of(form);
      }
    }
  }
}

TEST_P(ScoringProperty, NanInOneQueryRowStaysThere) {
  for (const ScoringForm form : kForms) {
    ScoringCase clean(shape_of(form), 6);
    ScoringCase poisoned(shape_of(form), 6);
    poisoned.inputs.at(0).set(0, 1, 1, 3, std::nanf(""));
    clean.forward({.instruction_set = GetParam()});
    poisoned.forward({.instruction_set = GetParam()});
    clean.output.for_each([&](auto b, auto row, auto h, auto d) {
      if (b == 0 && row == 1 && h == 1) {
        ASSERT_TRUE(std::isnan(poisoned.output.get(b, row, h, d)));
      } else {
        ASSERT_EQ(clean.output.get(b, row, h, d), poisoned.output.get(b, row, h, d));
      }
    });
  }
}

// Scores beyond any exponent of a float still give weights.
TEST_P(ScoringProperty, ExtremeScores) {
  ScoringCase c(shape_of(ScoringForm::additive), 7);
  GuardedTensor& vector = c.inputs.at(5);
  vector.for_each([&](auto... at) { vector.set(at..., 1000 * vector.get(at...)); });
  c.forward({.instruction_set = GetParam()});
  for (const double x : c.output.array<double>().data) {
    ASSERT_TRUE(std::isfinite(x));
    ASSERT_LE(std::abs(x), 6);
  }
}

}  // namespace
}  // namespace whereof::scoring_test
