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

  static Vector load(const float* from) noexcept { return _mm512_loadu_ps(from); }
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
  static Vector round(Vector v) noexcept {
    return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Vector scale_by_power(Vector a, Vector n) noexcept { return _mm512_scalef_ps(a, n); }
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
  static void transpose(Vector* rows) noexcept {
    Vector pairs[16];
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
      pairs[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
      pairs[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
    }
    Vector fours[16];  // fours[4 g + c]: rows 4 g .. 4 g + 3 of columns c, c + 4, c + 8, c + 12
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
      fours[i] = _mm512_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
      fours[i + 1] = _mm512_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
      fours[i + 2] = _mm512_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
      fours[i + 3] = _mm512_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
    }
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      const Vector low01 = _mm512_shuffle_f32x4(fours[c], fours[c + 4], 0x88);
      const Vector high01 = _mm512_shuffle_f32x4(fours[c], fours[c + 4], 0xdd);
      const Vector low23 = _mm512_shuffle_f32x4(fours[c + 8], fours[c + 12], 0x88);
      const Vector high23 = _mm512_shuffle_f32x4(fours[c + 8], fours[c + 12], 0xdd);
      rows[c] = _mm512_shuffle_f32x4(low01, low23, 0x88);
      rows[c + 4] = _mm512_shuffle_f32x4(high01, high23, 0x88);
      rows[c + 8] = _mm512_shuffle_f32x4(low01, low23, 0xdd);
      rows[c + 12] = _mm512_shuffle_f32x4(high01, high23, 0xdd);
    }
  }
};

}  // namespace
}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_AVX512_SIMD_AVX512_H_
