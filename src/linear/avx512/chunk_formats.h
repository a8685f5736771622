// Chunks of the tensor types in AVX-512 registers: quants 64 at a time, scales and offsets 16.
//
// A format offers quants(chunk, part), elements 64 * part .. + 63 as unsigned bytes, and
// scales(chunk), one scale and one offset for each 16 elements: the form of block_formats.h,
// without the way through memory. Types without a format here take that way.
#ifndef WHEREOF_LINEAR_AVX512_CHUNK_FORMATS_H_
#define WHEREOF_LINEAR_AVX512_CHUNK_FORMATS_H_

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linear/unpack.h"

namespace whereof::linear {

struct ChunkScales {
  __m512 scales;
  __m512 offsets;
};

[[maybe_unused]] static __m512i load_twice_128(const void* first, const void* second) {
  const __m256i a =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(first)));
  const __m256i b =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(second)));
  return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

[[maybe_unused]] static __m512i load_twice_256(const void* bytes) {
  return _mm512_broadcast_i64x4(_mm256_loadu_si256(static_cast<const __m256i*>(bytes)));
}

// Of two blocks with 16 bytes each: low halves, high halves, low halves, high halves.
[[maybe_unused]] static __m512i nibbles_of_two(const void* first, const void* second) {
  const __m512i shifts = _mm512_setr_epi64(0, 0, 4, 4, 0, 0, 4, 4);
  const __m512i both = load_twice_128(first, second);
  return _mm512_and_si512(_mm512_srlv_epi64(both, shifts), _mm512_set1_epi8(15));
}

[[maybe_unused]] static __m512i add_fifth_bit(__m512i quants, const void* first,
                                              const void* second) {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::memcpy(&low, first, 4);
  std::memcpy(&high, second, 4);
  const __mmask64 bits = low | (static_cast<std::uint64_t>(high) << 32);
  return _mm512_mask_add_epi8(quants, bits, quants, _mm512_set1_epi8(16));
}

// Eight values to sixteen lanes, each twice.
[[maybe_unused]] static __m512 repeat_pairs(__m256 eight) {
  const __m512i index = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  return _mm512_permutexvar_ps(index, _mm512_castps256_ps512(eight));
}

// The first four bytes of eight blocks. Joined in registers: on its way through memory the vector
// would wait for eight narrow stores.
template <typename Block>
static __m256i first_words(const Block* b) {
  const auto pair = [b](int i) {
    return _mm_unpacklo_epi32(_mm_loadu_si32(b + i), _mm_loadu_si32(b + i + 1));
  };
  const __m128i low = _mm_unpacklo_epi64(pair(0), pair(2));
  const __m128i high = _mm_unpacklo_epi64(pair(4), pair(6));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

// The f16 at the beginning of eight blocks.
template <typename Block>
static __m256 eight_scales(const Block* b) {
  return _mm256_cvtph_ps(_mm256_cvtepi32_epi16(first_words(b)));
}

template <typename Block>
static ChunkScales scales_with_zero(const std::byte* chunk, float zero) {
  const __m512 scales = repeat_pairs(eight_scales(reinterpret_cast<const Block*>(chunk)));
  return {scales, _mm512_mul_ps(scales, _mm512_set1_ps(-zero))};
}

// Blocks that begin with two f16: scale and minimum.
template <typename Block>
static ChunkScales scales_with_minima(const std::byte* chunk) {
  const auto* b = reinterpret_cast<const Block*>(chunk);
  const __m256i words = first_words(b);
  const __m256 scales = _mm256_cvtph_ps(_mm256_cvtepi32_epi16(words));
  const __m256 minima = _mm256_cvtph_ps(_mm256_cvtepi32_epi16(_mm256_srli_epi32(words, 16)));
  return {repeat_pairs(scales), repeat_pairs(minima)};
}

struct ChunkQ4_0 {
  static constexpr GgufTensorType kType = GgufTensorType::q4_0;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* b = reinterpret_cast<const BlockQ4_0*>(chunk) + 2 * part;
    return nibbles_of_two(b[0].quants, b[1].quants);
  }
  static ChunkScales scales(const std::byte* chunk) {
    return scales_with_zero<BlockQ4_0>(chunk, 8);
  }
};

struct ChunkQ4_1 {
  static constexpr GgufTensorType kType = GgufTensorType::q4_1;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* b = reinterpret_cast<const BlockQ4_1*>(chunk) + 2 * part;
    return nibbles_of_two(b[0].quants, b[1].quants);
  }
  static ChunkScales scales(const std::byte* chunk) { return scales_with_minima<BlockQ4_1>(chunk); }
};

struct ChunkQ5_0 {
  static constexpr GgufTensorType kType = GgufTensorType::q5_0;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* b = reinterpret_cast<const BlockQ5_0*>(chunk) + 2 * part;
    return add_fifth_bit(nibbles_of_two(b[0].quants, b[1].quants), b[0].high, b[1].high);
  }
  static ChunkScales scales(const std::byte* chunk) {
    return scales_with_zero<BlockQ5_0>(chunk, 16);
  }
};

struct ChunkQ5_1 {
  static constexpr GgufTensorType kType = GgufTensorType::q5_1;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* b = reinterpret_cast<const BlockQ5_1*>(chunk) + 2 * part;
    return add_fifth_bit(nibbles_of_two(b[0].quants, b[1].quants), b[0].high, b[1].high);
  }
  static ChunkScales scales(const std::byte* chunk) { return scales_with_minima<BlockQ5_1>(chunk); }
};

