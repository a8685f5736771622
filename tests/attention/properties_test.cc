// What must hold for any attention, whatever its inputs. Failures print the seed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>
#include <numeric>

#include "attention/attention_case.h"
#include "parallel/thread_pool.h"

namespace whereof::attention_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Property : public testing::TestWithParam<InstructionSet> {
 protected:
  AttentionOptions options(bool is_causal = false) const {
    AttentionOptions result;
    result.mask.is_causal = is_causal;
    result.instruction_set = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, Property, testing::ValuesIn(tested_instruction_sets()), name_of_set);

// Prefill, short queries and decode.
const std::vector<CaseShape>& shapes() {
  static const std::vector<CaseShape> all = [] {
    std::vector<CaseShape> list;
    for (const std::int64_t query_length : {1, 3, 40, 130}) {
      for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
        CaseShape shape;
        shape.query_length = query_length;
        shape.key_length = query_length < 4 ? 1400 : 170;
        shape.query_heads = 6;
        shape.kv_heads = 2;
        shape.head_dim = 32;
        shape.value_dim = 24;
        shape.query_type = shape.kv_type = type;
        list.push_back(shape);
      }
    }
    return list;
  }();
  return all;
}

double tolerance(const CaseShape& shape) {
  return shape.kv_type == ElementType::bf16 ? 0x1p-7 : 2e-6;
}

double largest_difference(const GuardedTensor& a, const GuardedTensor& b) {
  const auto x = a.array<double>().data;
  const auto y = b.array<double>().data;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

TEST_P(Property, WeightsOfARowSumToOne) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case c(shapes()[seed - 1], seed);
    c.value.for_each([&](auto... at) { c.value.set(at..., 1.0F); });
    c.run(options(true));
    for (const double x : c.output.array<double>().data) {
      EXPECT_NEAR(x, 1, tolerance(c.shape));
    }
  }
}

// A key component that all keys share adds one constant to all scores of a row.
TEST_P(Property, AConstantAddedToAllScoresChangesNothing) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case zero(shapes()[seed - 1], seed);
    zero.key.for_each([&](auto b, auto row, auto head, auto d) {
      if (d == 0) zero.key.set(b, row, head, d, 0.0F);
    });
    Case shifted = zero;
    shifted.key.for_each([&](auto b, auto row, auto head, auto d) {
      if (d == 0) shifted.key.set(b, row, head, d, 4.0F);
    });
    zero.run(options(true));
    shifted.run(options(true));
    EXPECT_LE(largest_difference(zero.output, shifted.output), 4 * tolerance(zero.shape));
  }
}

TEST_P(Property, CausalRowsIgnoreLaterKeys) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case before(shapes()[seed - 1], seed);
    Case after = before;
    const std::int64_t row = before.shape.query_length / 2;
    const std::int64_t first_hidden = before.shape.key_length - before.shape.query_length + row + 1;
    const auto disturb = [&](GuardedTensor& tensor) {
      tensor.for_each([&](auto b, auto key, auto head, auto d) {
        if (key >= first_hidden) tensor.set(b, key, head, d, 100.0F);
      });
    };
    disturb(after.key);
    disturb(after.value);
    before.run(options(true));
    after.run(options(true));
    for (std::int64_t i = 0; i <= row; ++i) {
      for (std::int64_t d = 0; d < before.shape.value_dim; ++d) {
        ASSERT_EQ(before.output.get(0, i, 5, d), after.output.get(0, i, 5, d)) << i;
      }
    }
  }
}

TEST_P(Property, APrefillRowEqualsItsDecodeStep) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case whole(shapes()[seed - 1], seed);
    whole.run(options(true));
    for (const std::int64_t row : {std::int64_t{0}, whole.shape.query_length - 1}) {
      CaseShape one_row = whole.shape;
      one_row.query_length = 1;
      Case step(one_row, 0);
      step.key = whole.key;
      step.value = whole.value;
      step.query.for_each([&](auto b, auto, auto h, auto d) {
        step.query.set(b, 0, h, d, whole.query.get(b, row, h, d));
      });
      AttentionOptions at = options(true);
      at.mask.query_offset = whole.shape.key_length - whole.shape.query_length + row;
      step.run(at);
      step.output.for_each([&](auto b, auto, auto h, auto d) {
        ASSERT_NEAR(step.output.get(b, 0, h, d), whole.output.get(b, row, h, d),
                    2 * tolerance(whole.shape));
      });
    }
  }
}

TEST_P(Property, GroupedHeadsEqualRepeatedHeads) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case grouped(shapes()[seed - 1], seed);
    CaseShape all_heads = grouped.shape;
    all_heads.kv_heads = all_heads.query_heads;
    Case repeated(all_heads, 0);
    repeated.query = grouped.query;
    const auto repeat = [&](GuardedTensor& to, const GuardedTensor& from) {
      to.for_each([&](auto b, auto row, auto h, auto d) {
        to.set(b, row, h, d, from.get(b, row, h / 3, d));
      });
    };
    repeat(repeated.key, grouped.key);
    repeat(repeated.value, grouped.value);
    grouped.run(options(true));
    repeated.run(options(true));
    EXPECT_LE(largest_difference(grouped.output, repeated.output), 2 * tolerance(grouped.shape));
  }
}

