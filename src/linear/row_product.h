// The decode product: few rows of input times weights as they lie, in plain C++.
//
// With a chunk in the form of block_formats.h, and inputs x[k] = s[k / 16] * q[k]:
//   sum over k of w[k] x[k] = sum over groups g of 16:
//       scale[g] * s[g] * (sum of quant * q)  +  offset[g] * (s[g] * sum of q)
// The integer sums are exact. Everything is static: compiled once for each set.
#ifndef WHEREOF_LINEAR_ROW_PRODUCT_H_
#define WHEREOF_LINEAR_ROW_PRODUCT_H_

#include <cstdint>

#include "linear/linear_kernels.h"
#include "linear/unpack.h"

namespace whereof::linear {

// Rounds to the nearest integer (ties to even) by the addition of 1.5 * 2^23.
[[maybe_unused]] static int nearest_integer(float value) {
  constexpr float kMagic = 12582912.0F;
  return static_cast<int>((value + kMagic) - kMagic);
}

[[maybe_unused]] static void quantise_row_plain(const float* input, std::int64_t columns,
                                                InputChunk* chunks) noexcept {
  constexpr int kInputGroup = 32;
  const std::int64_t padded = (columns + kChunk - 1) / kChunk * kChunk;
  for (std::int64_t begin = 0; begin < padded; begin += kInputGroup) {
    float values[kInputGroup];
    for (int i = 0; i < kInputGroup; ++i) {
      values[i] = begin + i < columns ? input[begin + i] : 0.0F;
    }
    float largest = 0;
    for (int i = 0; i < kInputGroup; ++i) {
      const float magnitude = values[i] < 0 ? -values[i] : values[i];
      largest = magnitude > largest ? magnitude : largest;
    }
    const float scale = largest / 127.0F;
    const float inverse = largest > 0 ? 127.0F / largest : 0.0F;
    InputChunk& chunk = chunks[begin / kChunk];
    std::int8_t* quants = chunk.quants + begin % kChunk;
    for (int part = 0; part < 2; ++part) {
      int sum = 0;
      for (int i = 16 * part; i < 16 * part + 16; ++i) {
        const int quant = nearest_integer(values[i] * inverse);
        quants[i] = static_cast<std::int8_t>(quant);
        sum += quant;
      }
      const std::int64_t group = begin % kChunk / kScaleGroup + part;
      chunk.scales[group] = scale;
      chunk.sums[group] = scale * static_cast<float>(sum);
    }
  }
}

[[maybe_unused]] static float multiply_chunk(const UnpackedChunk& weights,
                                             const InputChunk& input) {
  float products[kChunkScales];
  for (int g = 0; g < kChunkScales; ++g) {
    int sum = 0;
    for (int i = 0; i < kScaleGroup; ++i) {
      sum += static_cast<int>(weights.quants[g * kScaleGroup + i]) *
             static_cast<int>(input.quants[g * kScaleGroup + i]);
    }
    products[g] = weights.scales[g] * input.scales[g] * static_cast<float>(sum) +
                  weights.offsets[g] * input.sums[g];
  }
  float total = 0;
  for (int g = 0; g < kChunkScales; ++g) total += products[g];
  return total;
}

// f32, f16 and bf16 weights: eight partial sums, so that the order of addition is the same in
// every instruction set's vectors.
[[maybe_unused]] static float multiply_floats(const WeightRows& weights, std::int64_t row,
                                              const float* input) {
  constexpr std::int64_t kStrip = 64;
  float widened[kStrip];
  float sums[8] = {};
  for (std::int64_t begin = 0; begin < weights.columns; begin += kStrip) {
    const std::int64_t left = weights.columns - begin;
    const std::int64_t count = left < kStrip ? left : kStrip;
    widen_floats(weights.type, weights.data + row * weights.row_bytes, begin, count, widened);
    for (std::int64_t i = count; i < kStrip; ++i) widened[i] = 0;
    for (std::int64_t i = 0; i < kStrip; ++i) {
      const float x = i < count ? input[begin + i] : 0.0F;
      sums[i % 8] += widened[i] * x;
    }
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

[[maybe_unused]] static void multiply_float_rows(const WeightRows& weights, const float* input,
                                                 std::int64_t stride, std::int64_t input_rows,
                                                 const OutputRows& output) {
  for (std::int64_t row = 0; row < weights.count; ++row) {
    for (std::int64_t t = 0; t < input_rows; ++t) {
      output.data[t * output.stride + row] = multiply_floats(weights, row, input + t * stride) +
                                             (output.bias != nullptr ? output.bias[row] : 0.0F);
    }
  }
}

[[maybe_unused]] static void multiply_rows_plain(const WeightRows& weights, const float* input,
                                                 std::int64_t stride, const InputChunk* chunks,
                                                 std::int64_t input_rows,
                                                 const OutputRows& output) noexcept {
  const ChunkFormat format = chunk_format(weights.type);
  if (format.unpack == nullptr) {
    multiply_float_rows(weights, input, stride, input_rows, output);
    return;
  }
  const std::int64_t chunk_count = (weights.columns + kChunk - 1) / kChunk;
  UnpackedChunk chunk;
  alignas(64) std::byte buffer[kMaxChunkBytes];
  for (std::int64_t row = 0; row < weights.count; ++row) {
    const std::byte* data = weights.data + row * weights.row_bytes;
    for (std::int64_t t = 0; t < input_rows; ++t) {
      output.data[t * output.stride + row] = output.bias != nullptr ? output.bias[row] : 0.0F;
    }
    for (std::int64_t c = 0; c < chunk_count; ++c) {
      format.unpack(chunk_at(data, format, c * kChunk, weights.columns, buffer), chunk);
      for (std::int64_t t = 0; t < input_rows; ++t) {
        output.data[t * output.stride + row] += multiply_chunk(chunk, chunks[t * chunk_count + c]);
      }
    }
  }
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_ROW_PRODUCT_H_
