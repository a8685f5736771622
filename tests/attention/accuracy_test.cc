// The bar for a kernel: its error against the oracle is at most twice that of a plain
// implementation in the same precision.
#include "attention/accuracy_bar.h"

namespace whereof::attention_test {
namespace {

class Accuracy : public testing::TestWithParam<InstructionSet> {};

INSTANTIATE_TEST_SUITE_P(Sets, Accuracy, testing::ValuesIn(tested_instruction_sets()), name_of_set);

TEST_P(Accuracy, EveryLengthAroundTheTileEdges) {
  std::uint32_t seed = 1;
  for (const std::int64_t query_length : {1, 2, 3, 15, 16, 17, 31, 33, 48, 95, 96, 97}) {
    for (const std::int64_t key_length : {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200}) {
      for (const bool is_causal : {false, true}) {
        Case c({.query_length = query_length,
                .key_length = key_length,
                .head_dim = 20,
                .value_dim = 13},
               ++seed);
        expect_within_bar(c, {.mask = {.is_causal = is_causal}, .instruction_set = GetParam()});
      }
    }
  }
}

// Pairs of bf16, which some sets multiply on tiles of 16 x 16 words and in blocks of 240 rows.
TEST_P(Accuracy, LengthsAroundTheEdgesOfBf16Tiles) {
  std::uint32_t seed = 500;
  const auto check = [&](std::int64_t query_length, std::int64_t key_length) {
    Case c({.query_length = query_length,
            .key_length = key_length,
            .head_dim = 40,
            .value_dim = 24,
            .query_type = ElementType::bf16,
            .kv_type = ElementType::bf16},
           ++seed);
    for (const bool is_causal : {false, true}) {
      expect_within_bar(c, {.mask = {.is_causal = is_causal}, .instruction_set = GetParam()});
    }
  };
  for (const std::int64_t query_length : {13, 16, 17, 32, 33, 95}) {
    for (const std::int64_t key_length : {1, 15, 16, 17, 31, 33, 63, 64, 65}) {
      check(query_length, key_length);
    }
  }
  for (const std::int64_t query_length : {239, 240, 241, 253}) {
    for (const std::int64_t key_length : {255, 256, 257, 600}) check(query_length, key_length);
  }
}

TEST_P(Accuracy, HeadDimsTypesAndLayouts) {
  std::uint32_t seed = 1000;
  for (const std::int64_t head_dim : {1, 2, 5, 16, 31, 32, 64, 80, 96, 128, 256}) {
    for (const ElementType kv_type : {ElementType::f32, ElementType::bf16}) {
      for (const ElementType q_type : {ElementType::f32, ElementType::bf16}) {
        const auto other =
            q_type == ElementType::f32 && head_dim % 3 == 2 ? ElementType::bf16 : q_type;
        Case c({.batch = 2,
                .query_length = 21,
                .key_length = 70,
                .query_heads = 6,
                .kv_heads = 2,
                .head_dim = head_dim,
                .value_dim = head_dim == 31 ? 9 : head_dim,
                .query_type = q_type,
                .kv_type = kv_type,
                .output_type = other,
                .layout = {.heads_outside = head_dim % 2 == 0,
                           .gap = head_dim % 4,
                           .misalignment = head_dim % 5}},
               ++seed);
        expect_within_bar(c, {.mask = {.is_causal = true}, .instruction_set = GetParam()});
      }
    }
  }
}

TEST_P(Accuracy, DecodeOverLongKeys) {
  std::uint32_t seed = 2000;
  for (const std::int64_t key_length : {511, 512, 513, 1023, 1024, 1025, 3000, 5001}) {
    for (const std::int64_t query_length : {1, 2, 5}) {
      Case c({.query_length = query_length,
              .key_length = key_length,
              .query_heads = 7,
              .kv_heads = 1,
              .head_dim = 64,
              .value_dim = 64,
              .kv_type = ElementType::bf16,
              .layout = {.heads_outside = true}},
             ++seed);
      expect_within_bar(c, {.mask = {.is_causal = true}, .instruction_set = GetParam()});
    }
  }
}

TEST_P(Accuracy, QueryOffsets) {
  std::uint32_t seed = 3000;
  for (const std::int64_t offset : {-40, -9, -1, 0, 3, 60, 64, 500}) {
    Case c({.query_length = 40, .key_length = 100, .query_heads = 4, .kv_heads = 2}, ++seed);
    expect_within_bar(
        c, {.mask = {.is_causal = true, .query_offset = offset}, .instruction_set = GetParam()});
  }
}

TEST_P(Accuracy, ScalesAndSharpScores) {
  std::uint32_t seed = 4000;
  for (const float scale : {0.0F, 0.001F, 1.0F, -0.5F}) {
    for (const float spread : {0.1F, 1.0F, 8.0F}) {
      Case c({.query_length = 33,
              .key_length = 150,
              .head_dim = 32,
              .value_dim = 32,
              .spread = spread},
             ++seed);
      expect_within_bar(c, {.scale = scale, .instruction_set = GetParam()});
    }
  }
}

}  // namespace
}  // namespace whereof::attention_test
