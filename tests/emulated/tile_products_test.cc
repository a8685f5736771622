// The products on tiles against plain loops, for every size around the tiles' edges. Whatever lies
// outside the operands is NaN: a kernel that reads it shows it, even where it multiplies it by
// zero; and exactly the output is written.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "emulated/emulated_kernel_set.h"
#include "emulated/emulated_tiles.h"
#include "kernels/kernel_set.h"
#include "numeric/half.h"

namespace whereof::emulated {
namespace {

using kernels::KernelSet;

struct NamedSet {
  const char* name;
  const KernelSet* set;
};

std::vector<NamedSet> sets() {
  std::vector<NamedSet> sets = {{"emulated_portable", &portable_tile_kernels()}};
  if (can_run(InstructionSet::avx512_bf16)) {
    sets.push_back({"emulated_avx512", avx512_tile_kernels()});
  }
  if (can_run(InstructionSet::amx)) {
    sets.push_back({"amx", &kernels::kernel_set_for(InstructionSet::amx)});
  }
  return sets;
}

class TileProducts : public testing::TestWithParam<NamedSet> {
 protected:
  const KernelSet& set() const { return *GetParam().set; }
  std::int64_t lanes() const { return set().lanes; }
  // Counts of columns around the edges of one and two tiles, whole vectors.
  std::vector<std::int64_t> column_counts() const {
    std::vector<std::int64_t> counts;
    for (const std::int64_t count :
         {lanes(), 16 - lanes(), std::int64_t{16}, 16 + lanes(), 32 - lanes(), std::int64_t{32},
          32 + lanes(), std::int64_t{80}}) {
      if (count > 0) counts.push_back(count);
    }
    return counts;
  }
};
INSTANTIATE_TEST_SUITE_P(Sets, TileProducts, testing::ValuesIn(sets()),
                         [](const auto& param) { return std::string(param.param.name); });

// A matrix of words whose rows lie apart; all between and around them is NaN as float and as bf16.
class Words {
 public:
  Words(std::int64_t rows, std::int64_t columns, std::int64_t stride)
      : rows_(rows),
        columns_(columns),
        stride_(stride),
        bits_(static_cast<std::size_t>(rows * stride + 2 * kPad), kGuard) {}

  float* data() { return reinterpret_cast<float*>(bits_.data() + kPad); }
  std::int64_t stride() const { return stride_; }
  std::uint32_t& at(std::int64_t row, std::int64_t column) {
    return bits_[static_cast<std::size_t>(kPad + row * stride_ + column)];
  }
  float number(std::int64_t row, std::int64_t column) {
    return std::bit_cast<float>(at(row, column));
  }
  // Element `half` of the pair.
  double half(std::int64_t row, std::int64_t column, int half) {
    return static_cast<double>(
        numeric::float_of_bf16(static_cast<std::uint16_t>(at(row, column) >> (16 * half))));
  }
  void fill_pairs(std::mt19937& random) {
    std::normal_distribution<float> normal;
    const auto half = [&] { return std::uint32_t{numeric::bf16_of_float(normal(random))}; };
    for_each([&](std::uint32_t& word) { word = half() | half() << 16; });
  }
  void fill_floats(std::mt19937& random) {
    std::normal_distribution<float> normal;
    for_each([&](std::uint32_t& word) { word = std::bit_cast<std::uint32_t>(normal(random)); });
  }
  void expect_guards() {
    std::vector<std::uint32_t> outside = bits_;
    std::swap(outside, bits_);
    for_each([](std::uint32_t& word) { word = kGuard; });
    std::swap(outside, bits_);
    for (const std::uint32_t word : outside) ASSERT_EQ(word, kGuard);
  }

 private:
  static constexpr std::int64_t kPad = 37;  // odd: no row is aligned
  static constexpr std::uint32_t kGuard = 0xffffffffU;

  template <typename F>
  void for_each(F&& f) {
    for (std::int64_t row = 0; row < rows_; ++row) {
      for (std::int64_t column = 0; column < columns_; ++column) f(at(row, column));
    }
  }

