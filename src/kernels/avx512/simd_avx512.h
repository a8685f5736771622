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
  static Vector broadcast_from(const float* from) noexcept { return _mm512_set1_ps(*from); }
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
};

}  // namespace
}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_AVX512_SIMD_AVX512_H_