// Softmax over a union: outputs over disjoint keys, weighted by exp(log_sum_exp), add up.
TEST_P(Property, KeysSplitAnywhereAndMergedEqualTheWhole) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case whole(shapes()[seed - 1], seed);
    whole.run(options());
    for (const std::int64_t cut : {std::int64_t{1}, std::int64_t{64}, whole.shape.key_length - 5}) {
      Case first = whole;
      Case second = whole;
      const auto run_part = [&](Case& part, std::int64_t begin, std::int64_t end) {
        TensorView key = part.key.view();
        TensorView value = part.value.view();
        const auto skip = [&](TensorView& view) {
          view.data = static_cast<unsigned char*>(view.data) +
                      begin * view.strides[1] * bytes_of(view.type);
          view.shape[1] = end - begin;
        };
        skip(key);
        skip(value);
        forward(part.query.view(), key, value, part.output.view(), options(),
                part.log_sum_exp.data());
      };
      run_part(first, 0, cut);
      run_part(second, cut, whole.shape.key_length);
      whole.output.for_each([&](auto b, auto row, auto h, auto d) {
        const auto at = static_cast<std::size_t>(
            (b * whole.shape.query_heads + h) * whole.shape.query_length + row);
        const double total = static_cast<double>(whole.log_sum_exp[at]);
        const double merged = std::exp(static_cast<double>(first.log_sum_exp[at]) - total) *
                                  static_cast<double>(first.output.get(b, row, h, d)) +
                              std::exp(static_cast<double>(second.log_sum_exp[at]) - total) *
                                  static_cast<double>(second.output.get(b, row, h, d));
        ASSERT_NEAR(static_cast<double>(whole.output.get(b, row, h, d)), merged,
                    2 * tolerance(whole.shape));
      });
    }
  }
}

// The pool of this program has five threads on any machine.
const bool kHasFiveThreads = setenv("WHEREOF_THREADS", "5", 1) == 0;

TEST_P(Property, TheSameBitsForAnyNumberOfThreads) {
  ASSERT_TRUE(kHasFiveThreads);
  ASSERT_EQ(parallel::ThreadPool::process().threads(), 5);
  EvidenceRequest request;
  request.top_keys = 7;
  for (std::int64_t begin = 0; begin < 150; begin += 11)
    request.key_spans.push_back({begin, begin + 9});
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case one(shapes()[seed - 1], seed);
    AttentionOptions single = options(true);
    single.threads = 1;
    one.run(single, &request);
    for (int repeat = 0; repeat < 3; ++repeat) {
      Case many(shapes()[seed - 1], seed);
      many.run(options(true), &request);
      EXPECT_EQ(one.output.bytes(), many.output.bytes());
      EXPECT_EQ(one.log_sum_exp, many.log_sum_exp);
      EXPECT_EQ(one.evidence.entropy, many.evidence.entropy);
      EXPECT_EQ(one.evidence.log_sum_exp, many.evidence.log_sum_exp);
      EXPECT_EQ(one.evidence.max_weight, many.evidence.max_weight);
      EXPECT_EQ(one.evidence.sink_mass, many.evidence.sink_mass);
      EXPECT_EQ(one.evidence.span_mass, many.evidence.span_mass);
      EXPECT_EQ(one.evidence.unassigned_mass, many.evidence.unassigned_mass);
      ASSERT_EQ(one.evidence.top.size(), many.evidence.top.size());
      for (std::size_t i = 0; i < one.evidence.top.size(); ++i) {
        EXPECT_EQ(one.evidence.top[i].key, many.evidence.top[i].key);
        EXPECT_EQ(one.evidence.top[i].weight, many.evidence.top[i].weight);
      }
    }
  }
}

TEST_P(Property, EvidenceKeepsItsInvariants) {
  EvidenceRequest request;
  request.rows = EvidenceRows::single;
  for (std::int64_t begin = 1; begin < 160; begin += 13)
    request.key_spans.push_back({begin, begin + 8});
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CaseShape shape = shapes()[seed - 1];
    shape.spread = static_cast<float>(seed);
    Case c(shape, seed);
    request.query_rows.clear();
    for (std::int64_t row = 0; row < shape.query_length; ++row) request.query_rows.push_back(row);
    c.run(options(true), &request);
    const Evidence& e = c.evidence;
    for (std::size_t i = 0; i < e.entropy.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i) % e.groups;
      const double keys = static_cast<double>(shape.key_length - shape.query_length + row + 1);
      const auto begin = e.span_mass.begin() + static_cast<std::ptrdiff_t>(i) * e.key_spans;
      const double mass = std::accumulate(begin, begin + e.key_spans, 0.0) +
                          static_cast<double>(e.unassigned_mass[i]);
      EXPECT_NEAR(mass, 1, 1e-5);
      EXPECT_GE(e.entropy[i], 0);
      EXPECT_LE(static_cast<double>(e.entropy[i]), std::log(keys) * (1 + 1e-6));
      EXPECT_GE(static_cast<double>(e.max_weight[i]),
                std::exp(-static_cast<double>(e.entropy[i])) * (1 - 1e-4));
      EXPECT_LE(e.sink_mass[i], e.max_weight[i] * (1 + 1e-5));
    }
  }
}

