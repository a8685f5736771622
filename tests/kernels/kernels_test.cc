// Every kernel set that runs here, kernel by kernel, against plain loops; output buffers lie
// misaligned between guards.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/runnable_sets.h"
#include "numeric/half.h"

namespace whereof::kernels {
namespace {

class Kernels : public testing::TestWithParam<const KernelSet*> {
 protected:
  const KernelSet& set() const { return *GetParam(); }
  std::int64_t lanes() const { return set().lanes; }
};

INSTANTIATE_TEST_SUITE_P(Sets, Kernels, testing::ValuesIn(runnable_sets()), name_of_set);

// Floats at an address that no vector is aligned to, with guards around.
class Guarded {
 public:
  explicit Guarded(std::int64_t size, float fill = 0)
      : memory_(static_cast<std::size_t>(size + 2 * kPad), kGuard) {
    std::fill_n(memory_.begin() + kPad, size, fill);
  }
  float* data() { return memory_.data() + kPad; }
  float& operator[](std::int64_t i) { return memory_[i + kPad]; }
  void expect_guards() const {
    for (std::int64_t i = 0; i < kPad; ++i) {
      ASSERT_EQ(memory_[i], kGuard);
      ASSERT_EQ(memory_[memory_.size() - 1 - i], kGuard);
    }
  }

 private:
  static constexpr std::int64_t kPad = 17;
  static constexpr float kGuard = -12345.5F;
  std::vector<float> memory_;
};

Guarded random_floats(std::int64_t size, std::uint32_t seed, float spread = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Guarded floats(size);
  for (std::int64_t i = 0; i < size; ++i) floats[i] = spread * normal(random);
  return floats;
}

TEST(KernelRegistry, HoldsPortableFirstAndEverySetOnce) {
  const auto built = built_kernel_sets();
  ASSERT_FALSE(built.empty());
  EXPECT_EQ(built[0]->instruction_set, InstructionSet::portable);
  for (std::size_t i = 1; i < built.size(); ++i) {
    EXPECT_LT(built[i - 1]->instruction_set, built[i]->instruction_set);
  }
  for (const KernelSet* set : built) {
    EXPECT_EQ(set->floats.block.rows % set->lanes, 0);
    EXPECT_EQ(set->pairs.block.rows % set->lanes, 0);
    if (!can_run(set->instruction_set)) continue;
    EXPECT_EQ(&kernel_set_for(set->instruction_set), set);
  }
}

// exp2 is seen through a row of one key: bin_sum 1 relative to x, against maximum 0.
TEST_P(Kernels, Exp2ErrorIsBelowItsBound) {
  const std::int64_t columns = lanes();
  Guarded ones(columns, 1), max(columns), sum(columns, 1), mass(columns), x(columns);
  double worst = 0;
  for (double at = -125; at <= 0; at += 0.00037 * static_cast<double>(columns)) {
    for (std::int64_t i = 0; i < columns; ++i) x[i] = static_cast<float>(at + 0.00037 * double(i));
    set().mass_of_bin({ones.data(), x.data(), max.data(), sum.data(), mass.data(), columns});
    for (std::int64_t i = 0; i < columns; ++i) {
      const double exact = std::exp2(static_cast<double>(x[i]));
      worst = std::max(worst, std::abs(static_cast<double>(mass[i]) / exact - 1));
    }
  }
  EXPECT_LT(worst, 2.4e-7);
}

TEST_P(Kernels, TanhErrorIsBelowItsBound) {
  const std::int64_t columns = lanes();
  Guarded x(columns);
  double worst = 0;
  for (double at = -12; at <= 12; at += 0.00037 * static_cast<double>(columns)) {
    std::vector<double> exact;
    for (std::int64_t i = 0; i < columns; ++i) {
      x[i] = static_cast<float>(at + 0.00037 * double(i));
      exact.push_back(3 * std::tanh(static_cast<double>(x[i])));
    }
    set().cap({.scores = x.data(), .lines = 1, .columns = columns, .stride = columns, .factor = 3});
    for (std::int64_t i = 0; i < columns; ++i) {
      const double wanted = exact[static_cast<std::size_t>(i)];
      worst = std::max(worst, std::abs(static_cast<double>(x[i]) / wanted - 1));
    }
  }
  EXPECT_LT(worst, 4e-7);
}

TEST_P(Kernels, TanhAtItsEdges) {
  const std::int64_t columns = lanes();
  Guarded x(columns);
  const auto tanh_of = [&](float at) {
    for (std::int64_t i = 0; i < columns; ++i) x[i] = at;
    set().cap({.scores = x.data(), .lines = 1, .columns = columns, .stride = columns, .factor = 1});
    return x[columns - 1];
  };
  EXPECT_EQ(tanh_of(0), 0);
  EXPECT_EQ(tanh_of(1e-30F), 1e-30F);
  EXPECT_EQ(tanh_of(-20), -1);
  EXPECT_EQ(tanh_of(HUGE_VALF), 1);
  EXPECT_TRUE(std::isnan(tanh_of(std::nanf(""))));
}

TEST_P(Kernels, Exp2AtItsEdges) {
  const std::int64_t columns = lanes();
  Guarded ones(columns, 1), max(columns), sum(columns, 1), mass(columns), x(columns);
  const auto exp2_of = [&](float at) {
    for (std::int64_t i = 0; i < columns; ++i) x[i] = at;
    set().mass_of_bin({ones.data(), x.data(), max.data(), sum.data(), mass.data(), columns});
    return mass[columns - 1];
  };
  EXPECT_EQ(exp2_of(0), 1);
  EXPECT_EQ(exp2_of(-1), 0.5F);
  EXPECT_EQ(exp2_of(-100), 0x1p-100F);
  EXPECT_LE(exp2_of(-127.5F), 0x1p-126F);
  EXPECT_EQ(exp2_of(-1000), 0);
  EXPECT_EQ(exp2_of(kMaskedScore), 0);
  EXPECT_EQ(exp2_of(-std::numeric_limits<float>::infinity()), 0);
  EXPECT_TRUE(std::isnan(exp2_of(std::nanf(""))));
  mass.expect_guards();
}

TEST_P(Kernels, ScoresOfEveryCountOfRowsAndVectors) {
  for (std::int64_t rows = 1; rows <= 19; ++rows) {
    for (std::int64_t vectors = 1; vectors <= 7; ++vectors) {
      const std::int64_t columns = vectors * lanes(), depth = 5 + rows % 3;
      const std::int64_t stride = columns + 3, row_stride = depth + 2;
      Guarded panel = random_floats(depth * stride, 1);
      Guarded from = random_floats(rows * row_stride, 2);
      Guarded scores(rows * stride, 7);
      set().floats.score({.panel = panel.data(),
                          .rows = from.data(),
                          .scores = scores.data(),
                          .row_stride = row_stride,
                          .row_count = rows,
                          .depth = depth,
                          .columns = columns,
                          .stride = stride,
                          .factor = 0.5F});
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < stride; ++c) {
          double sum = 0;
          for (std::int64_t d = 0; d < depth; ++d) {
            sum += static_cast<double>(panel[d * stride + c]) * double(from[r * row_stride + d]);
          }
          ASSERT_NEAR(scores[r * stride + c], c < columns ? 0.5 * sum : 7, 1e-5);
        }
      }
      scores.expect_guards();
    }
  }
}

