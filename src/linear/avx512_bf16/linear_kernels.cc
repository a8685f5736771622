// AVX-512 with BF16 and VNNI: prefill multiplies pairs of bf16.
//
// vdpbf16ps runs at the rate of an FMA and does twice its products; weights and inputs are rounded
// to bf16 (8 bits of mantissa), sums stay in f32.
#include "linear/linear_kernels.h"

#include <immintrin.h>

#include "linear/avx512/row_product_avx512.h"
#include "linear/avx512_bf16/pair_sink.h"
#include "linear/fill_linear_kernels.h"
#include "linear/panel_product.h"

namespace whereof::linear {
namespace {

struct Bf16Unit : Avx512Panels<Bf16Sink> {
  using Vector = __m512;
  using Words = __m512i;
  using Element = Bf16Sink::Element;
  static constexpr std::int64_t kDepth = 2;
  static constexpr std::int64_t kLanes = 16;
  static constexpr int kVectors = 4;
  static constexpr int kTileRows = 6;

  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* floats) { return _mm512_loadu_ps(floats); }
  static void store(float* floats, Vector v) { _mm512_storeu_ps(floats, v); }
  static Words load_words(const std::byte* words) { return _mm512_loadu_si512(words); }
  static Words broadcast(const std::byte* word) {
    int value = 0;
    std::memcpy(&value, word, sizeof value);
    return _mm512_set1_epi32(value);
  }
  static Vector multiply_add(Vector c, Words w, Words x) {
    return _mm512_dpbf16_ps(c, reinterpret_cast<__m512bh>(w), reinterpret_cast<__m512bh>(x));
  }
};

using Product = PanelProduct<Bf16Unit>;

}  // namespace

constinit const LinearKernels kAvx512Bf16Kernels =
    linear_kernels_with<Product>(InstructionSet::avx512_bf16, multiply_rows_avx512<VnniBytes>);

}  // namespace whereof::linear
