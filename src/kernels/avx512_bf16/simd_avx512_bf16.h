// AVX-512 with products of bf16 pairs (vdpbf16ps), which does twice the work of a multiply-add.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_KERNELS_AVX512_BF16_SIMD_AVX512_BF16_H_
#define WHEREOF_KERNELS_AVX512_BF16_SIMD_AVX512_BF16_H_

#include "kernels/avx512/simd_avx512.h"

namespace whereof::kernels {
namespace {

struct Avx512Bf16 : Avx512 {
  static Vector dot_pairs(Vector a, Vector b, Vector sum) noexcept {
    return _mm512_dpbf16_ps(sum, __builtin_bit_cast(__m512bh, a), __builtin_bit_cast(__m512bh, b));
  }
  static Vector pairs_of(Vector low, Vector high) noexcept {
    const auto halves = __builtin_bit_cast(__m512i, _mm512_cvtne2ps_pbh(high, low));
    return _mm512_castsi512_ps(_mm512_permutexvar_epi16(_mm512_load_si512(kInTurn), halves));
  }
  static Vector load_integer_pairs(const std::int8_t* from) noexcept {
    return _mm512_castsi512_ps(
        _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
  }
  static Vector dot_integer_pairs(Vector a, Vector b, Vector sum) noexcept {
    return _mm512_castsi512_ps(_mm512_dpwssd_epi32(_mm512_castps_si512(sum), _mm512_castps_si512(a),
                                                   _mm512_castps_si512(b)));
  }
  static Vector floats_of_integers(Vector v) noexcept {
    return _mm512_cvtepi32_ps(_mm512_castps_si512(v));
  }
  static void store_integers(std::uint16_t* to, Vector v) noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(v)));
  }
  static Vector interleave(const std::uint16_t* low, const std::uint16_t* high) noexcept {
    const __m512i lows =
        _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(low)));
    const __m512i highs =
        _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(high)));
    return _mm512_castsi512_ps(_mm512_or_si512(lows, _mm512_slli_epi32(highs, 16)));
  }
  // Within each 128 bits, the four lower elements, then the four upper ones.
  static constexpr int element_of_pair(int v, int lane) noexcept {
    return lane / 4 * 8 + v * 4 + lane % 4;
  }
  static void pair_up(Vector low, Vector high, Vector* words) noexcept {
    const __m512i a = _mm512_castps_si512(low);
    const __m512i b = _mm512_castps_si512(high);
    words[0] = _mm512_castsi512_ps(_mm512_unpacklo_epi16(a, b));
    words[1] = _mm512_castsi512_ps(_mm512_unpackhi_epi16(a, b));
  }
  static void store_bf16(std::uint16_t* to, Vector v) noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(v)));
  }

 private:
  alignas(64) static constexpr std::uint16_t kInTurn[32] = {
      0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
};

}  // namespace
}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_AVX512_BF16_SIMD_AVX512_BF16_H_
