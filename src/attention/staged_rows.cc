#include "attention/staged_rows.h"

#include <cstring>

#include "numeric/half.h"

namespace whereof::attention {

void stage_row(const WordProducts& words, const ConstTensorView& view, std::int64_t at, float* to) {
  if (!words.has_pairs()) {
    widen_row(words, view, at, to);
    return;
  }
  const std::int64_t elements = view.shape[3];
  if (elements % 2 != 0) to[elements / 2] = 0.0F;
  std::memcpy(to, static_cast<const std::uint16_t*>(view.data) + at,
              static_cast<std::size_t>(elements) * sizeof(std::uint16_t));
}

void widen_row(const WordProducts& words, const ConstTensorView& view, std::int64_t at, float* to) {
  const std::int64_t elements = view.shape[3];
  if (view.type == ElementType::bf16) {
    words.kernels.widen_bf16(static_cast<const std::uint16_t*>(view.data) + at, to, elements);
  } else {
    std::memcpy(to, static_cast<const float*>(view.data) + at,
                static_cast<std::size_t>(elements) * sizeof(float));
  }
}

void pair_rows(const WordProducts& words, const float* rows, std::int64_t row_stride,
               std::int64_t row_count, std::int64_t elements, float* to, std::int64_t to_stride) {
  for (std::int64_t row = 0; row < row_count; row += 2) {
    const auto* low = reinterpret_cast<const std::uint16_t*>(rows + row * row_stride);
    const std::uint16_t* high = row + 1 < row_count ? low + 2 * row_stride : nullptr;
    words.kernels.pair_packing.interleave(low, high, to + row / 2 * to_stride, elements);
  }
}

void transpose_rows(const float* from, std::int64_t from_stride, std::int64_t row_count,
                    std::int64_t words, float* to, std::int64_t to_stride) {
  for (std::int64_t row = 0; row < row_count; ++row) {
    for (std::int64_t word = 0; word < words; ++word) {  // bits, whatever they mean
      std::memcpy(to + word * to_stride + row, from + row * from_stride + word, sizeof(float));
    }
  }
}

void store_row(const float* from, float factor, const TensorView& view, std::int64_t at) {
  const std::int64_t elements = view.shape[3];
  const auto store = [&](auto* to, auto&& rounded) {
    for (std::int64_t i = 0; i < elements; ++i) to[at + i] = rounded(from[i] * factor);
  };
  if (view.type == ElementType::f32) {
    store(static_cast<float*>(view.data), [](float x) { return x; });
  } else if (view.type == ElementType::bf16) {
    store(static_cast<std::uint16_t*>(view.data), numeric::bf16_of_float);
  } else {
    store(static_cast<std::uint16_t*>(view.data), numeric::f16_of_float);
  }
}

}  // namespace whereof::attention
