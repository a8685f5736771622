// AVX-512 (F, BW, DQ, VL): sixteen lanes, thirty-two registers.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_KERNELS_AVX512_SIMD_AVX512_H_
#define WHEREOF_KERNELS_AVX512_SIMD_AVX512_H_

#include <immintrin.h>

#include <cstdint>

namespace whereof::kernels {
namespace {

struct Avx512 {
  using Vector = __m512;
  static constexpr int kLanes = 16;
  static constexpr int kTileRows = 8;
  static constexpr int kTileVectors = 3;
  static constexpr int kFewRows = 4;
  static constexpr int kFewSums = 16;

  static Vector load(const float* from) noexcept { return _mm512_loadu_ps(from); }
  static Vector load_words(const void* from) noexcept { return _mm512_loadu_ps(from); }
  static Vector load_bytes(const void* from, std::int64_t count) noexcept {
    const __mmask64 mask = count >= 64 ? ~__mmask64{0} : (__mmask64{1} << count) - 1;
    return _mm512_castsi512_ps(_mm512_maskz_loadu_epi8(mask, from));
  }
  static Vector load_f16(const std::uint16_t* from) noexcept {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static Vector load_i8(const std::int8_t* from) noexcept {
    return _mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
  static Vector load_bf16(const std::uint16_t* from) noexcept {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
  static Vector broadcast(float x) noexcept { return _mm512_set1_ps(x); }
  static Vector broadcast_from(const float* from) noexcept {
    float x;
    __builtin_memcpy(&x, from, sizeof x);  // a pair of bf16 may lie at any even address
    return _mm512_set1_ps(x);
  }
  static void store(float* to, Vector v) noexcept { _mm512_storeu_ps(to, v); }
  static Vector add(Vector a, Vector b) noexcept { return _mm512_add_ps(a, b); }
  static Vector subtract(Vector a, Vector b) noexcept { return _mm512_sub_ps(a, b); }
  static Vector multiply(Vector a, Vector b) noexcept { return _mm512_mul_ps(a, b); }
  static Vector divide(Vector a, Vector b) noexcept { return _mm512_div_ps(a, b); }
  static Vector multiply_add(Vector a, Vector b, Vector c) noexcept {
    return _mm512_fmadd_ps(a, b, c);
  }
  static Vector maximum(Vector a, Vector b) noexcept { return _mm512_max_ps(a, b); }
  static Vector select_less(Vector a, Vector b, Vector x, Vector y) noexcept {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
  }
  // vscalefps takes the whole part itself.
  static Vector split(Vector x, Vector& whole) noexcept {
    whole = x;
    return _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  }
  static Vector scale_by_power(Vector a, Vector whole) noexcept {
    return _mm512_scalef_ps(a, whole);
  }
  static std::uint32_t greater_bits(Vector a, Vector b) noexcept {
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
  }
  static float largest(Vector v) noexcept { return _mm512_reduce_max_ps(v); }
  static float total(Vector v) noexcept { return _mm512_reduce_add_ps(v); }
  static Vector widen_low(Vector words) noexcept {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(words), 16));
  }
  static Vector widen_high(Vector words) noexcept {
    const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000U));
    return _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(words), upper));
  }
  // Adds neighbours until each lane holds one sum: pairs, then the four quarters of a register.
  static Vector totals(const Vector* rows) noexcept {
    Vector fours[4];  // quarter q of fours[i]: rows 4 i .. 4 i + 3, summed over quarter q
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const Vector a = add_interleaved(rows[4 * i], rows[4 * i + 1]);
      const Vector b = add_interleaved(rows[4 * i + 2], rows[4 * i + 3]);
      const __m512d a2 = _mm512_castps_pd(a);
      const __m512d b2 = _mm512_castps_pd(b);
      fours[i] = add(_mm512_castpd_ps(_mm512_unpacklo_pd(a2, b2)),
                     _mm512_castpd_ps(_mm512_unpackhi_pd(a2, b2)));
    }
    return add_quarters(add_quarters(fours[0], fours[1]), add_quarters(fours[2], fours[3]));
  }

 private:
  static Vector add_interleaved(Vector a, Vector b) noexcept {
    return add(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  }
  // Sums of neighbouring quarters: two of a, then two of b.
  static Vector add_quarters(Vector a, Vector b) noexcept {
    return add(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
  }
};

}  // namespace
}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_AVX512_SIMD_AVX512_H_
