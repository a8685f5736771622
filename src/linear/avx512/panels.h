// Widening, packing and writing out for panel_product.h in AVX-512, in squares of 16 by 16 words.
//
// A Sink says what an element is: store_32(to, first, second) narrows and stores 32 floats, and
// words_of(row, left) gives the 16 words of a row's next 16 * kDepth columns, of which `left`
// exist. Widened rows are padded with zeros to 32 elements, packed ones to kWordStep words, at
// most 16.
#ifndef WHEREOF_LINEAR_AVX512_PANELS_H_
#define WHEREOF_LINEAR_AVX512_PANELS_H_

#include <immintrin.h>

#include <cstdint>

#include "linear/avx512/chunk_formats.h"

namespace whereof::linear {

[[maybe_unused]] static __mmask16 mask_of(std::int64_t count) {
  if (count <= 0) return 0;
  return count >= 16 ? static_cast<__mmask16>(0xffff) : static_cast<__mmask16>((1 << count) - 1);
}

// Rows become columns: pairs and quartets within 128 bits, then whole 128-bit pieces.
[[maybe_unused]] static void transpose_square(__m512 (&rows)[16]) {
  __m512 pairs[16];
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
  }
  const auto low = [](__m512 a, __m512 b) {
    return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  };
  const auto high = [](__m512 a, __m512 b) {
    return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  };
  __m512 quartets[16];
  for (int i = 0; i < 16; i += 4) {
    quartets[i] = low(pairs[i], pairs[i + 2]);
    quartets[i + 1] = high(pairs[i], pairs[i + 2]);
    quartets[i + 2] = low(pairs[i + 1], pairs[i + 3]);
    quartets[i + 3] = high(pairs[i + 1], pairs[i + 3]);
  }
  constexpr int kEven = 0x88;
  constexpr int kOdd = 0xdd;
  for (int j = 0; j < 4; ++j) {
    const __m512 a = _mm512_shuffle_f32x4(quartets[j], quartets[4 + j], kEven);
    const __m512 b = _mm512_shuffle_f32x4(quartets[8 + j], quartets[12 + j], kEven);
    const __m512 c = _mm512_shuffle_f32x4(quartets[j], quartets[4 + j], kOdd);
    const __m512 d = _mm512_shuffle_f32x4(quartets[8 + j], quartets[12 + j], kOdd);
    rows[j] = _mm512_shuffle_f32x4(a, b, kEven);
    rows[8 + j] = _mm512_shuffle_f32x4(a, b, kOdd);
    rows[4 + j] = _mm512_shuffle_f32x4(c, d, kEven);
    rows[12 + j] = _mm512_shuffle_f32x4(c, d, kOdd);
  }
}

template <typename Sink, typename Format>
static void widen_chunks(const std::byte* row, std::int64_t columns, std::int64_t begin,
                         std::int64_t count, typename Sink::Element* elements) {
  const ChunkFormat format = chunk_format(Format::kType);
  alignas(64) std::byte buffer[kMaxChunkBytes];
  for (std::int64_t done = 0; done < count; done += kChunk) {
    const std::byte* chunk = chunk_at(row, format, begin + done, columns, buffer);
    alignas(64) float scales[kChunkScales];
    alignas(64) float offsets[kChunkScales];
    const ChunkScales in_lanes = Format::scales(chunk);
    _mm512_store_ps(scales, in_lanes.scales);
    _mm512_store_ps(offsets, in_lanes.offsets);
    const auto floats = [&](__m128i bytes, int group) {
      return _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes)),
                             _mm512_set1_ps(scales[group]), _mm512_set1_ps(offsets[group]));
    };
    for (int part = 0; part < 4 && done + 64 * part < count; ++part) {
      const __m512i quants = Format::quants(chunk, part);
      typename Sink::Element* to = elements + done + 64 * part;
      Sink::store_32(to, floats(_mm512_castsi512_si128(quants), 4 * part),
                     floats(_mm512_extracti32x4_epi32(quants, 1), 4 * part + 1));
      if (done + 64 * part + 32 >= count) break;
      Sink::store_32(to + 32, floats(_mm512_extracti32x4_epi32(quants, 2), 4 * part + 2),
                     floats(_mm512_extracti32x4_epi32(quants, 3), 4 * part + 3));
    }
  }
}

