// The vectors that stand beside the tiles of AMX: those of avx512_bf16, and a square of words
// turned.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_KERNELS_AMX_SIMD_AMX_H_
#define WHEREOF_KERNELS_AMX_SIMD_AMX_H_

#include "kernels/avx512_bf16/simd_avx512_bf16.h"

namespace whereof::kernels {
namespace {

struct AmxVectors : Avx512Bf16 {
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

#endif  // WHEREOF_KERNELS_AMX_SIMD_AMX_H_
