// The decode product in AVX2: dot products on the quantised weights, chunk by chunk.
//
// The equation is that of row_product.h. A chunk is unpacked once for up to eight rows of input,
// each of which gets the same bits as alone. Sixteen elements share a scale: their bytes are
// widened to 16 bits and multiplied in pairs (exact, where products of bytes would saturate),
// scaled in f32 and added to eight running sums.
#ifndef WHEREOF_LINEAR_AVX2_ROW_PRODUCT_AVX2_H_
#define WHEREOF_LINEAR_AVX2_ROW_PRODUCT_AVX2_H_

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "linear/row_product.h"

namespace whereof::linear {

// Running sums of one row of input; several, as one would wait for itself.
struct RowSums {
  __m256 even;
  __m256 odd;
  __m256 offsets;
};

[[maybe_unused]] static __m256i widen_quants(const std::uint8_t* quants) {
  return _mm256_cvtepu8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(quants)));
}

[[maybe_unused]] static __m256i widen_inputs(const std::int8_t* quants) {
  return _mm256_cvtepi8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(quants)));
}

// Adds the chunk times kRows chunks of input, `stride` chunks apart.
template <int kRows>
static void add_chunk(const UnpackedChunk& weights, const InputChunk* inputs, std::int64_t stride,
                      RowSums* sums) {
  alignas(32) float scales[kRows][kChunkScales];
  for (int t = 0; t < kRows; ++t) {
    const InputChunk& input = inputs[t * stride];
    for (int g = 0; g < kChunkScales; g += 8) {
      _mm256_store_ps(scales[t] + g, _mm256_mul_ps(_mm256_load_ps(weights.scales + g),
                                                   _mm256_load_ps(input.scales + g)));
      sums[t].offsets = _mm256_fmadd_ps(_mm256_load_ps(weights.offsets + g),
                                        _mm256_load_ps(input.sums + g), sums[t].offsets);
    }
  }
  for (int g = 0; g < kChunkScales; g += 2) {
    const __m256i first = widen_quants(weights.quants + g * kScaleGroup);
    const __m256i second = widen_quants(weights.quants + (g + 1) * kScaleGroup);
    for (int t = 0; t < kRows; ++t) {
      const std::int8_t* quants = inputs[t * stride].quants + g * kScaleGroup;
      const __m256i of_first = _mm256_madd_epi16(first, widen_inputs(quants));
      const __m256i of_second = _mm256_madd_epi16(second, widen_inputs(quants + kScaleGroup));
      sums[t].even = _mm256_fmadd_ps(_mm256_cvtepi32_ps(of_first),
                                     _mm256_broadcast_ss(scales[t] + g), sums[t].even);
      sums[t].odd = _mm256_fmadd_ps(_mm256_cvtepi32_ps(of_second),
                                    _mm256_broadcast_ss(scales[t] + g + 1), sums[t].odd);
    }
  }
}

[[maybe_unused]] static float total_of(const RowSums& sums) {
  const __m256 all = _mm256_add_ps(_mm256_add_ps(sums.even, sums.odd), sums.offsets);
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

// kRows rows of input, whose chunks begin at `inputs`, times all weight rows; `output` is that of
// the first of them.
template <int kRows>
static void multiply_row_group(const WeightRows& weights, const ChunkFormat& format,
                               const InputChunk* inputs, const OutputRows& output) {
  const std::int64_t chunk_count = (weights.columns + kChunk - 1) / kChunk;
  UnpackedChunk chunk;
  alignas(64) std::byte buffer[kMaxChunkBytes];
  for (std::int64_t row = 0; row < weights.count; ++row) {
    const std::byte* data = weights.data + row * weights.row_bytes;
    RowSums sums[kRows];
    for (RowSums& of_row : sums) of_row.even = of_row.odd = of_row.offsets = _mm256_setzero_ps();
    for (std::int64_t c = 0; c < chunk_count; ++c) {
      format.unpack(chunk_at(data, format, c * kChunk, weights.columns, buffer), chunk);
      add_chunk<kRows>(chunk, inputs + c, chunk_count, sums);
    }
    for (int t = 0; t < kRows; ++t) {
      output.data[t * output.stride + row] =
          total_of(sums[t]) + (output.bias != nullptr ? output.bias[row] : 0.0F);
    }
  }
}

[[maybe_unused]] static void multiply_rows_avx2(const WeightRows& weights, const float* input,
                                                std::int64_t stride, const InputChunk* chunks,
                                                std::int64_t input_rows,
                                                const OutputRows& output) noexcept {
  const ChunkFormat format = chunk_format(weights.type);
  if (format.unpack == nullptr) {
    multiply_float_rows(weights, input, stride, input_rows, output);
    return;
  }
  const std::int64_t chunk_count = (weights.columns + kChunk - 1) / kChunk;
  std::int64_t first = 0;
  const auto multiply = [&](auto group, std::int64_t rows) {
    for (; first + rows <= input_rows; first += rows) {
      group(weights, format, chunks + first * chunk_count,
            OutputRows{output.bias, output.data + first * output.stride, output.stride});
    }
  };
  multiply(multiply_row_group<8>, 8);
  multiply(multiply_row_group<4>, 4);
  multiply(multiply_row_group<2>, 2);
  multiply(multiply_row_group<1>, 1);
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_AVX2_ROW_PRODUCT_AVX2_H_
