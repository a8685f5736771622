#include "attention/evidence_check.h"

namespace whereof::attention_test {
namespace {

class EvidenceOf : public testing::TestWithParam<InstructionSet> {};

INSTANTIATE_TEST_SUITE_P(Sets, EvidenceOf, testing::ValuesIn(tested_instruction_sets()),
                         name_of_set);

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
