// attention_backward: the accuracy bar against the oracle's gradients, and what must hold for any
// inputs. Failures print the shape.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "attention/backward_case.h"
#include "attention/mask_cases.h"
#include "parallel/thread_pool.h"

namespace whereof::attention_test {
namespace {

constexpr auto kF32 = ElementType::f32;
constexpr auto kBf16 = ElementType::bf16;

class Backward : public testing::TestWithParam<InstructionSet> {
 protected:
  AttentionOptions options(bool is_causal = false) const {
    AttentionOptions result;
    result.mask.is_causal = is_causal;
    result.instruction_set = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, Backward, testing::ValuesIn(tested_instruction_sets()), name_of_set);

// The bar, over all cases of a test that have the same types: a case of a few numbers may by chance
// be exact in the plain code, or lucky. Each case is held to a looser one that names its shape.
class Bar {
 public:
  ~Bar() {
    for (const auto& [types, gradients] : sums_) {
      for (const auto& [name, sums] : gradients) {
        EXPECT_LE(std::sqrt(sums.error / sums.count),
                  2 * std::sqrt(sums.plain / sums.count) + 0x1p-24)
            << name << " of all cases in " << types;
      }
    }
  }

  void add(BackwardCase& c, const AttentionOptions& options) {
    c.run(options);
    const auto exact = c.exact(options);
    const auto plain = c.plain(options);
    compare("grad_query", c, c.grad_query, exact.query, plain.query);
    compare("grad_key", c, c.grad_key, exact.key, plain.key);
    compare("grad_value", c, c.grad_value, exact.value, plain.value);
  }

 private:
  struct Sums {
    double error = 0;  // of squares
    double plain = 0;
    double count = 0;
  };

  void compare(const char* name, const BackwardCase& c, const GuardedTensor& found,
               const reference::Array<double>& wanted,
               const reference::Array<float>& by_plain_code) {
    const double error = rms_difference(found.array<double>().data, wanted.data);
    const double plain = rms_difference(by_plain_code.data, wanted.data);
    const auto count = static_cast<double>(wanted.data.size());
    const std::string text = c.forward.shape.text();
    EXPECT_LE(error, 4 * plain + 0x1p-20) << name << " of " << text;
    EXPECT_TRUE(found.guards_hold()) << name << " of " << text;
    Sums& sums = sums_[c.types()][name];
    sums.error += error * error * count;
    sums.plain += plain * plain * count;
    sums.count += count;
  }

