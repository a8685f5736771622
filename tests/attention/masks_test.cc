// Every mask, alone and together, in prefill and decode: output, log-sum-exp and evidence against
// the oracle, which asks its conditions key by key.
#include "attention/accuracy_bar.h"
#include "attention/evidence_check.h"
#include "attention/mask_cases.h"

namespace whereof::attention_test {
namespace {

class Masks : public testing::TestWithParam<InstructionSet> {
 protected:
  AttentionOptions with(const AttentionMask& mask, float soft_cap = 0) const {
    return {.soft_cap = soft_cap, .mask = mask, .instruction_set = GetParam()};
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, Masks, testing::ValuesIn(tested_instruction_sets()), name_of_set);

TEST_P(Masks, EveryMaskWithinTheBar) {
  std::uint32_t seed = 7000;
  for (const std::int64_t query_length : {1, 3, 50, 150}) {
    const std::int64_t key_length = query_length + 80;
    for (const NamedMask& each : masks_for(query_length, key_length)) {
      SCOPED_TRACE(each.name);
      const bool is_bf16 = ++seed % 2 == 0;
      Case c({.batch = 2,
              .query_length = query_length,
              .key_length = key_length,
              .query_heads = 4,
              .kv_heads = 2,
              .head_dim = 24,
              .value_dim = 24,
              .query_type = is_bf16 ? ElementType::bf16 : ElementType::f32,
              .kv_type = is_bf16 ? ElementType::bf16 : ElementType::f32},
             seed);
      expect_within_bar(c, with(each.mask));
    }
  }
}

TEST_P(Masks, EveryMaskWithEvidence) {
  std::uint32_t seed = 7500;
  for (const std::int64_t query_length : {2, 110}) {
    const std::int64_t key_length = query_length + 80;
    for (const NamedMask& each : masks_for(query_length, key_length)) {
      SCOPED_TRACE(each.name);
      Case c({.batch = 2,
              .query_length = query_length,
              .key_length = key_length,
              .query_heads = 4,
              .kv_heads = 2,
              .spread = 2},
             ++seed);
      expect_equal(c, with(each.mask),
                   request_for(query_length, key_length, kAllGroupings[seed % 3]));
    }
  }
}

TEST_P(Masks, DecodeOverLongKeys) {
  std::uint32_t seed = 8000;
  for (const AttentionMask& mask :
       {AttentionMask{.is_causal = true, .window = 700, .kept_sinks = 4},
        AttentionMask{.is_causal = true, .document_starts = {0, 1234}},
        AttentionMask{.is_causal = true, .hidden = {{0, 1}, {500, 1100}, {2000, 2001}}},
        AttentionMask{.is_causal = true, .key_lengths = {2049}}}) {
    for (const std::int64_t query_length : {1, 2}) {
      Case c({.query_length = query_length,
              .key_length = 2500,
              .query_heads = 6,
              .kv_heads = 2,
              .head_dim = 64,
              .value_dim = 64,
              .kv_type = ElementType::bf16,
              .spread = 2},
             ++seed);
      expect_within_bar(c, with(mask));
      expect_equal(c, with(mask), request_for(query_length, 2500, kAllGroupings[seed % 3]));
    }
  }
}

TEST_P(Masks, SoftCaps) {
  std::uint32_t seed = 8500;
  for (const float soft_cap : {0.5F, 5.0F, 50.0F}) {
    for (const std::int64_t query_length : {1, 40}) {
      Case c({.batch = 4,  // errors of a few rows alone are noise
              .query_length = query_length,
              .key_length = 130,
              .query_heads = 4,
              .kv_heads = 2,
              .head_dim = 32,
              .value_dim = 32,
              .spread = 4},
             ++seed);
      const AttentionOptions options = with({.is_causal = true, .window = 50}, soft_cap);
      expect_within_bar(c, options);
      expect_equal(c, options, request_for(query_length, 130, EvidenceRows::all_summed));
    }
  }
}

// What ablation rests on: hiding keys equals leaving them out.
TEST_P(Masks, HiddenKeysMightAsWellBeAbsent) {
  const CaseShape shape{.query_length = 30, .key_length = 200, .query_heads = 2, .kv_heads = 1};
  Case with_all(shape, 5);
  with_all.run(with({.hidden = {{64, 128}}}));
  CaseShape shorter = shape;
  shorter.key_length = 136;
  Case without(shorter, 5);
  without.query = with_all.query;
  without.key.for_each([&](auto a, auto key, auto c, auto d) {
    const std::int64_t from = key < 64 ? key : key + 64;
    without.key.set(a, key, c, d, with_all.key.get(a, from, c, d));
    without.value.set(a, key, c, d, with_all.value.get(a, from, c, d));
  });
  without.run(with({}));
  EXPECT_EQ(with_all.output.bytes(), without.output.bytes());
  EXPECT_EQ(with_all.log_sum_exp, without.log_sum_exp);
}

TEST_P(Masks, PackedDocumentsEqualEachAlone) {
  const CaseShape shape{.query_length = 160, .key_length = 160, .query_heads = 2, .kv_heads = 2};
  Case packed(shape, 6);
  packed.run(with({.is_causal = true, .document_starts = {0, 37, 101}}));
  for (const Span document : {Span{0, 37}, Span{37, 101}, Span{101, 160}}) {
    CaseShape alone_shape = shape;
    alone_shape.query_length = alone_shape.key_length = document.length();
    Case alone(alone_shape, 7);
    for (auto [to, from] : {std::pair{&alone.query, &packed.query},
                            {&alone.key, &packed.key},
                            {&alone.value, &packed.value}}) {
      to->for_each([&](auto a, auto row, auto c, auto d) {
        to->set(a, row, c, d, from->get(a, row + document.begin, c, d));
      });
    }
    alone.run(with({.is_causal = true}));
    alone.output.for_each([&](auto a, auto row, auto c, auto d) {
      ASSERT_NEAR(alone.output.get(a, row, c, d), packed.output.get(a, row + document.begin, c, d),
                  2e-6);
    });
  }
}

TEST_P(Masks, NothingThatIsNotSeenIsRead) {
  // NaN where nobody looks: behind the sequence, before the window, in hidden keys.
  for (const std::int64_t query_length : {1, 40}) {
    Case c({.query_length = query_length, .key_length = 260, .query_heads = 2, .kv_heads = 1}, 9);
    const AttentionMask mask{.is_causal = true,
                             .window = 30,
                             .kept_sinks = 2,
                             .key_lengths = {250},
                             .hidden = {{240, 244}}};
    const auto poison = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t key = begin; key < end; ++key) {
        for (std::int64_t d = 0; d < 16; ++d) {
          c.key.set(0, key, 0, d, std::nanf(""));
          c.value.set(0, key, 0, d, std::nanf(""));
        }
      }
    };
    poison(250, 260);
    poison(2, 250 - query_length - 30 + 1);
    poison(240, 244);
    c.run(with(mask));
    c.output.for_each([&](auto a, auto b, auto h, auto d) {
      ASSERT_FALSE(std::isnan(c.output.get(a, b, h, d))) << "row " << b;
    });
  }
}

}  // namespace
}  // namespace whereof::attention_test
