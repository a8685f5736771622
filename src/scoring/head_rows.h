// Rows of every head, padded so that kernels may work in whole vectors.
#ifndef WHEREOF_SCORING_HEAD_ROWS_H_
#define WHEREOF_SCORING_HEAD_ROWS_H_

#include <algorithm>
#include <cstdint>

#include "memory/aligned_array.h"
#include "whereof/tensor_view.h"

namespace whereof::scoring {

inline std::int64_t whole_vectors(std::int64_t count, std::int64_t lanes) {
  return (count + lanes - 1) / lanes * lanes;
}

// `rows` rows of `dim` elements and zeros up to `stride`, a multiple of the lanes.
class PaddedRows {
 public:
  PaddedRows() = default;
  PaddedRows(std::int64_t rows, std::int64_t dim, std::int64_t lanes)
      : stride_(whole_vectors(dim, lanes)), data_(rows * stride_) {
    std::fill_n(data_.data(), data_.size(), 0.0F);
  }

  std::int64_t stride() const noexcept { return stride_; }
  std::int64_t size() const noexcept { return data_.size(); }
  float* row(std::int64_t i) noexcept { return data_.data() + i * stride_; }
  const float* row(std::int64_t i) const noexcept { return data_.data() + i * stride_; }

 private:
  std::int64_t stride_ = 0;
  memory::AlignedArray<float> data_;
};

// [batch, heads, length, dim], rows padded.
class HeadRows {
 public:
  HeadRows(std::int64_t batch, std::int64_t heads, std::int64_t length, std::int64_t dim,
           std::int64_t lanes)
      : batch_(batch),
        heads_(heads),
        length_(length),
        dim_(dim),
        rows_(batch * heads * length, dim, lanes) {}

  std::int64_t stride() const noexcept { return rows_.stride(); }
  std::int64_t size() const noexcept { return rows_.size(); }
  float* row(std::int64_t b, std::int64_t head, std::int64_t i) noexcept {
    return rows_.row((b * heads_ + head) * length_ + i);
  }
  const float* row(std::int64_t b, std::int64_t head, std::int64_t i) const noexcept {
    return rows_.row((b * heads_ + head) * length_ + i);
  }
  // As [batch, length, heads, dim].
  TensorView view() noexcept {
    const std::int64_t step = rows_.stride();
    return {rows_.row(0),
            ElementType::f32,
            {batch_, length_, heads_, dim_},
            {heads_ * length_ * step, step, length_ * step, 1}};
  }

 private:
  std::int64_t batch_;
  std::int64_t heads_;
  std::int64_t length_;
  std::int64_t dim_;
  PaddedRows rows_;
};

// Row [a, b, c, *] of a view of floats.
inline const float* row_of(const ConstTensorView& view, std::int64_t a, std::int64_t b,
                           std::int64_t c) {
  return static_cast<const float*>(view.data) + view.row_offset(a, b, c);
}
inline float* row_of(const TensorView& view, std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<float*>(view.data) + view.row_offset(a, b, c);
}

// to[j][i] = from[i][j]
inline void transpose(const float* from, std::int64_t from_stride, std::int64_t rows,
                      std::int64_t columns, float* to, std::int64_t to_stride) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
}

}  // namespace whereof::scoring

#endif  // WHEREOF_SCORING_HEAD_ROWS_H_