TEST_P(Kernels, ValuesOfEveryCount) {
  for (std::int64_t dims : {1, 2, 7, 8, 11, 48}) {
    for (std::int64_t keys : {1, 2, 3, 40}) {
      const std::int64_t columns = 2 * lanes(), value_stride = dims + 3;
      Guarded weights = random_floats(keys * columns, 3);
      Guarded values = random_floats(keys * value_stride, 4);
      Guarded rescale(columns, 0.25F);
      Guarded output(dims * columns, 2);
      set().floats.value({.weights = weights.data(),
                          .values = values.data(),
                          .output = output.data(),
                          .rescale = rescale.data(),
                          .value_stride = value_stride,
                          .key_count = keys,
                          .value_dim = dims,
                          .columns = columns,
                          .stride = columns});
      for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t j = 0; j < dims; ++j) {
          double sum = 0.5;
          for (std::int64_t k = 0; k < keys; ++k) {
            sum += static_cast<double>(weights[k * columns + c]) *
                   static_cast<double>(values[k * value_stride + j]);
          }
          ASSERT_NEAR(output[j * columns + c], sum, 1e-4);
        }
      }
      output.expect_guards();
    }
  }
}

TEST_P(Kernels, WidensEveryCount) {
  for (std::int64_t count = 0; count <= 70; ++count) {
    std::vector<std::uint16_t> from;
    for (std::int64_t i = 0; i < count; ++i) {
      from.push_back(numeric::bf16_of_float(static_cast<float>(i) * 0.37F - 9));
    }
    Guarded to(count);
    set().widen_bf16(from.data(), to.data(), count);
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_EQ(to[i], numeric::float_of_bf16(from[static_cast<std::size_t>(i)]));
    }
    to.expect_guards();
  }
}

