// Plain C++, vectors of four floats as the compiler makes them.
#include "linear/linear_kernels.h"

#include "linear/fill_linear_kernels.h"
#include "linear/panel_product.h"

namespace whereof::linear {
namespace {

struct PortableUnit : PlainPanels<8> {
  typedef float Vector __attribute__((vector_size(16)));
  using Words = Vector;
  using Element = float;
  static constexpr std::int64_t kDepth = 1;
  static constexpr std::int64_t kLanes = 4;
  static constexpr int kVectors = 2;
  static constexpr int kTileRows = 6;

  static Vector zero() { return Vector{0, 0, 0, 0}; }
  static Vector load(const float* floats) {
    Vector v;
    std::memcpy(&v, floats, sizeof v);
    return v;
  }
  static void store(float* floats, Vector v) { std::memcpy(floats, &v, sizeof v); }
  static Words load_words(const std::byte* words) {
    Vector v;
    std::memcpy(&v, words, sizeof v);
    return v;
  }
  static Words broadcast(const std::byte* word) {
    float value = 0;
    std::memcpy(&value, word, sizeof value);
    return Vector{value, value, value, value};
  }
  static Vector multiply_add(Vector c, Words w, Words x) { return c + w * x; }
};

using Product = PanelProduct<PortableUnit>;

}  // namespace

constinit const LinearKernels kPortableKernels =
    linear_kernels_with<Product>(InstructionSet::portable, multiply_rows_plain);

}  // namespace whereof::linear