TEST_P(Property, ExtremeScoresStayExact) {
  for (std::uint32_t seed = 1; seed <= shapes().size(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case c(shapes()[seed - 1], seed);
    AttentionOptions extreme = options();
    extreme.scale = 2000.0F;  // scores of some +-1e4
    c.run(extreme);
    const auto exact = c.naive<double>(extreme);
    for (std::size_t i = 0; i < c.log_sum_exp.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(c.log_sum_exp[i]), exact.log_sum_exp.data[i],
                  4e-6 * std::abs(exact.log_sum_exp.data[i]));
    }
    for (const double x : c.output.array<double>().data) {
      ASSERT_TRUE(std::isfinite(x));
      ASSERT_LE(std::abs(x), 6);
    }
  }
}

TEST_P(Property, ARowThatSeesNothingGivesZerosAndMinusInfinity) {
  for (const std::int64_t key_length : {0, 5}) {
    Case c({.query_length = 9, .key_length = key_length, .query_heads = 2}, 1);
    EvidenceRequest request;
    request.top_keys = 2;
    c.run(options(true), &request);
    for (std::int64_t row = 0; row < 9 - key_length; ++row) {
      for (const std::int64_t head : {0, 1}) {
        EXPECT_EQ(c.log_sum_exp[static_cast<std::size_t>(head * 9 + row)], -kInfinity);
        for (std::int64_t d = 0; d < 16; ++d) EXPECT_EQ(c.output.get(0, row, head, d), 0);
      }
    }
    EXPECT_EQ(c.evidence.row_count[0], key_length);
    if (key_length > 0) continue;
    EXPECT_THAT(c.evidence.entropy, testing::Each(0.0F));
    EXPECT_THAT(c.evidence.max_weight, testing::Each(0.0F));
    EXPECT_THAT(c.evidence.unassigned_mass, testing::Each(0.0F));
    EXPECT_EQ(c.evidence.top[0].key, -1);
  }
}

TEST_P(Property, NanInOneQueryRowStaysThere) {
  for (const float poison : {std::nanf(""), kInfinity, -kInfinity}) {
    for (const std::int64_t query_length : {3, 40}) {
      CaseShape shape{
          .query_length = query_length, .key_length = 600, .query_heads = 4, .kv_heads = 2};
      Case clean(shape, 3);
      Case poisoned(shape, 3);
      poisoned.query.set(0, 1, 2, 5, poison);
      EvidenceRequest request;
      request.rows = EvidenceRows::single;
      request.query_rows = {0, 1, 2};
      request.key_spans = {{0, 600}};
      clean.run(options(), &request);
      poisoned.run(options(), &request);
      clean.output.for_each([&](auto b, auto row, auto h, auto d) {
        if (row == 1 && h == 2) {
          ASSERT_TRUE(std::isnan(poisoned.output.get(b, row, h, d)));
        } else {
          ASSERT_EQ(clean.output.get(b, row, h, d), poisoned.output.get(b, row, h, d));
        }
      });
      for (std::size_t i = 0; i < clean.evidence.entropy.size(); ++i) {
        if (i == static_cast<std::size_t>(clean.evidence.index(0, 2, 1))) {
          EXPECT_TRUE(std::isnan(poisoned.evidence.span_mass[i]));
        } else {
          EXPECT_EQ(clean.evidence.span_mass[i], poisoned.evidence.span_mass[i]);
          EXPECT_EQ(clean.evidence.entropy[i], poisoned.evidence.entropy[i]);
        }
      }
    }
  }
}

TEST_P(Property, WorkedExample) {
  float x[] = {1, 0, 0, 1};
  float output[4];
  const TensorView identity = dense_view(x, ElementType::f32, {1, 2, 1, 2});
  const TensorView out = dense_view(output, ElementType::f32, {1, 2, 1, 2});
  forward(identity, identity, identity, out, options());
  EXPECT_NEAR(output[0], 0.670, 5e-4);
  EXPECT_NEAR(output[1], 0.330, 5e-4);
  forward(identity, identity, identity, out, options(true));
  EXPECT_EQ(output[0], 1);
  EXPECT_EQ(output[1], 0);
  float doubled[] = {2, 0, 0, 2};
  forward(dense_view(doubled, ElementType::f32, {1, 2, 1, 2}), identity, identity, out, options());
  EXPECT_NEAR(output[0], 0.804, 5e-4);
}

}  // namespace
}  // namespace whereof::attention_test