  std::map<std::string, std::map<std::string, Sums>> sums_;
};

TEST_P(Backward, EveryLengthAroundTheTileEdges) {
  Bar bar;
  std::uint32_t seed = 1;
  for (const std::int64_t query_length : {1, 2, 3, 15, 16, 17, 33, 95, 96, 97}) {
    for (const std::int64_t key_length : {1, 2, 7, 64, 127, 128, 129, 200}) {
      for (const bool is_causal : {false, true}) {
        BackwardCase c({.query_length = query_length,
                        .key_length = key_length,
                        .head_dim = 20,
                        .value_dim = 13},
                       ++seed);
        bar.add(c, options(is_causal));
      }
    }
  }
}

TEST_P(Backward, HeadDimsTypesAndLayouts) {
  Bar bar;
  std::uint32_t seed = 1000;
  for (const std::int64_t head_dim : {1, 2, 5, 16, 31, 32, 64, 80, 96, 128, 256}) {
    for (const ElementType kv_type : {kF32, kBf16}) {
      for (const ElementType q_type : {kF32, kBf16}) {
        for (const ElementType gradients : {kF32, kBf16}) {
          BackwardCase c({.batch = 2,
                          .query_length = 21,
                          .key_length = 70,
                          .query_heads = 6,
                          .kv_heads = 2,
                          .head_dim = head_dim,
                          .value_dim = head_dim == 31 ? 9 : head_dim,
                          .query_type = q_type,
                          .kv_type = kv_type,
                          .output_type = q_type,
                          .layout = {.heads_outside = head_dim % 2 == 0,
                                     .gap = head_dim % 4,
                                     .misalignment = head_dim % 5}},
                         ++seed, gradients);
          bar.add(c, options(true));
        }
      }
    }
  }
}

TEST_P(Backward, ManyBlocksAndTiles) {
  Bar bar;
  std::uint32_t seed = 2000;
  for (const ElementType type : {kF32, kBf16}) {
    for (const bool is_causal : {false, true}) {
      BackwardCase c({.query_length = 300,
                      .key_length = 430,
                      .query_heads = 3,
                      .kv_heads = 1,
                      .head_dim = 64,
                      .value_dim = 48,
                      .query_type = type,
                      .kv_type = type,
                      .output_type = type},
                     ++seed, type);
      bar.add(c, options(is_causal));
    }
  }
}

TEST_P(Backward, QueryOffsets) {
  Bar bar;
  std::uint32_t seed = 3000;
  for (const std::int64_t offset : {-40, -9, -1, 0, 3, 60, 64, 500}) {
    BackwardCase c({.query_length = 40, .key_length = 100, .query_heads = 4, .kv_heads = 2},
                   ++seed);
    AttentionOptions shifted = options(true);
    shifted.mask.query_offset = offset;
    bar.add(c, shifted);
  }
}

TEST_P(Backward, ScalesAndSharpScores) {
  Bar bar;
  std::uint32_t seed = 4000;
  for (const float scale : {0.0F, 0.001F, 1.0F, -0.5F}) {
    for (const float spread : {0.1F, 1.0F, 8.0F}) {
      BackwardCase c({.query_length = 33,
                      .key_length = 150,
                      .head_dim = 32,
                      .value_dim = 32,
                      .spread = spread},
                     ++seed);
      AttentionOptions scaled = options();
      scaled.scale = scale;
      bar.add(c, scaled);
    }
  }
}

TEST_P(Backward, EveryMask) {
  Bar bar;
  std::uint32_t seed = 4500;
  for (const std::int64_t query_length : {3, 50, 150}) {
    const std::int64_t key_length = query_length + 80;
    for (const NamedMask& each : masks_for(query_length, key_length)) {
      SCOPED_TRACE(each.name);
      const ElementType type = ++seed % 2 == 0 ? kBf16 : kF32;
      BackwardCase c({.batch = 2,
                      .query_length = query_length,
                      .key_length = key_length,
                      .query_heads = 4,
                      .kv_heads = 2,
                      .head_dim = 24,
                      .value_dim = 20,
                      .query_type = type,
                      .kv_type = type,
                      .output_type = type},
                     seed, type);
      AttentionOptions masked = options();
      masked.mask = each.mask;
      masked.soft_cap = seed % 3 == 0 ? 1.5F : 0.0F;
      bar.add(c, masked);
    }
  }
}

TEST_P(Backward, SoftCaps) {
  Bar bar;
  std::uint32_t seed = 4800;
  for (const float soft_cap : {0.01F, 1.0F, 30.0F, 1e6F}) {
    for (const ElementType type : {kF32, kBf16}) {
      BackwardCase c({.query_length = 70,
                      .key_length = 150,
                      .head_dim = 32,
                      .value_dim = 32,
                      .query_type = type,
                      .kv_type = type,
                      .output_type = type,
                      .spread = 4},
                     ++seed);
      AttentionOptions capped = options(true);
      capped.scale = 0.5F;
      capped.soft_cap = soft_cap;
      bar.add(c, capped);
    }
  }
}

// Several heads of several blocks, of one block, and one head of many blocks.
TEST_P(Backward, TheSameBitsForAnyNumberOfThreads) {
  ASSERT_EQ(parallel::ThreadPool::process().threads(), 5);
  std::uint32_t seed = 5000;
  for (const ElementType type : {kF32, kBf16}) {
    for (const std::int64_t query_length : {20, 250, 1300}) {
      CaseShape shape{.batch = query_length < 1000 ? 2 : 1,
                      .query_length = query_length,
                      .key_length = query_length + 60,
                      .query_heads = query_length < 1000 ? 6 : 1,
                      .kv_heads = query_length < 1000 ? 3 : 1,
                      .query_type = type,
                      .kv_type = type,
                      .output_type = type};
      BackwardCase one(shape, ++seed);
      AttentionOptions single = options(true);
      single.threads = 1;
      one.run(single);
      for (const int threads : {2, 3, 0, 0}) {
        BackwardCase many(shape, seed);
        AttentionOptions several = options(true);
        several.threads = threads;
        many.run(several);
        EXPECT_EQ(one.grad_query.bytes(), many.grad_query.bytes());
        EXPECT_EQ(one.grad_key.bytes(), many.grad_key.bytes());
        EXPECT_EQ(one.grad_value.bytes(), many.grad_value.bytes());
      }
    }
  }
}

TEST_P(Backward, TheSameBitsForAnyNumberOfThreadsUnderEveryMask) {
  for (const NamedMask& each : masks_for(400, 480)) {
    SCOPED_TRACE(each.name);
    const CaseShape shape{.batch = 2, .query_length = 400, .key_length = 480};
    AttentionOptions masked = options();
    masked.mask = each.mask;
    BackwardCase many(shape, 5500);
    many.run(masked);
    BackwardCase one(shape, 5500);
    masked.threads = 1;
    one.run(masked);
    EXPECT_EQ(one.grad_query.bytes(), many.grad_query.bytes());
    EXPECT_EQ(one.grad_key.bytes(), many.grad_key.bytes());
    EXPECT_EQ(one.grad_value.bytes(), many.grad_value.bytes());
  }
}

TEST_P(Backward, GradientsAreOverwritten) {
  BackwardCase c({.query_length = 40, .key_length = 50}, 1);
  c.run(options());
  const auto first = c.grad_key.bytes();
  c.run_backward(options());
  EXPECT_EQ(first, c.grad_key.bytes());
}

void expect_all_zero(const GuardedTensor& tensor) {
  EXPECT_THAT(tensor.array<double>().data, testing::Each(0.0));
  EXPECT_TRUE(tensor.guards_hold());
}

TEST_P(Backward, ARowThatSeesNothingHasGradientZeroAndAddsNothing) {
  for (const std::int64_t key_length : {0, 5}) {
    BackwardCase c({.query_length = 9, .key_length = key_length, .query_heads = 2}, 1);
    BackwardCase other = c;  // the rows that see nothing have other numbers
    for (std::int64_t row = 0; row < 9 - key_length; ++row) {
      for (std::int64_t d = 0; d < 16; ++d) {
        other.forward.query.set(0, row, 1, d, 77.0F);
        other.grad_output.set(0, row, 1, d, -55.0F);
      }
    }
    c.run(options(true));
    other.run(options(true));
    c.grad_query.for_each([&](auto b, auto row, auto h, auto d) {
      if (row < 9 - key_length) {
        EXPECT_EQ(c.grad_query.get(b, row, h, d), 0);
      }
    });
    EXPECT_EQ(c.grad_query.bytes(), other.grad_query.bytes());
    EXPECT_EQ(c.grad_key.bytes(), other.grad_key.bytes());
    EXPECT_EQ(c.grad_value.bytes(), other.grad_value.bytes());
  }
}

TEST_P(Backward, EmptyCalls) {
  for (const std::int64_t batch : {0, 1}) {
    BackwardCase no_queries({.batch = batch, .query_length = 0, .key_length = 7}, 1);
    no_queries.run(options());
    expect_all_zero(no_queries.grad_key);
    expect_all_zero(no_queries.grad_value);
    BackwardCase no_keys({.batch = batch, .query_length = 7, .key_length = 0}, 1);
    no_keys.run(options());
    expect_all_zero(no_keys.grad_query);
  }
}

// What is not a number in one row stays in its own grad_query and in the keys that it sees.
TEST_P(Backward, NanInOneRowStaysWhereItMust) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const ElementType type : {kF32, kBf16}) {
    for (const float poison : {std::nanf(""), kInfinity, -kInfinity}) {
      for (const bool is_in_query : {false, true}) {
        const CaseShape shape{.query_length = 150,
                              .key_length = 150,
                              .query_heads = 4,
                              .kv_heads = 2,
                              .query_type = type,
                              .kv_type = type,
                              .output_type = type};
        BackwardCase clean(shape, 3);
        BackwardCase poisoned(shape, 3);
        GuardedTensor& tensor = is_in_query ? poisoned.forward.query : poisoned.grad_output;
        tensor.set(0, 101, 2, 5, poison);
        clean.run(options(true));
        poisoned.run(options(true));
        const auto expect_elsewhere = [](const GuardedTensor& a, const GuardedTensor& b,
                                         const auto& is_reached) {
          bool is_any_reached = false;
          a.for_each([&](auto i, auto row, auto h, auto d) {
            if (is_reached(row, h)) {
              is_any_reached = is_any_reached || !std::isfinite(b.get(i, row, h, d));
            } else {
              ASSERT_NEAR(a.get(i, row, h, d), b.get(i, row, h, d),
                          0x1p-6 * (0.1 + std::abs(a.get(i, row, h, d))))
                  << row << " " << h << " " << d;
            }
          });
          EXPECT_TRUE(is_any_reached);
        };
        expect_elsewhere(clean.grad_query, poisoned.grad_query,
                         [](auto row, auto h) { return row == 101 && h == 2; });
        const auto is_key_reached = [](auto key, auto h) { return key <= 101 && h == 1; };
        expect_elsewhere(clean.grad_key, poisoned.grad_key, is_key_reached);
        expect_elsewhere(clean.grad_value, poisoned.grad_value, is_key_reached);
      }
    }
  }
}

}  // namespace
}  // namespace whereof::attention_test
