// AVX2 with FMA: eight lanes, sixteen registers.
#include <immintrin.h>

#include <cstddef>

#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"

namespace whereof::kernels {
namespace {

struct Avx2 {
  using Vector = __m256;
  static constexpr int kLanes = 8;
  static constexpr int kTileRows = 6;
  static constexpr int kTileVectors = 2;
  static constexpr int kFewRows = 4;
  static constexpr int kFewSums = 8;

  static Vector load(const float* from) noexcept { return _mm256_loadu_ps(from); }
  static Vector load_words(const void* from) noexcept {
    return _mm256_castsi256_ps(_mm256_loadu_si256(static_cast<const __m256i*>(from)));
  }
  static Vector load_bytes(const void* from, std::int64_t count) noexcept {
    float padded[kLanes] = {};
    __builtin_memcpy(padded, from, static_cast<std::size_t>(count));
    return load(padded);
  }
  static Vector load_f16(const std::uint16_t* from) noexcept {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static Vector load_i8(const std::int8_t* from) noexcept {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
  }
  static Vector load_bf16(const std::uint16_t* from) noexcept {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
  static Vector broadcast(float x) noexcept { return _mm256_set1_ps(x); }
  static Vector broadcast_from(const float* from) noexcept { return _mm256_broadcast_ss(from); }
  static void store(float* to, Vector v) noexcept { _mm256_storeu_ps(to, v); }
  static Vector add(Vector a, Vector b) noexcept { return _mm256_add_ps(a, b); }
  static Vector subtract(Vector a, Vector b) noexcept { return _mm256_sub_ps(a, b); }
  static Vector multiply(Vector a, Vector b) noexcept { return _mm256_mul_ps(a, b); }
  static Vector divide(Vector a, Vector b) noexcept { return _mm256_div_ps(a, b); }
  static Vector multiply_add(Vector a, Vector b, Vector c) noexcept {
    return _mm256_fmadd_ps(a, b, c);
  }
  static Vector maximum(Vector a, Vector b) noexcept { return _mm256_max_ps(a, b); }
  static Vector select_less(Vector a, Vector b, Vector x, Vector y) noexcept {
    return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
  }
  static Vector split(Vector x, Vector& whole) noexcept {
    const Vector bounded = _mm256_max_ps(_mm256_set1_ps(-127.0F), x);
    whole = _mm256_round_ps(bounded, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return _mm256_sub_ps(bounded, whole);
  }
  // Where `whole` is NaN so is a.
  static Vector scale_by_power(Vector a, Vector whole) noexcept {
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127));
    return _mm256_mul_ps(a, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
  }
  static std::uint32_t greater_bits(Vector a, Vector b) noexcept {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)));
  }
  static float largest(Vector v) noexcept {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
  }
  static float total(Vector v) noexcept {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
  }
  static Vector widen_low(Vector words) noexcept {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(words), 16));
  }
  static Vector widen_high(Vector words) noexcept {
    const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xffff0000U));
    return _mm256_castsi256_ps(_mm256_and_si256(_mm256_castps_si256(words), upper));
  }
  static Vector totals(const Vector* rows) noexcept {
    const Vector a =
        _mm256_hadd_ps(_mm256_hadd_ps(rows[0], rows[1]), _mm256_hadd_ps(rows[2], rows[3]));
    const Vector b =
        _mm256_hadd_ps(_mm256_hadd_ps(rows[4], rows[5]), _mm256_hadd_ps(rows[6], rows[7]));
    return add(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
  }
};

}  // namespace

constinit const KernelSet kAvx2Kernels =
    kernel_set_of<Avx2>(InstructionSet::avx2, {.rows = 64, .keys = 64});

}  // namespace whereof::kernels