struct ChunkQ8_0 {
  static constexpr GgufTensorType kType = GgufTensorType::q8_0;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* b = reinterpret_cast<const BlockQ8_0*>(chunk) + 2 * part;
    const auto* first = reinterpret_cast<const __m256i*>(b[0].quants);
    const auto* second = reinterpret_cast<const __m256i*>(b[1].quants);
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)),
                                            _mm256_loadu_si256(second), 1);
    return _mm512_xor_si512(both, _mm512_set1_epi8(-128));
  }
  static ChunkScales scales(const std::byte* chunk) {
    return scales_with_zero<BlockQ8_0>(chunk, 128);
  }
};

// 32 bytes hold 64 elements: low halves, then high halves.
[[maybe_unused]] static __m512i nibbles_of_half(const void* bytes) {
  const __m512i shifts = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
  return _mm512_and_si512(_mm512_srlv_epi64(load_twice_256(bytes), shifts), _mm512_set1_epi8(15));
}

// The twelve bytes of six-bit scales and minima (see unpack_six_bits), four at a time.
template <typename Block>
[[gnu::always_inline]] static inline ChunkScales six_bit_scales(const std::byte* chunk) {
  const auto* block = reinterpret_cast<const Block*>(chunk);
  std::uint32_t words[3];
  std::memcpy(words, block->scales, sizeof words);
  constexpr std::uint32_t kSix = 0x3f3f3f3fU;
  constexpr std::uint32_t kFour = 0x0f0f0f0fU;
  constexpr std::uint32_t kTop = 0x30303030U;
  const std::uint64_t scales_low = words[0] & kSix;
  const std::uint64_t minima_low = words[1] & kSix;
  const std::uint64_t scales_high = (words[2] & kFour) | ((words[0] >> 2) & kTop);
  const std::uint64_t minima_high = ((words[2] >> 4) & kFour) | ((words[1] >> 2) & kTop);
  const __m128i bytes = _mm_set_epi64x(static_cast<long long>(minima_low | (minima_high << 32)),
                                       static_cast<long long>(scales_low | (scales_high << 32)));
  const __m512 both = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
  const __m512i first = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  const __m512i second =
      _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
  return {
      _mm512_mul_ps(_mm512_permutexvar_ps(first, both), _mm512_set1_ps(_cvtsh_ss(block->d))),
      _mm512_mul_ps(_mm512_permutexvar_ps(second, both), _mm512_set1_ps(-_cvtsh_ss(block->dmin)))};
}

struct ChunkQ4_K {
  static constexpr GgufTensorType kType = GgufTensorType::q4_k;
  static __m512i quants(const std::byte* chunk, int part) {
    return nibbles_of_half(reinterpret_cast<const BlockQ4_K*>(chunk)->quants + 32 * part);
  }
  static ChunkScales scales(const std::byte* chunk) { return six_bit_scales<BlockQ4_K>(chunk); }
};

struct ChunkQ5_K {
  static constexpr GgufTensorType kType = GgufTensorType::q5_k;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* block = reinterpret_cast<const BlockQ5_K*>(chunk);
    const __m256i bit = _mm256_set1_epi8(static_cast<char>(1 << (2 * part)));
    const __m512i bits =
        _mm512_inserti64x4(_mm512_castsi256_si512(bit), _mm256_add_epi8(bit, bit), 1);
    const __mmask64 fifth = _mm512_test_epi8_mask(load_twice_256(block->high), bits);
    const __m512i low = nibbles_of_half(block->quants + 32 * part);
    return _mm512_mask_add_epi8(low, fifth, low, _mm512_set1_epi8(16));
  }
  static ChunkScales scales(const std::byte* chunk) { return six_bit_scales<BlockQ5_K>(chunk); }
};

struct ChunkQ6_K {
  static constexpr GgufTensorType kType = GgufTensorType::q6_k;
  static __m512i quants(const std::byte* chunk, int part) {
    const auto* block = reinterpret_cast<const BlockQ6_K*>(chunk);
    const int half = part / 2;
    __m512i low = _mm512_loadu_si512(block->low + 64 * half);
    __m512i high = load_twice_256(block->high + 32 * half);
    if (part % 2 == 0) {
      high = _mm512_sllv_epi64(high, _mm512_setr_epi64(4, 4, 4, 4, 2, 2, 2, 2));
    } else {
      low = _mm512_srli_epi64(low, 4);
      high = _mm512_srlv_epi64(high, _mm512_setr_epi64(0, 0, 0, 0, 2, 2, 2, 2));
    }
    return _mm512_or_si512(_mm512_and_si512(low, _mm512_set1_epi8(15)),
                           _mm512_and_si512(high, _mm512_set1_epi8(48)));
  }
  static ChunkScales scales(const std::byte* chunk) {
    const auto* block = reinterpret_cast<const BlockQ6_K*>(chunk);
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block->scales));
    const __m512 scales = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)),
                                        _mm512_set1_ps(_cvtsh_ss(block->d)));
    return {scales, _mm512_mul_ps(scales, _mm512_set1_ps(-32))};
  }
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_AVX512_CHUNK_FORMATS_H_
