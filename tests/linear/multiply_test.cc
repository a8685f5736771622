// Products against the same sums in double, with weights of every type and every kernel set that
// runs here; that of AMX also on an emulated tile unit.
#include "linear/multiply.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "linear/dequantise.h"
#include "linear/emulated_tile_kernels.h"
#include "linear/golden_blocks.h"
#include "numeric/half.h"
#include "whereof/error.h"

namespace whereof::linear {
namespace {

constexpr float kGuard = -12345.0F;

struct Case {
  WeightMatrix weights;
  std::vector<std::byte> bytes;
  std::vector<float> input;  // [inputs, columns]
  std::vector<float> bias;
  std::int64_t inputs = 0;
};

// Weights are the golden blocks over and over, a different one at the head of each row.
Case make_case(const tests::GoldenBlocks& golden, std::int64_t rows, std::int64_t columns,
               std::int64_t inputs) {
  Case c;
  const auto block = static_cast<std::size_t>(block_bytes(golden.type));
  const std::size_t blocks = golden.blocks.size() / block;
  const auto wanted = static_cast<std::size_t>(rows * columns / block_elements(golden.type));
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto from = golden.blocks.begin() + static_cast<std::ptrdiff_t>(i * 5 % blocks * block);
    c.bytes.insert(c.bytes.end(), from, from + static_cast<std::ptrdiff_t>(block));
  }
  c.weights = {golden.type, c.bytes.data(), rows, columns};
  c.inputs = inputs;
  std::mt19937 random(static_cast<unsigned>(rows * 31 + columns * 7 + inputs));
  std::normal_distribution<float> normal;
  c.input.resize(static_cast<std::size_t>(inputs * columns));
  for (float& x : c.input) x = normal(random);
  c.bias.resize(static_cast<std::size_t>(rows));
  for (float& b : c.bias) b = normal(random);
  return c;
}

struct Sums {
  std::vector<double> exact;  // of the weights and inputs as they are
  std::vector<double> plain;  // in the precision of the set, added one by one in float
};

bool multiplies_halves(InstructionSet set) { return set >= InstructionSet::avx512_bf16; }

// How a plain implementation of the way that `inputs` rows take sees one row of input.
std::vector<float> rounded_input(const LinearKernels& kernels, const Case& c, std::int64_t t,
                                 bool is_direct) {
  const std::int64_t columns = c.weights.columns;
  const float* row = c.input.data() + t * columns;
  std::vector<float> rounded(row, row + columns);
  if (is_direct && block_elements(c.weights.type) > 1) {
    std::vector<InputChunk> chunks(static_cast<std::size_t>((columns + kChunk - 1) / kChunk));
    kernels.quantise_row(row, columns, chunks.data());
    for (std::int64_t k = 0; k < columns; ++k) {
      const InputChunk& chunk = chunks[static_cast<std::size_t>(k / kChunk)];
      rounded[static_cast<std::size_t>(k)] =
          chunk.scales[k % kChunk / kScaleGroup] * static_cast<float>(chunk.quants[k % kChunk]);
    }
  } else if (!is_direct && multiplies_halves(kernels.set)) {
    for (float& x : rounded) x = numeric::float_of_bf16(numeric::bf16_of_float(x));
  }
  return rounded;
}

Sums sums_of(const LinearKernels& kernels, const Case& c, bool is_direct) {
  const std::int64_t columns = c.weights.columns;
  Sums sums;
  std::vector<std::vector<float>> rounded;
  for (std::int64_t t = 0; t < c.inputs; ++t) {
    rounded.push_back(rounded_input(kernels, c, t, is_direct));
  }
  std::vector<float> weight(static_cast<std::size_t>(columns));
  for (std::int64_t r = 0; r < c.weights.rows; ++r) {
    dequantise_row(c.weights.type, c.weights.data + r * c.weights.row_bytes(), columns,
                   weight.data());
    for (std::int64_t t = 0; t < c.inputs; ++t) {
      double exact = c.bias[static_cast<std::size_t>(r)];
      float plain = 0;
      for (std::size_t k = 0; k < weight.size(); ++k) {
        float w = weight[k];
        exact += static_cast<double>(w) *
                 static_cast<double>(c.input[static_cast<std::size_t>(t * columns) + k]);
        if (!is_direct && multiplies_halves(kernels.set)) {
          w = numeric::float_of_bf16(numeric::bf16_of_float(w));
        }
        plain += w * rounded[static_cast<std::size_t>(t)][k];
      }
      sums.exact.push_back(exact);
      sums.plain.push_back(static_cast<double>(plain + c.bias[static_cast<std::size_t>(r)]));
    }
  }
  return sums;
}

double root_mean_square(const std::vector<double>& values, const std::vector<double>& wanted) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += (values[i] - wanted[i]) * (values[i] - wanted[i]);
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<float> product_of(const LinearKernels& kernels, const Case& c, int threads) {
  const std::int64_t stride = c.weights.rows + 3;
  std::vector<float> output(static_cast<std::size_t>(c.inputs * stride), kGuard);
  Multiplier multiplier(kernels, threads, c.inputs, c.weights.columns);
  const Product product{c.weights, c.bias.data(), output.data(), stride};
  multiplier.multiply(c.input.data(), c.weights.columns, c.inputs, {&product, 1});
  return output;
}

struct NamedKernels {
  std::string name;
  const LinearKernels* kernels;
};

std::vector<NamedKernels> runnable_kernels() {
  std::vector<NamedKernels> kernels;
  for (const InstructionSet set : runnable_instruction_sets()) {
    kernels.push_back({std::string(name_of(set)), &kernels_for(set)});
  }
  kernels.push_back({"emulated_tiles", &tests::emulated_tile_kernels()});
  return kernels;
}

class Multiply : public testing::TestWithParam<NamedKernels> {
 protected:
  static const LinearKernels& kernels() { return *GetParam().kernels; }
};

void expect_small_error(const LinearKernels& kernels, const Case& c, bool is_direct) {
  const std::vector<float> output = product_of(kernels, c, 0);
  const Sums sums = sums_of(kernels, c, is_direct);
  std::vector<double> ours;
  const std::int64_t stride = c.weights.rows + 3;
  for (std::int64_t r = 0; r < c.weights.rows; ++r) {
    for (std::int64_t t = 0; t < c.inputs; ++t) {
      ours.push_back(static_cast<double>(output[static_cast<std::size_t>(t * stride + r)]));
    }
  }
  for (std::int64_t t = 0; t < c.inputs; ++t) {
    for (std::int64_t guard = c.weights.rows; guard < stride; ++guard) {
      ASSERT_EQ(output[static_cast<std::size_t>(t * stride + guard)], kGuard);
    }
  }
  EXPECT_LE(root_mean_square(ours, sums.exact), 2 * root_mean_square(sums.plain, sums.exact))
      << name_of(c.weights.type) << " " << c.weights.rows << " x " << c.weights.columns << ", "
      << c.inputs << " inputs";
}

TEST_P(Multiply, ErrorIsThatOfAPlainProductInTheSamePrecision) {
  for (const auto& golden : tests::golden_blocks()) {
    const std::int64_t unit = std::max<std::int64_t>(32, block_elements(golden.type));
    for (const std::int64_t columns : {unit, 3 * unit, 1024 + 5 * unit}) {
      for (const std::int64_t inputs : {1, 2, 3, 4}) {
        expect_small_error(kernels(), make_case(golden, 37, columns, inputs), true);
      }
      for (const std::int64_t inputs : {5, 67}) {
        expect_small_error(kernels(), make_case(golden, 53, columns, inputs), false);
      }
    }
  }
}

TEST_P(Multiply, EveryCountOfRowsAroundTheTiles) {
  const auto golden = tests::golden_blocks();
  const auto& q4_1 = golden[1];
  for (const std::int64_t rows : {1, 5, 6, 7, 47, 48, 49, 95, 97}) {
    for (const std::int64_t inputs : {5, 8, 15, 16, 17, 63, 64, 65, 128, 129}) {
      expect_small_error(kernels(), make_case(q4_1, rows, 96, inputs), false);
    }
    expect_small_error(kernels(), make_case(q4_1, rows, 96, 1), true);
  }
}

TEST_P(Multiply, SameBitsForAnyNumberOfThreads) {
  const auto golden = tests::golden_blocks();
  for (const std::int64_t inputs : {1, 70}) {
    const Case c = make_case(golden[2], 131, 320, inputs);
    EXPECT_EQ(product_of(kernels(), c, 1), product_of(kernels(), c, 0));
  }
}

TEST_P(Multiply, ARowHasTheSameBitsInAnyCompany) {
  for (const auto& golden : tests::golden_blocks()) {
    const std::int64_t columns = 256 + std::max<std::int64_t>(32, block_elements(golden.type));
    const Case c = make_case(golden, 37, columns, 17);
    Multiplier multiplier(kernels(), 0, c.inputs, columns);
    for (const ProductWay way : {ProductWay::few_rows, ProductWay::many_rows}) {
      std::vector<float> alone(static_cast<std::size_t>(c.inputs * 37));
      for (std::int64_t t = 0; t < c.inputs; ++t) {
        const Product product{c.weights, c.bias.data(), alone.data() + t * 37, 37};
        multiplier.multiply(c.input.data() + t * columns, columns, 1, {&product, 1}, way);
      }
      for (const std::int64_t inputs : {2, 3, 5, 8, 11, 16, 17}) {
        std::vector<float> together(static_cast<std::size_t>(inputs * 37));
        const Product product{c.weights, c.bias.data(), together.data(), 37};
        multiplier.multiply(c.input.data(), columns, inputs, {&product, 1}, way);
        EXPECT_EQ(0, std::memcmp(together.data(), alone.data(), 4 * together.size()))
            << name_of(golden.type) << ", " << inputs << " inputs";
      }
    }
  }
}

TEST_P(Multiply, SeveralProductsShareOneInput) {
  const auto golden = tests::golden_blocks();
  for (const std::int64_t inputs : {2, 21}) {
    const Case first = make_case(golden[0], 70, 160, inputs);
    Case second = make_case(golden[4], 33, 160, inputs);
    second.input = first.input;
    std::vector<float> a(static_cast<std::size_t>(inputs * 73));
    std::vector<float> b(static_cast<std::size_t>(inputs * 36));
    Multiplier multiplier(kernels(), 0, inputs, 160);
    const Product products[] = {{first.weights, nullptr, a.data(), 73},
                                {second.weights, second.bias.data(), b.data(), 36}};
    multiplier.multiply(first.input.data(), 160, inputs, products);
    const std::vector<float> alone = product_of(kernels(), second, 0);
    for (std::int64_t t = 0; t < inputs; ++t) {
      for (std::int64_t r = 0; r < 33; ++r) {
        const auto at = static_cast<std::size_t>(t * 36 + r);
        ASSERT_EQ(b[at], alone[at]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EverySet, Multiply, testing::ValuesIn(runnable_kernels()),
                         [](const auto& set) { return set.param.name; });

}  // namespace
}  // namespace whereof::linear
