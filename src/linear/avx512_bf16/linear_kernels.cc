// AVX-512 with BF16 and VNNI: prefill multiplies pairs of bf16.
//
// vdpbf16ps runs at the rate of an FMA and does twice its products; weights and inputs are rounded
// to bf16 (8 bits of mantissa), sums stay in f32.
#include "linear/linear_kernels.h"

#include <immintrin.h>

#include "linear/avx512/row_product_avx512.h"
#include "linear/panel_product.h"
#include "linear/row_functions.h"
#include "linear/row_product.h"

namespace whereof::linear {
namespace {

struct Bf16Unit {
  using Vector = __m512;
  using Words = __m512i;
  using Element = std::uint16_t;
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
  static void narrow(const float* floats, std::int64_t count, std::uint16_t* elements) {
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16) {
      const __m256bh halves = _mm512_cvtneps_pbh(_mm512_loadu_ps(floats + i));
      std::memcpy(elements + i, &halves, sizeof halves);
    }
    for (; i < count; ++i) elements[i] = numeric::bf16_of_float(floats[i]);
  }
};

struct VnniBytes {
  static __m512i sum_of_fours(__m512i quants, __m512i inputs) {
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), quants, inputs);
  }
};

using Product = PanelProduct<Bf16Unit>;

}  // namespace

const LinearKernels kAvx512Bf16Kernels = {
    .set = InstructionSet::avx512_bf16,
    .group_rows = Product::kGroup,
    .group_bytes = Product::group_bytes,
    .pack_group = Product::pack_group,
    .panel_scratch_bytes = Product::panel_scratch_bytes,
    .multiply_panel = Product::multiply_panel,
    .quantise_row = quantise_row_plain,
    .multiply_rows = multiply_rows_avx512<VnniBytes>,
    .rms_norm = rms_norm_plain,
    .swiglu = swiglu_plain,
};

}  // namespace whereof::linear