// Both arrangements of the softmax, two tiles in a row, with segments, against the definition.
TEST_P(Kernels, OnlineSoftmaxOverTwoTiles) {
  const std::int64_t keys = 37, rows = lanes(), padded = (keys + lanes() - 1) / lanes() * lanes();
  const std::vector<std::int64_t> ends = {1, 2, 20, 21, 37};
  const auto segments = static_cast<std::int64_t>(ends.size());
  const auto state = [&](float fill) { return Guarded(rows, fill); };
  Guarded max = state(kNoMaximum), sum = state(0), dot = state(0), rescale = state(0);
  Guarded row_max = state(kNoMaximum), row_sum = state(0), row_dot = state(0);
  Guarded row_rescale = state(0), sums(segments * rows), row_sums(segments * rows);
  std::vector<std::vector<double>> all(static_cast<std::size_t>(rows));
  for (std::uint32_t tile = 0; tile < 2; ++tile) {
    Guarded scores = random_floats(keys * rows, 6 + tile, 4);
    Guarded turned(rows * padded, kMaskedScore);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t k = 0; k < keys; ++k) {
        turned[r * padded + k] = scores[k * rows + r];
        all[static_cast<std::size_t>(r)].push_back(static_cast<double>(scores[k * rows + r]));
      }
    }
    set().softmax({scores.data(), max.data(), sum.data(), dot.data(), rescale.data(), sums.data(),
                   ends.data(), segments, rows, rows});
    set().row_softmax({turned.data(), row_max.data(), row_sum.data(), row_dot.data(),
                       row_rescale.data(), row_sums.data(), ends.data(), segments, rows, padded,
                       rows});
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t k = keys; k < padded; ++k) ASSERT_EQ(turned[r * padded + k], 0);
    }
    scores.expect_guards();
    turned.expect_guards();
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto& scores = all[static_cast<std::size_t>(r)];
    const double largest = *std::max_element(scores.begin(), scores.end());
    double total = 0, dotted = 0;
    for (const double s : scores) {
      total += std::exp2(s - largest);
      dotted += std::exp2(s - largest) * (s - largest);
    }
    EXPECT_EQ(static_cast<double>(max[r]), largest);
    EXPECT_EQ(row_max[r], max[r]);
    EXPECT_NEAR(sum[r], total, 1e-5 * total);
    EXPECT_NEAR(row_sum[r], total, 1e-5 * total);
    EXPECT_NEAR(dot[r], dotted, 1e-5 * std::abs(dotted) + 1e-5);
    EXPECT_NEAR(row_dot[r], dotted, 1e-5 * std::abs(dotted) + 1e-5);
    std::int64_t begin = 0;
    for (std::int64_t s = 0; s < segments; ++s) {
      double wanted = 0;
      for (std::int64_t k = begin; k < ends[static_cast<std::size_t>(s)]; ++k) {
        wanted += std::exp2(scores[static_cast<std::size_t>(keys + k)] - largest);
      }
      begin = ends[static_cast<std::size_t>(s)];
      EXPECT_NEAR(sums[s * rows + r], wanted, 1e-5 * wanted + 1e-9);
      EXPECT_NEAR(row_sums[s * rows + r], wanted, 1e-5 * wanted + 1e-9);
    }
  }
}

TEST_P(Kernels, MasksAndFindsScores) {
  const std::int64_t keys = 9, rows = 2 * lanes();
  Guarded scores = random_floats(keys * rows, 8);
  Guarded before = scores;
  Guarded sinks_begin(rows), sinks_end(rows), begin(rows), end(rows), threshold(rows, 0.5F);
  for (std::int64_t r = 0; r < rows; ++r) {
    end[r] = static_cast<float>(r % (keys + 1));
    begin[r] = static_cast<float>(r % (keys + 1) * 2 / 3);
    sinks_end[r] = static_cast<float>(r % (keys + 1) / 2);
    sinks_begin[r] = static_cast<float>(r % (keys + 1) / 3);
  }
  set().mask({scores.data(), sinks_begin.data(), sinks_end.data(), begin.data(), end.data(), keys,
              rows, rows});
  std::vector<std::uint32_t> wanted;
  for (std::int64_t k = 0; k < keys; ++k) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto at = static_cast<float>(k);
      const bool is_visible =
          (sinks_begin[r] <= at && at < sinks_end[r]) || (begin[r] <= at && at < end[r]);
      ASSERT_EQ(scores[k * rows + r], is_visible ? before[k * rows + r] : kMaskedScore);
      if (scores[k * rows + r] > 0.5F) wanted.push_back(static_cast<std::uint32_t>(k << 16 | r));
    }
  }
  std::vector<std::uint32_t> found(static_cast<std::size_t>(keys * rows));
  const ScoreSearch search{scores.data(), threshold.data(), keys, rows, rows, found.data()};
  found.resize(static_cast<std::size_t>(set().find_above(search)));
  EXPECT_EQ(found, wanted);
  // The same memory read as [row][key].
  for (std::uint32_t& at : wanted) at = at << 16 | at >> 16;
  found.resize(static_cast<std::size_t>(keys * rows));
  found.resize(static_cast<std::size_t>(set().row_find_above(search)));
  EXPECT_EQ(found, wanted);
}

