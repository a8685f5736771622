// AVX2 with FMA and F16C: vectors of eight floats.
#include "linear/linear_kernels.h"

#include <immintrin.h>

#include "linear/avx2/row_product_avx2.h"
#include "linear/fill_linear_kernels.h"
#include "linear/panel_product.h"

namespace whereof::linear {
namespace {

struct Avx2Unit : PlainPanels<16> {
  using Vector = __m256;
  using Words = __m256;
  using Element = float;
  static constexpr std::int64_t kDepth = 1;
  static constexpr std::int64_t kLanes = 8;
  static constexpr int kVectors = 2;
  static constexpr int kTileRows = 6;

  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* floats) { return _mm256_loadu_ps(floats); }
  static void store(float* floats, Vector v) { _mm256_storeu_ps(floats, v); }
  static Words load_words(const std::byte* words) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(words));
  }
  static Words broadcast(const std::byte* word) {
    return _mm256_broadcast_ss(reinterpret_cast<const float*>(word));
  }
  static Vector multiply_add(Vector c, Words w, Words x) { return _mm256_fmadd_ps(w, x, c); }
};

using Product = PanelProduct<Avx2Unit>;

}  // namespace

constinit const LinearKernels kAvx2Kernels =
    linear_kernels_with<Product>(InstructionSet::avx2, multiply_rows_avx2);

}  // namespace whereof::linear
