// The products of few rows of every kernel set that runs here, for every stored type, against plain
// loops. Rows lie apart, misaligned, with NaN between them: a kernel that reads a gap shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernel_set.h"
#include "numeric/half.h"

namespace whereof::kernels {
namespace {

enum class Stored { f32, bf16, f16, i8, bf16_pairs, i8_pairs };

struct Kind {
  const KernelSet* set;
  Stored stored;

  const RowProductKernels& products() const {
    switch (stored) {
      case Stored::f32:
        return set->rows_f32;
      case Stored::bf16:
        return set->rows_bf16;
      case Stored::f16:
        return set->rows_f16;
      case Stored::i8:
        return set->rows_i8;
      case Stored::bf16_pairs:
        return set->rows_bf16_pairs;
      case Stored::i8_pairs:
        return set->rows_i8_pairs;
    }
    return set->rows_f32;
  }
  bool holds_i8() const { return stored == Stored::i8 || stored == Stored::i8_pairs; }
  std::int64_t bytes() const { return stored == Stored::f32 ? 4 : holds_i8() ? 1 : 2; }
};

std::vector<Kind> runnable_kinds() {
  std::vector<Kind> kinds;
  for (const KernelSet* set : built_kernel_sets()) {
    if (!can_run(set->instruction_set)) continue;
    for (const Stored stored : {Stored::f32, Stored::bf16, Stored::f16, Stored::i8,
                                Stored::bf16_pairs, Stored::i8_pairs}) {
      if (Kind{set, stored}.products().score != nullptr) kinds.push_back({set, stored});
    }
  }
  return kinds;
}

std::string name_of_kind(const testing::TestParamInfo<Kind>& info) {
  constexpr const char* kNames[] = {"f32", "bf16", "f16", "i8", "bf16_pairs", "i8_pairs"};
  return std::string(name_of(info.param.set->instruction_set)) + "_" +
         kNames[static_cast<int>(info.param.stored)];
}

class RowProducts : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, RowProducts, testing::ValuesIn(runnable_kinds()), name_of_kind);

// Rows as a cache stores them, and the numbers that they stand for.
class StoredRows {
 public:
  StoredRows(const Kind& kind, std::int64_t rows, std::int64_t width, std::uint32_t seed)
      : kind_(kind), width_(width), stride_(width + 3) {
    bytes_.assign(static_cast<std::size_t>((rows * stride_ + 1) * kind.bytes()), 0xff);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t i = 0; i < width; ++i) put(row * stride_ + i, normal(random));
    }
  }
  const void* data() const { return bytes_.data() + kind_.bytes(); }
  std::int64_t stride() const { return stride_; }
  double at(std::int64_t row, std::int64_t i) const {
    return numbers_[static_cast<std::size_t>(row * width_ + i)];
  }

 private:
  void put(std::int64_t place, float x) {
    unsigned char* to = bytes_.data() + (place + 1) * kind_.bytes();
    std::uint16_t half = 0;
    switch (kind_.stored) {
      case Stored::f32:
        std::memcpy(to, &x, 4);
        break;
      case Stored::bf16:
      case Stored::bf16_pairs:
        half = numeric::bf16_of_float(x);
        x = numeric::float_of_bf16(half);
        std::memcpy(to, &half, 2);
        break;
      case Stored::f16:
        half = numeric::f16_of_float(x);
        x = numeric::float_of_f16(half);
        std::memcpy(to, &half, 2);
        break;
      case Stored::i8:
      case Stored::i8_pairs:
        *to = static_cast<unsigned char>(static_cast<std::int8_t>(40 * x));
        x = static_cast<float>(static_cast<std::int8_t>(*to));
        break;
    }
    numbers_.push_back(static_cast<double>(x));
  }

  Kind kind_;
  std::int64_t width_;
  std::int64_t stride_;
  std::vector<unsigned char> bytes_;
  std::vector<double> numbers_;
};

// Numbers that bf16 holds, so that pairs lose nothing.
std::vector<float> short_floats(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> floats(static_cast<std::size_t>(count));
  for (float& x : floats) x = numeric::float_of_bf16(numeric::bf16_of_float(normal(random)));
  return floats;
}

constexpr float kGuard = -12345.5F;