// Element `high` (0 or 1) of a word.
std::uint16_t half(Guarded& floats, std::int64_t word, std::int64_t high) {
  std::uint32_t bits;
  std::memcpy(&bits, floats.data() + word, sizeof bits);
  return static_cast<std::uint16_t>(bits >> (16 * high));
}

// The softmax that leaves pairs of bf16 differs from the other one in nothing else.
TEST_P(Kernels, SoftmaxOfPairsRoundsTheSameWeights) {
  if (set().pairs.elements_per_word == 0) {
    EXPECT_EQ(set().pair_packing.softmax, nullptr);
    return;
  }
  const std::int64_t columns = 2 * lanes();
  for (const std::vector<std::int64_t>& ends : std::vector<std::vector<std::int64_t>>{
           {1}, {2}, {3}, {1, 2, 3, 4}, {3, 4, 9}, {2, 7, 8, 21}, {64}, {31, 64}}) {
    const std::int64_t keys = ends.back(), segments = static_cast<std::int64_t>(ends.size());
    struct Run {
      Guarded scores, max, sum, dot, rescale, sums;
    };
    const auto start = [&] {
      return Run{random_floats(keys * columns, 12, 4),
                 Guarded(columns, 0.5F),
                 Guarded(columns, 2),
                 Guarded(columns, -1),
                 Guarded(columns),
                 Guarded(segments * columns)};
    };
    Run floats = start(), pairs = start();
    const auto arguments = [&](Run& run) {
      return SoftmaxTile{
          run.scores.data(), run.max.data(), run.sum.data(), run.dot.data(), run.rescale.data(),
          run.sums.data(),   ends.data(),    segments,       columns,        columns};
    };
    set().softmax(arguments(floats));
    set().pair_packing.softmax(arguments(pairs));
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t k = 0; k < keys; ++k) {
        ASSERT_EQ(half(pairs.scores, k / 2 * columns + c, k % 2),
                  numeric::bf16_of_float(floats.scores[k * columns + c]));
      }
      if (keys % 2 == 1) {
        ASSERT_EQ(half(pairs.scores, keys / 2 * columns + c, 1), 0);
      }
      ASSERT_EQ(pairs.max[c], floats.max[c]);
      ASSERT_EQ(pairs.sum[c], floats.sum[c]);
      ASSERT_EQ(pairs.dot[c], floats.dot[c]);
      ASSERT_EQ(pairs.rescale[c], floats.rescale[c]);
      for (std::int64_t s = 0; s < segments; ++s) {
        ASSERT_EQ(pairs.sums[s * columns + c], floats.sums[s * columns + c]);
      }
    }
    pairs.scores.expect_guards();
  }
}

TEST_P(Kernels, PairsOfBf16) {
  if (set().pairs.elements_per_word == 0) {
    EXPECT_EQ(set().pairs.score, nullptr);
    return;
  }
  const std::int64_t keys = 7, columns = 2 * lanes();
  Guarded weights = random_floats(keys * columns, 9);
  Guarded by_row = weights;
  set().pair_packing.pack_rows(by_row.data(), keys, columns, columns);
  for (std::int64_t k = 0; k < keys; ++k) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::uint16_t wanted = numeric::bf16_of_float(weights[k * columns + c]);
      ASSERT_EQ(half(by_row, k * columns + c / 2, c % 2), wanted);
    }
  }
  std::vector<std::uint16_t> low(37), high(37);
  for (std::size_t i = 0; i < 37; ++i) {
    low[i] = static_cast<std::uint16_t>(i);
    high[i] = static_cast<std::uint16_t>(1000 + i);
  }
  Guarded words(37), lonely(37);
  set().pair_packing.interleave(low.data(), high.data(), words.data(), 37);
  set().pair_packing.interleave(low.data(), nullptr, lonely.data(), 37);
  for (std::int64_t i = 0; i < 37; ++i) {
    ASSERT_EQ(half(words, i, 0), i);
    ASSERT_EQ(half(words, i, 1), 1000 + i);
    ASSERT_EQ(half(lonely, i, 1), 0);
  }
  words.expect_guards();
}

}  // namespace
}  // namespace whereof::kernels
