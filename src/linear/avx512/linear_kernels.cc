// AVX-512 F, BW, DQ, VL: vectors of sixteen floats.
#include "linear/linear_kernels.h"

#include <immintrin.h>

#include "linear/avx512/panels.h"
#include "linear/avx512/row_product_avx512.h"
#include "linear/fill_linear_kernels.h"
#include "linear/panel_product.h"

namespace whereof::linear {
namespace {

struct FloatSink {
  using Element = float;
  static constexpr std::int64_t kDepth = 1;
  static void store_32(Element* to, __m512 first, __m512 second) {
    _mm512_storeu_ps(to, first);
    _mm512_storeu_ps(to + 16, second);
  }
  // The words of one input row, from 16 columns on.
  static __m512 words_of(const float* row, std::int64_t left) {
    return _mm512_maskz_loadu_ps(mask_of(left), row);
  }
};

struct Avx512Unit : Avx512Panels<FloatSink> {
  using Vector = __m512;
  using Words = __m512;
  using Element = float;
  static constexpr std::int64_t kDepth = 1;
  static constexpr std::int64_t kLanes = 16;
  static constexpr int kVectors = 4;
  static constexpr int kTileRows = 6;

  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* floats) { return _mm512_loadu_ps(floats); }
  static void store(float* floats, Vector v) { _mm512_storeu_ps(floats, v); }
  static Words load_words(const std::byte* words) { return _mm512_loadu_ps(words); }
  static Words broadcast(const std::byte* word) {
    return _mm512_set1_ps(*reinterpret_cast<const float*>(word));
  }
  static Vector multiply_add(Vector c, Words w, Words x) { return _mm512_fmadd_ps(w, x, c); }
};

// Without VNNI: even and odd bytes apart as 16-bit integers, so that no sum saturates.
struct PlainBytes {
  static __m512i sum_of_fours(__m512i quants, __m512i inputs) {
    const __m512i even = _mm512_and_si512(quants, _mm512_set1_epi16(255));
    const __m512i odd = _mm512_srli_epi16(quants, 8);
    const __m512i even_inputs = _mm512_srai_epi16(_mm512_slli_epi16(inputs, 8), 8);
    const __m512i odd_inputs = _mm512_srai_epi16(inputs, 8);
    return _mm512_add_epi32(_mm512_madd_epi16(even, even_inputs),
                            _mm512_madd_epi16(odd, odd_inputs));
  }
};

using Product = PanelProduct<Avx512Unit>;

}  // namespace

constinit const LinearKernels kAvx512Kernels =
    linear_kernels_with<Product>(InstructionSet::avx512, multiply_rows_avx512<PlainBytes>);

}  // namespace whereof::linear
