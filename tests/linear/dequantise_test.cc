#include "linear/dequantise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linear/golden_blocks.h"

namespace whereof::linear {
namespace {

TEST(Dequantise, EveryTypeGivesTheFloatsOfTheGgufPackage) {
  const auto all = tests::golden_blocks();
  ASSERT_EQ(all.size(), 15U);
  for (const auto& golden : all) {
    const auto count = static_cast<std::int64_t>(golden.values.size());
    ASSERT_EQ(count, 512);
    std::vector<float> values(golden.values.size());
    dequantise_row(golden.type, golden.blocks.data(), count, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // scale * quant + offset against scale * (quant - zero): the two roundings of a float, at
      // the size of the larger term.
      const float bound = 64 * 0x1p-23F * std::abs(golden.values[i]) + 0x1p-23F * 0.1F;
      EXPECT_NEAR(values[i], golden.values[i], bound) << name_of(golden.type) << " element " << i;
    }
  }
}

TEST(Dequantise, BitsEqualWhereScalesAreSimple) {
  for (const auto& golden : tests::golden_blocks()) {
    switch (golden.type) {
      case GgufTensorType::f32:
      case GgufTensorType::f16:
      case GgufTensorType::bf16:
      case GgufTensorType::q4_0:
      case GgufTensorType::q5_0:
      case GgufTensorType::q8_0:
      case GgufTensorType::iq4_nl: {
        std::vector<float> values(golden.values.size());
        dequantise_row(golden.type, golden.blocks.data(), static_cast<std::int64_t>(values.size()),
                       values.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
          EXPECT_EQ(values[i], golden.values[i]) << name_of(golden.type) << " element " << i;
        }
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace
}  // namespace whereof::linear
