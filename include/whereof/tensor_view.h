// Views of arrays that somebody else owns. Shapes are written outermost first.
#ifndef WHEREOF_TENSOR_VIEW_H_
#define WHEREOF_TENSOR_VIEW_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace whereof {

enum class ElementType : std::uint8_t {
  f32,   // IEEE binary32
  bf16,  // upper half of a binary32, rounded to nearest even
  f16,   // IEEE binary16
  i8,    // two's complement; stands for itself times a scale that its user keeps
  f64,   // IEEE binary64
};

constexpr std::int64_t bytes_of(ElementType type) noexcept {
  if (type == ElementType::f64) return 8;
  return type == ElementType::f32 ? 4 : type == ElementType::i8 ? 1 : 2;
}

std::string_view name_of(ElementType type) noexcept;

// Four dimensions; strides count elements, may be anything that stays inside the owner's memory,
// and the innermost stride must be 1 where a function says "rows contiguous".
template <typename Pointer>
struct BasicTensorView {
  Pointer data = nullptr;
  ElementType type = ElementType::f32;
  std::array<std::int64_t, 4> shape{};
  std::array<std::int64_t, 4> strides{};

  bool is_empty() const noexcept {
    return shape[0] <= 0 || shape[1] <= 0 || shape[2] <= 0 || shape[3] <= 0;
  }
  // Element offset of [i0, i1, i2, 0].
  std::int64_t row_offset(std::int64_t i0, std::int64_t i1, std::int64_t i2) const noexcept {
    return i0 * strides[0] + i1 * strides[1] + i2 * strides[2];
  }
};

using TensorView = BasicTensorView<void*>;

struct ConstTensorView : BasicTensorView<const void*> {
  ConstTensorView() = default;
  ConstTensorView(const void* data_in, ElementType type_in, std::array<std::int64_t, 4> shape_in,
                  std::array<std::int64_t, 4> strides_in)
      : BasicTensorView<const void*>{data_in, type_in, shape_in, strides_in} {}
  ConstTensorView(const TensorView& view)  // NOLINT: a mutable view is a const view
      : BasicTensorView<const void*>{view.data, view.type, view.shape, view.strides} {}
};

// Strides of an array that lies without gaps, the last dimension innermost.
constexpr std::array<std::int64_t, 4> dense_strides(std::array<std::int64_t, 4> shape) noexcept {
  return {shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1};
}

inline TensorView dense_view(void* data, ElementType type, std::array<std::int64_t, 4> shape) {
  return TensorView{data, type, shape, dense_strides(shape)};
}
inline ConstTensorView dense_view(const void* data, ElementType type,
                                  std::array<std::int64_t, 4> shape) {
  return ConstTensorView{data, type, shape, dense_strides(shape)};
}

}  // namespace whereof

#endif  // WHEREOF_TENSOR_VIEW_H_
