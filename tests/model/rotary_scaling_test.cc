// Scaled rotations against values worked out with transformers' formulas, and what files may say.
#include "model/rotary_scaling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/gguf_writer.h"
#include "model/temporary_file.h"
#include "whereof/rotary.h"

namespace whereof::model {
namespace {

using testing::HasSubstr;
using tests::GgufWriter;
using tests::TemporaryFile;

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kFloat32 = 6;

RotaryScaling scaling_of(const GgufWriter& writer, std::int64_t rotary_dim = 128,
                         std::int64_t context_length = 32768) {
  const TemporaryFile file(writer.bytes());
  const auto gguf = GgufFile::open(file.path());
  return read_rotary_scaling(MetadataReader(*gguf, "llama"), rotary_dim, context_length);
}

std::string error_of(ErrorKind kind, const GgufWriter& writer, std::int64_t rotary_dim = 128) {
  try {
    scaling_of(writer, rotary_dim);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

GgufWriter scaled(const char* type, float factor) {
  GgufWriter writer;
  writer.string("llama.rope.scaling.type", type)
      .number("llama.rope.scaling.factor", kFloat32, factor);
  return writer;
}

// By what each named pair's theta was divided.
void expect_divisors(const RotaryThetas& found, double base,
                     const std::vector<std::pair<std::size_t, double>>& wanted) {
  const auto plain = rotary_thetas(2 * std::ssize(found.thetas), base);
  for (const auto& [pair, divisor] : wanted) {
    EXPECT_NEAR(plain[pair] / found.thetas[pair], divisor, 1e-9) << "pair " << pair;
  }
}

TEST(RotaryScaling, WithoutKeysNothingIsScaled) {
  const RotaryScaling none = scaling_of(GgufWriter());
  EXPECT_EQ(none.window_tokens, 32768);
  const RotaryThetas found = scaled_thetas(none, 128, 10000, 32768);
  EXPECT_EQ(found.thetas, rotary_thetas(128, 10000));
  EXPECT_EQ(found.magnitude, 1);
  EXPECT_EQ(scaled_thetas(scaling_of(scaled("none", 4)), 128, 10000, 8).thetas, found.thetas);
}

TEST(RotaryScaling, LinearDividesEveryTheta) {
  const RotaryScaling linear = scaling_of(scaled("linear", 4));
  expect_divisors(scaled_thetas(linear, 128, 10000, 8), 10000, {{0, 4}, {31, 4}, {63, 4}});
  EXPECT_EQ(linear.window_tokens, 32768) << "no original window: the file's length is the whole";
  GgufWriter old;
  old.number("llama.rope.scale_linear", kFloat32, 8.0F);
  expect_divisors(scaled_thetas(scaling_of(old), 128, 10000, 8), 10000, {{0, 8}, {63, 8}});
}

TEST(RotaryScaling, YarnDividesSlowPairsAndEnlarges) {
  GgufWriter writer = scaled("yarn", 4);
  writer.uint32("llama.rope.scaling.original_context_length", 32768);
  const RotaryScaling yarn = scaling_of(writer);
  EXPECT_EQ(yarn.window_tokens, 131072);
  const RotaryThetas found = scaled_thetas(yarn, 128, 1e6, 131072);
  expect_divisors(found, 1e6,
                  {{0, 1},
                   {23, 1},
                   {24, 1.0461538461538462},
                   {30, 1.4468085106382977},
                   {35, 2.125},
                   {39, 3.4},
                   {40, 4},
                   {63, 4}});
  EXPECT_NEAR(found.magnitude, 1.1386294361119891, 1e-12);
  writer.number("llama.rope.scaling.yarn_attn_factor", kFloat32, 2.0F);
  EXPECT_EQ(scaling_of(writer).magnitude, 2);
}

TEST(RotaryScaling, Llama3DividesByWavelength) {
  GgufWriter writer = scaled("llama3", 8);
  writer.uint32("llama.rope.scaling.original_context_length", 8192);
  const RotaryScaling llama3 = scaling_of(writer, 128, 131072);
  EXPECT_EQ(llama3.window_tokens, 131072);
  expect_divisors(scaled_thetas(llama3, 128, 500000, 8), 500000,
                  {{0, 1},
                   {28, 1},
                   {29, 1.207483871283662},
                   {30, 1.5534146285049255},
                   {32, 2.694529687894733},
                   {34, 5.257326588708467},
                   {35, 8},
                   {63, 8}});
}

TEST(RotaryScaling, LongContextsTakeTheirOwnFactors) {
  GgufWriter writer;
  writer.string("llama.rope.scaling.type", "longrope")
      .uint32("llama.rope.scaling.original_context_length", 4096)
      .number("llama.rope.scaling.attn_factor", kFloat32, 1.25F)
      .tensor("rope_factors_short.weight", {2}, kF32, 8);
  EXPECT_THAT(error_of(ErrorKind::bad_model, writer, 4),
              HasSubstr("rope_factors_long.weight is missing"));
  writer.tensor("rope_factors_long.weight", {2}, kF32, 8);
  RotaryScaling scaling = scaling_of(writer, 4);
  scaling.factors = {1, 2};
  scaling.long_factors = {3, 4};
  expect_divisors(scaled_thetas(scaling, 4, 10000, 4096), 10000, {{0, 1}, {1, 2}});
  expect_divisors(scaled_thetas(scaling, 4, 10000, 4097), 10000, {{0, 3}, {1, 4}});
  EXPECT_EQ(scaled_thetas(scaling, 4, 10000, 8).magnitude, 1.25);
}

TEST(RotaryScaling, WhatIsNotKnownOrWrongIsNamed) {
  EXPECT_THAT(error_of(ErrorKind::unsupported, scaled("dynamic", 4)), HasSubstr("\"dynamic\""));
  EXPECT_THAT(error_of(ErrorKind::bad_model, scaled("linear", 0.5F)),
              HasSubstr("rope.scaling.factor is 0.5"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, scaled("yarn", NAN)),
              HasSubstr("rope.scaling.factor is nan"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, scaled("longrope", 1)),
              HasSubstr("rope_factors_short.weight is missing"));
  GgufWriter short_of_one;
  short_of_one.tensor("rope_freqs.weight", {63}, kF32, 63 * 4);
  EXPECT_THAT(error_of(ErrorKind::bad_model, short_of_one), HasSubstr("wanted 64 of type f32"));
  GgufWriter flat = scaled("llama3", 8);
  flat.number("llama.rope.scaling.high_freq_factor", kFloat32, 1.0F);
  EXPECT_THAT(error_of(ErrorKind::bad_model, flat), HasSubstr("high_freq_factor is 1"));
}

}  // namespace
}  // namespace whereof::model
