#include "numeric/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace whereof::numeric {
namespace {

TEST(Half, EveryF16IsItsOwnRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = float_of_f16(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(f16_of_float(value), bits) << value;
  }
}

TEST(Half, F16AgreesWithTheCompilersType) {
#if defined(__ARM_FP16_FORMAT_IEEE)  // GCC 12 has no _Float16 in C++ there
  using CompilersHalf = __fp16;
#elif defined(__FLT16_MANT_DIG__)
  using CompilersHalf = _Float16;
#endif
#if defined(__ARM_FP16_FORMAT_IEEE) || defined(__FLT16_MANT_DIG__)
  for (std::uint64_t step = 0; step < (1ULL << 32); step += 65'521) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(step));
    if (std::isnan(value)) continue;
    const auto wanted = std::bit_cast<std::uint16_t>(static_cast<CompilersHalf>(value));
    EXPECT_EQ(f16_of_float(value), wanted) << value;
  }
#endif
  EXPECT_EQ(f16_of_float(65504.0F), 0x7bff);
  EXPECT_EQ(f16_of_float(65520.0F), 0x7c00);
  EXPECT_EQ(f16_of_float(0x1p-24F), 1);
  EXPECT_EQ(f16_of_float(0x1p-25F), 0);  // a tie goes to even
}

TEST(Half, EveryBf16IsItsOwnRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = float_of_bf16(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(bf16_of_float(value), bits) << value;
  }
}

TEST(Half, Bf16RoundsToNearestEven) {
  EXPECT_EQ(bf16_of_float(std::bit_cast<float>(0x3f808000U)), 0x3f80);  // tie, even below
  EXPECT_EQ(bf16_of_float(std::bit_cast<float>(0x3f818000U)), 0x3f82);  // tie, even above
  EXPECT_EQ(bf16_of_float(std::bit_cast<float>(0x3f808001U)), 0x3f81);
  EXPECT_TRUE(std::isnan(float_of_bf16(bf16_of_float(std::nanf("")))));
  EXPECT_EQ(bf16_of_float(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace whereof::numeric
