// AVX-512 F, BW, DQ, VL: vectors of sixteen floats.
#include "linear/linear_kernels.h"

#include <immintrin.h>

#include "linear/panel_product.h"
#include "linear/row_functions.h"
#include "linear/row_product.h"

namespace whereof::linear {
namespace {

struct Avx512Unit {
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
  static void narrow(const float* floats, std::int64_t count, float* elements) {
    std::memcpy(elements, floats, static_cast<std::size_t>(count) * sizeof(float));
  }
};

using Product = PanelProduct<Avx512Unit>;

}  // namespace

const LinearKernels kAvx512Kernels = {
    .set = InstructionSet::avx512,
    .group_rows = Product::kGroup,
    .group_bytes = Product::group_bytes,
    .pack_group = Product::pack_group,
    .panel_scratch_bytes = Product::panel_scratch_bytes,
    .multiply_panel = Product::multiply_panel,
    .quantise_row = quantise_row_plain,
    .multiply_rows = multiply_rows_plain,
    .rms_norm = rms_norm_plain,
    .swiglu = swiglu_plain,
};

}  // namespace whereof::linear
