#include <gmock/gmock.h>

#include <limits>

#include "attention/attention_case.h"

namespace whereof::attention_test {
namespace {

class EvidenceOf : public testing::TestWithParam<InstructionSet> {};

std::string name_of_set(const testing::TestParamInfo<InstructionSet>& info) {
  return std::string(name_of(info.param));
}
INSTANTIATE_TEST_SUITE_P(Sets, EvidenceOf, testing::ValuesIn(runnable_instruction_sets()),
                         name_of_set);

void expect_near(double found, double wanted, double rows, const std::string& what) {
  EXPECT_NEAR(found, wanted, 4e-6 * rows + 2e-6 * std::abs(wanted)) << what;
}

void expect_equal(Case& c, const AttentionOptions& options, const EvidenceRequest& request) {
  c.run(options, &request);
  const reference::Naive<double> exact = c.naive<double>(options);
  const Evidence& e = c.evidence;
  const auto groups = reference::rows_of_groups(request, c.shape.query_length);
  ASSERT_EQ(e.groups, static_cast<std::int64_t>(groups.size()));
  ASSERT_EQ(e.key_spans, static_cast<std::int64_t>(request.key_spans.size()));
  for (std::int64_t b = 0; b < c.shape.batch; ++b) {
    for (std::int64_t head = 0; head < c.shape.query_heads; ++head) {
      for (std::int64_t g = 0; g < e.groups; ++g) {
        const auto& rows = groups[static_cast<std::size_t>(g)];
        const auto wanted = reference::group_evidence(exact, request, b, head, rows);
        const auto at = static_cast<std::size_t>(e.index(b, head, g));
        const double count = static_cast<double>(rows.size());
        const std::string what = c.shape.text() + " b" + std::to_string(b) + " head" +
                                 std::to_string(head) + " group" + std::to_string(g);
        EXPECT_EQ(e.row_count[static_cast<std::size_t>(g)], wanted.row_count);
        if (request.rows == EvidenceRows::single && wanted.row_count == 0) {
          EXPECT_EQ(e.log_sum_exp[at], -std::numeric_limits<float>::infinity()) << what;
        } else {
          expect_near(e.log_sum_exp[at], wanted.log_sum_exp, count, what + " log_sum_exp");
        }
        expect_near(e.max_weight[at], wanted.max_weight, 1, what + " max_weight");
        expect_near(e.entropy[at], wanted.entropy, count, what + " entropy");
        expect_near(e.sink_mass[at], wanted.sink_mass, count, what + " sink_mass");
        expect_near(e.unassigned_mass[at], wanted.unassigned_mass, count, what + " unassigned");
        for (std::size_t s = 0; s < wanted.span_mass.size(); ++s) {
          expect_near(e.span_mass[at * wanted.span_mass.size() + s], wanted.span_mass[s], count,
                      what + " span " + std::to_string(s));
        }
        for (std::size_t t = 0; t < static_cast<std::size_t>(e.top_keys); ++t) {
          const TopKey& top = e.top[at * static_cast<std::size_t>(e.top_keys) + t];
          if (t >= wanted.top.size()) {
            EXPECT_EQ(top.key, -1) << what;
            continue;
          }
          EXPECT_EQ(top.key, wanted.top[t].second) << what << " top " << t;
          expect_near(top.weight, wanted.top[t].first, 1, what + " top weight");
        }
      }
    }
  }
}

EvidenceRequest request_for(std::int64_t query_length, std::int64_t key_length, EvidenceRows rows) {
  EvidenceRequest request;
  request.rows = rows;
  request.sink_length = 3;
  request.top_keys = 5;
  for (std::int64_t begin = 2; begin < key_length; begin += 1 + begin / 2) {
    const std::int64_t end = std::min(key_length, begin + 1 + begin / 3);
    request.key_spans.push_back({begin, end});
  }
  for (std::int64_t row = 0; row < query_length; row += 4) {
    request.query_rows.push_back(row);
    request.query_spans.push_back({row, std::min(query_length, row + 3)});
  }
  return request;
}

constexpr EvidenceRows kAllGroupings[] = {EvidenceRows::all_summed, EvidenceRows::by_query_span,
                                          EvidenceRows::single};

TEST_P(EvidenceOf, PrefillInAllGroupings) {
  std::uint32_t seed = 10;
  for (const EvidenceRows rows : kAllGroupings) {
    for (const bool is_causal : {false, true}) {
      for (const std::int64_t query_length : {1, 17, 100, 130}) {
        Case c({.batch = 2,
                .query_length = query_length,
                .key_length = 150,
                .query_heads = 6,
                .kv_heads = 2,
                .kv_type = ElementType::bf16,
                .spread = 2},
               ++seed);
        expect_equal(c, {.mask = {.is_causal = is_causal}, .instruction_set = GetParam()},
                     request_for(query_length, 150, rows));
      }
    }
  }
}

TEST_P(EvidenceOf, DecodeInAllGroupings) {
  std::uint32_t seed = 30;
  for (const EvidenceRows rows : kAllGroupings) {
    for (const std::int64_t query_length : {1, 3}) {
      Case c({.query_length = query_length,
              .key_length = 2500,
              .query_heads = 6,
              .kv_heads = 2,
              .head_dim = 64,
              .value_dim = 64,
              .spread = 2},
             ++seed);
      expect_equal(c, {.mask = {.is_causal = true}, .instruction_set = GetParam()},
                   request_for(query_length, 2500, rows));
    }
  }
}

TEST_P(EvidenceOf, RowsThatSeeNoKey) {
  for (const EvidenceRows rows : kAllGroupings) {
    Case c({.query_length = 30, .key_length = 20, .query_heads = 2, .kv_heads = 1}, 50);
    expect_equal(c, {.mask = {.is_causal = true}, .instruction_set = GetParam()},
                 request_for(30, 20, rows));
  }
}

TEST_P(EvidenceOf, SixtyFourTopKeysAndManySpans) {
  Case c({.query_length = 40, .key_length = 300, .query_heads = 2, .kv_heads = 2, .spread = 2}, 60);
  EvidenceRequest request;
  request.top_keys = 64;
  request.sink_length = 0;
  for (std::int64_t key = 0; key < 300; ++key) request.key_spans.push_back({key, key + 1});
  expect_equal(c, {.instruction_set = GetParam()}, request);
}

TEST_P(EvidenceOf, SinkThatEndsInsideASpan) {
  for (const std::int64_t query_length : {1, 40}) {
    Case c({.query_length = query_length, .key_length = 300, .spread = 2}, 70);
    EvidenceRequest request;
    for (const std::int64_t sink_length : {4, 64, 70, 1000}) {
      request.sink_length = sink_length;
      request.key_spans = {{0, 10}, {10, 90}, {95, 300}};
      expect_equal(c, {.instruction_set = GetParam()}, request);
    }
  }
}

}  // namespace
}  // namespace whereof::attention_test