TEST_P(RowProducts, ScoresOfEveryShape) {
  const std::int64_t lanes = GetParam().set->lanes;
  for (std::int64_t rows = 1; rows <= 12; ++rows) {
    for (const std::int64_t keys : {1, 2, 5, 16, 37}) {
      for (const std::int64_t depth : {1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 80}) {
        const StoredRows stored(GetParam(), keys, depth, 1);
        const std::vector<float> queries = short_floats(rows * depth, 2);
        const std::int64_t query_stride = whole_cells(depth, lanes);
        const std::int64_t columns = (keys + lanes - 1) / lanes * lanes;
        std::vector<float> arranged(static_cast<std::size_t>(rows * query_stride), kGuard);
        std::vector<float> scores(static_cast<std::size_t>(rows * columns + 1), kGuard);
        std::vector<float> units;
        for (std::int64_t r = 0; r < rows; ++r) {
          units.push_back(GetParam().products().arrange(queries.data() + r * depth,
                                                        arranged.data() + r * query_stride, depth));
        }
        GetParam().products().score({.keys = stored.data(),
                                     .queries = arranged.data(),
                                     .scores = scores.data(),
                                     .key_stride = stored.stride(),
                                     .query_stride = query_stride,
                                     .score_stride = columns,
                                     .key_count = keys,
                                     .row_count = rows,
                                     .depth = depth,
                                     .factor = 0.5F,
                                     .query_units = units.data()});
        for (std::int64_t r = 0; r < rows; ++r) {
          for (std::int64_t k = 0; k < keys; ++k) {
            double sum = 0, magnitude = 0;
            for (std::int64_t d = 0; d < depth; ++d) {
              const double product =
                  stored.at(k, d) * static_cast<double>(queries[std::size_t(r * depth + d)]);
              sum += product;
              magnitude += std::abs(product);
            }
            // An element is off by at most half a unit where queries are integers.
            double rounding = 1e-6 * magnitude + 1e-7;
            for (std::int64_t d = 0; d < depth && units[0] != 1; ++d) {
              rounding +=
                  0.25 * static_cast<double>(units[std::size_t(r)]) * std::abs(stored.at(k, d));
            }
            ASSERT_NEAR(scores[std::size_t(r * columns + k)], 0.5 * sum, rounding)
                << rows << " rows " << keys << " keys " << depth;
          }
        }
        EXPECT_EQ(scores.back(), kGuard);
      }
    }
  }
}

TEST_P(RowProducts, OutputsOfEveryShape) {
  const KernelSet& set = *GetParam().set;
  for (std::int64_t rows = 1; rows <= 12; ++rows) {
    for (const std::int64_t keys : {1, 2, 5, 16, 37}) {
      for (const std::int64_t width : {1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 96, 128, 208}) {
        const StoredRows stored(GetParam(), keys, width, 3);
        const std::int64_t columns = (keys + set.lanes - 1) / set.lanes * set.lanes;
        std::vector<float> weights = short_floats(rows * columns, 4);
        for (float& weight : weights) weight = std::abs(weight);
        for (std::int64_t r = 0; r < rows; ++r) {  // as after the softmax of a padded tile
          std::fill(weights.begin() + r * columns + keys, weights.begin() + (r + 1) * columns, 0.F);
        }
        std::vector<float> words = weights;
        std::vector<float> units(static_cast<std::size_t>(rows), 0.0F);
        if (GetParam().stored == Stored::bf16_pairs) {
          set.pair_packing.pack_rows(words.data(), rows, columns, columns);
        } else if (GetParam().stored == Stored::i8_pairs) {
          set.pair_packing.pack_rows_as_integers(words.data(), units.data(), rows, columns,
                                                 columns);
        }
        const std::int64_t output_stride = whole_cells(width, set.lanes);
        std::vector<float> output(static_cast<std::size_t>(rows * output_stride + 1), 3.0F);
        output.back() = kGuard;
        const std::vector<float> rescale(static_cast<std::size_t>(rows), 0.25F);
        GetParam().products().value({.weights = words.data(),
                                     .values = stored.data(),
                                     .output = output.data(),
                                     .rescale = rescale.data(),
                                     .weight_stride = columns,
                                     .value_stride = stored.stride(),
                                     .output_stride = output_stride,
                                     .key_count = keys,
                                     .rows = rows,
                                     .value_dim = width,
                                     .weight_units = units.data()});
        for (std::int64_t r = 0; r < rows; ++r) {
          float* row = output.data() + r * output_stride;
          GetParam().products().restore(row, width);
          for (std::int64_t j = 0; j < width; ++j) {
            double sum = 0.75, magnitude = 1;
            for (std::int64_t k = 0; k < keys; ++k) {
              const double product =
                  stored.at(k, j) * static_cast<double>(weights[std::size_t(r * columns + k)]);
              sum += product;
              magnitude += std::abs(product);
            }
            double rounding = 1e-6 * magnitude;
            for (std::int64_t k = 0; k < keys; ++k) {
              rounding +=
                  0.5 * static_cast<double>(units[std::size_t(r)]) * std::abs(stored.at(k, j));
            }
            ASSERT_NEAR(row[j], sum, rounding) << rows << " rows " << keys << " keys " << width;
          }
        }
        EXPECT_EQ(output.back(), kGuard);
      }
    }
  }
}

// Powers of two keep bf16 exact down to 2^-8 of the largest; what is not finite is not hidden.
TEST_P(RowProducts, UnitsOfIntegers) {
  if (GetParam().stored != Stored::i8_pairs) return;
  const std::int64_t lanes = GetParam().set->lanes;
  std::vector<float> row = {3.0F, -0.0234375F, 0.012F, 0.0F};
  std::vector<float> words(static_cast<std::size_t>(2 * lanes));
  EXPECT_EQ(GetParam().products().arrange(row.data(), words.data(), 4), 0x1p-13F);
  std::int16_t integers[4];
  std::memcpy(integers, words.data(), sizeof integers);
  EXPECT_EQ(integers[0], 3 * 8192);
  EXPECT_EQ(integers[1], -192);
  EXPECT_EQ(integers[2], 98);
  EXPECT_EQ(integers[3], 0);
  for (float& x : row) x = 0;
  EXPECT_GT(GetParam().products().arrange(row.data(), words.data(), 4), 0);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -HUGE_VALF}) {
    row[2] = bad;
    EXPECT_TRUE(std::isnan(GetParam().products().arrange(row.data(), words.data(), 4)));
  }
}

}  // namespace
}  // namespace whereof::kernels
