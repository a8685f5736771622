// The decode product in AVX-512: dot products on the quantised weights as they lie.
//
// The equation is that of row_product.h. A step takes 64 elements: products of bytes are summed in
// fours to 32-bit integers (exact), scaled in f32 and added to 16 running sums. A row of weights is
// unpacked once for up to eight rows of input, each of which gets the same bits as alone.
//
// `Bytes` offers sum_of_fours(u, s): for each 32-bit lane the sum of four products of an unsigned
// and a signed byte.
#ifndef WHEREOF_LINEAR_AVX512_ROW_PRODUCT_AVX512_H_
#define WHEREOF_LINEAR_AVX512_ROW_PRODUCT_AVX512_H_

#include <immintrin.h>

#include "linear/avx512/chunk_formats.h"
#include "linear/row_product.h"

namespace whereof::linear {

// How far ahead weights are fetched: the processor's own prefetching ends where a page does.
constexpr std::int64_t kPrefetchBytes = 4096;

struct RowTask {
  const WeightRows& weights;
  const InputChunk* chunks;  // [input rows, chunk_count]
  std::int64_t chunk_count;
  const OutputRows& output;
};

// kRows rows of input, from row `first` on, times all weight rows.
template <typename Bytes, typename Format, int kRows>
static void multiply_row_group(const RowTask& task, std::int64_t first) {
  const ChunkFormat format = chunk_format(Format::kType);
  const std::int64_t columns = task.weights.columns;
  const std::int64_t whole_chunks = columns / kChunk;
  const __m512i parts[4] = {
      _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
      _mm512_setr_epi32(4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7),
      _mm512_setr_epi32(8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11),
      _mm512_setr_epi32(12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15)};
  alignas(64) std::byte buffer[kMaxChunkBytes];
  // A chunk that ends behind its row is read as it lies where it ends inside the weights: what is
  // too much meets inputs of zero.
  const std::int64_t chunk_bytes = kChunk / format.block_elements * format.block_bytes;
  const std::byte* weights_end =
      task.weights.data + task.weights.count * task.weights.row_bytes - chunk_bytes;
  const std::int64_t chunk_count = task.chunk_count;
  const InputChunk* inputs = task.chunks + first * chunk_count;
  for (std::int64_t row = 0; row < task.weights.count; ++row) {
    const std::byte* data = task.weights.data + row * task.weights.row_bytes;
    __m512 even[kRows], odd[kRows];  // two running sums: one would wait for itself
    for (int t = 0; t < kRows; ++t) even[t] = odd[t] = _mm512_setzero_ps();
    for (std::int64_t c = 0; c < chunk_count; ++c) {
      const std::byte* as_it_lies = data + c * chunk_bytes;
      for (std::int64_t line = 0; line < chunk_bytes; line += 64) {
        _mm_prefetch(as_it_lies + kPrefetchBytes + line, _MM_HINT_T0);
      }
      const std::byte* chunk = as_it_lies <= weights_end
                                   ? as_it_lies
                                   : chunk_at(data, format, c * kChunk, columns, buffer);
      const ChunkScales weight_scales = Format::scales(chunk);
      __m512 scales[kRows];
      for (int t = 0; t < kRows; ++t) {
        const InputChunk& input = inputs[t * chunk_count + c];
        scales[t] = _mm512_mul_ps(weight_scales.scales, _mm512_load_ps(input.scales));
        odd[t] = _mm512_fmadd_ps(weight_scales.offsets, _mm512_load_ps(input.sums), odd[t]);
      }
      const auto step = [&](int part, __m512* sums) __attribute__((always_inline)) {
        const __m512i quants = Format::quants(chunk, part);
        for (int t = 0; t < kRows; ++t) {
          const InputChunk& input = inputs[t * chunk_count + c];
          const __m512i products =
              Bytes::sum_of_fours(quants, _mm512_load_si512(input.quants + 64 * part));
          sums[t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products),
                                    _mm512_permutexvar_ps(parts[part], scales[t]), sums[t]);
        }
      };
      // The last chunk may be shorter. Parts are told apart here, so that all stays in registers.
      const std::int64_t left = c < whole_chunks ? kChunk : columns - c * kChunk;
      step(0, even);
      if (left > 64) step(1, odd);
      if (left > 128) step(2, even);
      if (left > 192) step(3, odd);
    }
    for (int t = 0; t < kRows; ++t) {
      task.output.data[(first + t) * task.output.stride + row] =
          _mm512_reduce_add_ps(_mm512_add_ps(even[t], odd[t])) +
          (task.output.bias != nullptr ? task.output.bias[row] : 0.0F);
    }
  }
}

template <typename Bytes, typename Format>
static void multiply_format(const RowTask& task, std::int64_t input_rows) {
  std::int64_t first = 0;
  for (; first + 8 <= input_rows; first += 8) multiply_row_group<Bytes, Format, 8>(task, first);
  for (; first + 4 <= input_rows; first += 4) multiply_row_group<Bytes, Format, 4>(task, first);
  for (; first + 2 <= input_rows; first += 2) multiply_row_group<Bytes, Format, 2>(task, first);
  if (first < input_rows) multiply_row_group<Bytes, Format, 1>(task, first);
}

template <typename Bytes>
static void multiply_rows_avx512(const WeightRows& weights, const float* input, std::int64_t stride,
                                 const InputChunk* chunks, std::int64_t input_rows,
                                 const OutputRows& output) noexcept {
  const RowTask task{weights, chunks, (weights.columns + kChunk - 1) / kChunk, output};
  switch (weights.type) {
    case GgufTensorType::q4_0:
      return multiply_format<Bytes, ChunkQ4_0>(task, input_rows);
    case GgufTensorType::q4_1:
      return multiply_format<Bytes, ChunkQ4_1>(task, input_rows);
    case GgufTensorType::q5_0:
      return multiply_format<Bytes, ChunkQ5_0>(task, input_rows);
    case GgufTensorType::q5_1:
      return multiply_format<Bytes, ChunkQ5_1>(task, input_rows);
    case GgufTensorType::q8_0:
      return multiply_format<Bytes, ChunkQ8_0>(task, input_rows);
    case GgufTensorType::q4_k:
      return multiply_format<Bytes, ChunkQ4_K>(task, input_rows);
    case GgufTensorType::q5_k:
      return multiply_format<Bytes, ChunkQ5_K>(task, input_rows);
    case GgufTensorType::q6_k:
      return multiply_format<Bytes, ChunkQ6_K>(task, input_rows);
    default:
      return multiply_rows_plain(weights, input, stride, chunks, input_rows, output);
  }
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_AVX512_ROW_PRODUCT_AVX512_H_
