// What AVX-512 has for pairs of bf16 and for bytes: for the sets avx512_bf16 and amx.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_LINEAR_AVX512_BF16_PAIR_SINK_H_
#define WHEREOF_LINEAR_AVX512_BF16_PAIR_SINK_H_

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "linear/avx512/panels.h"

namespace whereof::linear {
namespace {

// Of panels.h.
struct Bf16Sink {
  using Element = std::uint16_t;
  static constexpr std::int64_t kDepth = 2;
  static void store_32(Element* to, __m512 first, __m512 second) {
    const __m512bh both = _mm512_cvtne2ps_pbh(second, first);
    std::memcpy(to, &both, sizeof both);
  }
  // The words of one input row, from 32 columns on.
  static __m512 words_of(const float* row, std::int64_t left) {
    const __m512 first = _mm512_maskz_loadu_ps(mask_of(left), row);
    const __m512 second = _mm512_maskz_loadu_ps(mask_of(left - 16), row + 16);
    return reinterpret_cast<__m512>(_mm512_cvtne2ps_pbh(second, first));
  }
};

// Of row_product_avx512.h.
struct VnniBytes {
  static __m512i sum_of_fours(__m512i quants, __m512i inputs) {
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), quants, inputs);
  }
};

}  // namespace
}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_AVX512_BF16_PAIR_SINK_H_