  std::int64_t rows_, columns_, stride_;
  std::vector<std::uint32_t> bits_;
};

// |error| <= (steps of rounding) * 2^-24 * sum of absolute values, from above.
double tolerance(double absolute_sum, std::int64_t terms) {
  return static_cast<double>(terms + 4) * 0x1p-24 * absolute_sum;
}

void check_scores(const KernelSet& set, std::int64_t keys, std::int64_t depth,
                  std::int64_t columns) {
  SCOPED_TRACE(std::to_string(keys) + " keys, " + std::to_string(depth) + " words, " +
               std::to_string(columns) + " columns");
  std::mt19937 random(static_cast<std::uint32_t>(keys * 1000 + depth * 10 + columns));
  Words panel(depth, columns, columns + 5), rows(keys, depth, depth + 3);
  Words scores(keys, columns, columns + 5);
  panel.fill_pairs(random);
  rows.fill_pairs(random);
  scores.fill_floats(random);
  set.pairs.score({.panel = panel.data(),
                   .rows = rows.data(),
                   .scores = scores.data(),
                   .row_stride = rows.stride(),
                   .row_count = keys,
                   .depth = depth,
                   .columns = columns,
                   .stride = panel.stride(),
                   .factor = 0.375F});
  for (std::int64_t key = 0; key < keys; ++key) {
    for (std::int64_t column = 0; column < columns; ++column) {
      double sum = 0, absolute = 0;
      for (std::int64_t d = 0; d < depth; ++d) {
        for (const int half : {0, 1}) {
          const double product = rows.half(key, d, half) * panel.half(d, column, half);
          sum += product;
          absolute += std::abs(product);
        }
      }
      ASSERT_NEAR(static_cast<double>(scores.number(key, column)), 0.375 * sum,
                  tolerance(absolute, 2 * depth))
          << "key " << key << ", column " << column;
    }
  }
  scores.expect_guards();
}

TEST_P(TileProducts, ScoresOfEveryTail) {
  for (const std::int64_t keys : {1, 12, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65}) {
    for (const std::int64_t depth : {1, 8, 15, 16, 17, 32, 40}) {
      for (const std::int64_t columns : column_counts()) {
        check_scores(set(), keys, depth, columns);
      }
    }
  }
}

TEST_P(TileProducts, ScoresOfWideHeads) {
  for (const std::int64_t depth : {64, 127, 128, 129, 200}) check_scores(set(), 40, depth, 48);
}

void check_values(const KernelSet& set, std::int64_t pairs, std::int64_t value_dim,
                  std::int64_t columns, float most_rescaled) {
  SCOPED_TRACE(std::to_string(pairs) + " pairs, " + std::to_string(value_dim) + " elements, " +
               std::to_string(columns) + " columns");
  std::mt19937 random(static_cast<std::uint32_t>(pairs * 1000 + value_dim * 10 + columns));
  Words weights(pairs, columns, columns + 5), values(pairs, value_dim, value_dim + 3);
  Words output(value_dim, columns, columns + 5), rescale(1, columns, columns);
  weights.fill_pairs(random);
  values.fill_pairs(random);
  output.fill_floats(random);
  // Some vectors of rows keep their maximum, some move one row, some all.
  for (std::int64_t column = 0; column < columns; ++column) {
    const bool is_moved = column / set.lanes % 2 == 1 && (column % 3 == 0 || column > 20);
    rescale.at(0, column) = std::bit_cast<std::uint32_t>(is_moved ? most_rescaled : 1.0F);
  }
  Words before = output;
  set.pairs.value({.weights = weights.data(),
                   .values = values.data(),
                   .output = output.data(),
                   .rescale = rescale.data(),
                   .value_stride = values.stride(),
                   .key_count = pairs,
                   .value_dim = value_dim,
                   .columns = columns,
                   .stride = weights.stride()});
  for (std::int64_t element = 0; element < value_dim; ++element) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const double start = static_cast<double>(before.number(element, column)) *
                           static_cast<double>(rescale.number(0, column));
      double sum = start, absolute = std::abs(start);
      for (std::int64_t pair = 0; pair < pairs; ++pair) {
        for (const int half : {0, 1}) {
          const double product =
              values.half(pair, element, half) * weights.half(pair, column, half);
          sum += product;
          absolute += std::abs(product);
        }
      }
      ASSERT_NEAR(static_cast<double>(output.number(element, column)), sum,
                  tolerance(absolute, 2 * pairs + 2))
          << "element " << element << ", column " << column;
    }
  }
  output.expect_guards();
}

TEST_P(TileProducts, ValuesOfEveryTail) {
  for (const std::int64_t pairs : {1, 8, 15, 16, 17, 33}) {
    for (const std::int64_t value_dim : {1, 8, 13, 16, 17, 31, 32, 33, 80}) {
      for (const std::int64_t columns : column_counts()) {
        check_values(set(), pairs, value_dim, columns, 0.625F);
      }
    }
  }
}

TEST_P(TileProducts, ValuesOfLongTiles) {
  for (const std::int64_t pairs : {127, 128, 129, 300}) {
    check_values(set(), pairs, 40, 48, 0.625F);
  }
}

TEST_P(TileProducts, AFirstTileForgetsWhatTheOutputHeld) {
  check_values(set(), 32, 64, 2 * lanes(), 0.0F);
}

TEST_P(TileProducts, LeavesTheTilesReleased) {
  check_scores(set(), 32, 16, 32);
  EXPECT_FALSE(EmulatedTiles::is_configured());
  check_values(set(), 16, 32, 32, 1.0F);
  EXPECT_FALSE(EmulatedTiles::is_configured());
}

TEST_P(TileProducts, BlocksAreWholeVectorsAndTheirKeysWholeTiles) {
  EXPECT_EQ(set().pairs.block.rows % 16, 0);
  EXPECT_EQ(set().pairs.block.keys % 32, 0);
  EXPECT_EQ(set().pairs.elements_per_word, 2);
}

}  // namespace
}  // namespace whereof::emulated