template <typename Sink, std::int64_t kStep = 1>
struct Avx512Panels {
  static constexpr std::int64_t kWordStep = kStep;
  using Target = typename Sink::Element;

  // Types without a fast way, and floats: through memory.
  static void widen_plain(const WeightRows& weights, const std::byte* row, std::int64_t begin,
                          std::int64_t count, float* floats, Target* elements) {
    widen_row(weights.type, row, weights.columns, begin, count, floats);
    for (std::int64_t i = 0; i < count; i += 32) {
      const __m512 first = _mm512_maskz_loadu_ps(mask_of(count - i), floats + i);
      const __m512 second = _mm512_maskz_loadu_ps(mask_of(count - i - 16), floats + i + 16);
      Sink::store_32(elements + i, first, second);
    }
  }

  static void widen(const WeightRows& weights, std::int64_t row, std::int64_t begin,
                    std::int64_t count, float* floats, Target* elements) {
    const std::byte* data = weights.data + row * weights.row_bytes;
    const std::int64_t columns = weights.columns;
    switch (weights.type) {
      case GgufTensorType::q4_0:
        return widen_chunks<Sink, ChunkQ4_0>(data, columns, begin, count, elements);
      case GgufTensorType::q4_1:
        return widen_chunks<Sink, ChunkQ4_1>(data, columns, begin, count, elements);
      case GgufTensorType::q5_0:
        return widen_chunks<Sink, ChunkQ5_0>(data, columns, begin, count, elements);
      case GgufTensorType::q5_1:
        return widen_chunks<Sink, ChunkQ5_1>(data, columns, begin, count, elements);
      case GgufTensorType::q8_0:
        return widen_chunks<Sink, ChunkQ8_0>(data, columns, begin, count, elements);
      case GgufTensorType::q4_k:
        return widen_chunks<Sink, ChunkQ4_K>(data, columns, begin, count, elements);
      case GgufTensorType::q5_k:
        return widen_chunks<Sink, ChunkQ5_K>(data, columns, begin, count, elements);
      case GgufTensorType::q6_k:
        return widen_chunks<Sink, ChunkQ6_K>(data, columns, begin, count, elements);
      default:
        return widen_plain(weights, data, begin, count, floats, elements);
    }
  }

  static constexpr std::int64_t kGroup = 64;

  static void pack(const float* input, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                   Target* elements) {
    constexpr std::int64_t kColumns = 16 * Sink::kDepth;
    auto* words = reinterpret_cast<float*>(elements);
    for (std::int64_t row = 0; row < kGroup; row += 16) {
      for (std::int64_t k = 0; k < columns; k += kColumns) {
        __m512 square[16];
        for (int i = 0; i < 16; ++i) {
          square[i] = row + i < rows ? Sink::words_of(input + (row + i) * stride + k, columns - k)
                                     : _mm512_setzero_ps();
        }
        transpose_square(square);
        constexpr std::int64_t kStepColumns = kWordStep * Sink::kDepth;
        const std::int64_t left = (columns - k + kStepColumns - 1) / kStepColumns * kWordStep;
        float* to = words + k / Sink::kDepth * kGroup + row;
        for (std::int64_t i = 0; i < 16 && i < left; ++i) {
          _mm512_storeu_ps(to + i * kGroup, square[i]);
        }
      }
    }
  }

  static void write_output(const float* sums, std::int64_t sums_stride, std::int64_t input_rows,
                           std::int64_t weight_rows, const OutputRows& output) {
    for (std::int64_t r = 0; r < weight_rows; r += 16) {
      const __mmask16 there = mask_of(weight_rows - r);
      const __m512 bias = output.bias == nullptr ? _mm512_setzero_ps()
                                                 : _mm512_maskz_loadu_ps(there, output.bias + r);
      for (std::int64_t t = 0; t < input_rows; t += 16) {
        __m512 square[16];
        for (int i = 0; i < 16; ++i) {
          square[i] = r + i < weight_rows ? _mm512_loadu_ps(sums + (r + i) * sums_stride + t)
                                          : _mm512_setzero_ps();
        }
        transpose_square(square);
        float* to = output.data + t * output.stride + r;
        for (std::int64_t i = 0; i < 16 && t + i < input_rows; ++i) {
          _mm512_mask_storeu_ps(to + i * output.stride, there, _mm512_add_ps(square[i], bias));
        }
      }
    }
  }
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_AVX512_PANELS_H_
