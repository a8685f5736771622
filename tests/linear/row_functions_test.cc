#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "linear/linear_kernels.h"

namespace whereof::linear {
namespace {

class RowFunctions : public testing::TestWithParam<InstructionSet> {};

std::string set_name(const testing::TestParamInfo<InstructionSet>& set) {
  return std::string(name_of(set.param));
}

TEST_P(RowFunctions, SwigluIsTheFormulaToFloatRounding) {
  const LinearKernels& kernels = kernels_for(GetParam());
  std::vector<float> gate;
  std::vector<float> up;
  for (float x = -120; x <= 120; x += 0.37F) {
    gate.push_back(x);
    up.push_back(1.5F - x / 64);
  }
  std::vector<float> out(gate.size());
  kernels.swiglu(gate.data(), up.data(), static_cast<std::int64_t>(gate.size()), out.data());
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double x = static_cast<double>(gate[i]);
    const double wanted = static_cast<double>(up[i]) * x / (1 + std::exp(-x));
    EXPECT_NEAR(out[i], wanted, 1e-6 * std::abs(wanted) + 1e-30) << "gate " << x;
  }
}

TEST_P(RowFunctions, GegluIsTheFormulaToFloatRounding) {
  const LinearKernels& kernels = kernels_for(GetParam());
  std::vector<float> gate;
  std::vector<float> up;
  for (float x = -120; x <= 120; x += 0.37F) {
    gate.push_back(x);
    up.push_back(1.5F - x / 64);
  }
  gate.insert(gate.end(), {0.0F, 1e20F, -1e20F});
  up.insert(up.end(), {1.0F, 1.0F, 1.0F});
  std::vector<float> out(gate.size());
  kernels.geglu(gate.data(), up.data(), static_cast<std::int64_t>(gate.size()), out.data());
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double x = static_cast<double>(gate[i]);
    const double z = std::sqrt(2 / 3.14159265358979324) * (x + 0.044715 * x * x * x);
    const double wanted = static_cast<double>(up[i]) * x / (1 + std::exp(-2 * z));
    // The exponent's rounding is relative to its size, up to 87 before the function is flat.
    EXPECT_NEAR(out[i], wanted, 2e-5 * std::abs(wanted) + 1e-17) << "gate " << x;
  }
}

TEST_P(RowFunctions, SoftCapIsTheFormulaToFloatRounding) {
  const LinearKernels& kernels = kernels_for(GetParam());
  for (const float cap : {0.5F, 30.0F}) {
    std::vector<float> values = {0, -0.0F, 1e-3F, 1e30F, -1e30F};
    for (float x = -200; x <= 200; x += 0.73F) values.push_back(x);
    std::vector<float> out = values;
    kernels.soft_cap(out.data(), static_cast<std::int64_t>(out.size()), cap);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double wide = static_cast<double>(cap);
      const double wanted = wide * std::tanh(static_cast<double>(values[i]) / wide);
      EXPECT_NEAR(out[i], wanted, 4e-7 * wide) << values[i] << " cap " << cap;
    }
  }
}

TEST_P(RowFunctions, ExpSumGivesTheLogSumExp) {
  const LinearKernels& kernels = kernels_for(GetParam());
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  for (const std::int64_t count : {1, 2, 15, 16, 17, 33, 5000}) {
    for (const float size : {0.0F, 1.0F, 40.0F}) {
      std::vector<float> x(static_cast<std::size_t>(count));
      for (float& value : x) value = size * normal(random) - 20;
      const float top = *std::max_element(x.begin(), x.end());
      double wanted = 0;
      for (const float value : x) {
        wanted += std::exp(static_cast<double>(value) - static_cast<double>(top));
      }
      float largest = 0;
      float sum = 0;
      kernels.exp_sum(x.data(), count, &largest, &sum);
      EXPECT_EQ(largest, top) << count << " values of size " << size;
      EXPECT_NEAR(sum, wanted, 2e-6 * wanted) << count << " values of size " << size;
    }
  }
}

TEST_P(RowFunctions, RmsNormIsTheFormulaToFloatRounding) {
  const LinearKernels& kernels = kernels_for(GetParam());
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (const std::int64_t count : {1, 15, 16, 17, 576, 1536}) {
    std::vector<float> x(static_cast<std::size_t>(count));
    std::vector<float> weight(x.size());
    std::vector<float> out(x.size());
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 30 * normal(random);
      weight[i] = normal(random);
      squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    kernels.rms_norm(x.data(), weight.data(), count, 1e-6F, out.data());
    const double factor = 1 / std::sqrt(squares / static_cast<double>(count) + 1e-6);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double wanted = static_cast<double>(x[i]) * factor * static_cast<double>(weight[i]);
      EXPECT_NEAR(out[i], wanted, 1e-6 * std::abs(wanted)) << count << " element " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EverySet, RowFunctions, testing::ValuesIn(runnable_instruction_sets()),
                         set_name);

}  // namespace
}  // namespace whereof::linear
