#include "whereof/cache_quantisation.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/argument_checks.h"
#include "attention/row_block.h"

namespace whereof {
namespace attention {
namespace {

constexpr float kMostStored = 127;

// One row of dim elements from element `at`.
class RowQuantiser {
 public:
  RowQuantiser(const ConstTensorView& rows, std::int64_t at) : rows_(rows), at_(at) {
    for (std::int64_t i = 0; i < dim(); ++i) {
      const float x = element_of(rows_, at_ + i);
      is_finite_ = is_finite_ && std::isfinite(x);
      largest_ = std::max(largest_, std::abs(x));
    }
  }
  bool is_finite() const { return is_finite_; }
  // The largest element divided by a scale that has become subnormal may exceed 127: it is cut.
  float scale() const { return largest_ / kMostStored; }

  void write(std::int8_t* to, QuantisationError& error) const {
    for (std::int64_t i = 0; i < dim(); ++i) {
      const float x = element_of(rows_, at_ + i);
      const float wanted = scale() > 0 ? std::nearbyint(x / scale()) : 0.0F;
      to[i] = static_cast<std::int8_t>(std::clamp(wanted, -kMostStored, kMostStored));
      if (largest_ == 0) continue;
      const double lost = std::abs(static_cast<double>(x) - static_cast<double>(scale()) * to[i]) /
                          static_cast<double>(largest_);
      error.largest = std::max(error.largest, lost);
      error.rms += lost * lost;
    }
  }

 private:
  std::int64_t dim() const { return rows_.shape[3]; }

  const ConstTensorView& rows_;
  std::int64_t at_;
  float largest_ = 0;
  bool is_finite_ = true;
};

}  // namespace
}  // namespace attention

QuantisationError quantise_cache(const ConstTensorView& rows, const TensorView& stored,
                                 const TensorView& scales) {
  using attention::check_no_overlap;
  attention::check_view("rows", rows, {ElementType::f32, ElementType::bf16, ElementType::f16});
  attention::check_view("stored", stored, {ElementType::i8});
  attention::check_view("scales", scales, {ElementType::f32});
  const auto [batch, length, heads, dim] = rows.shape;
  attention::check_shape("stored", stored.shape, rows.shape);
  attention::check_shape("scales", scales.shape, {batch, length, heads, 1});
  check_no_overlap("stored", stored, "rows", rows);
  check_no_overlap("scales", scales, "rows", rows);
  check_no_overlap("stored", stored, "scales", scales);
  QuantisationError error;
  if (rows.is_empty()) return error;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t k = 0; k < length; ++k) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const attention::RowQuantiser row(rows, rows.row_offset(b, k, h));
        if (!row.is_finite()) {
          attention::refuse("rows[" + std::to_string(b) + ", " + std::to_string(k) + ", " +
                            std::to_string(h) + "] holds NaN or infinity");
        }
        static_cast<float*>(scales.data)[scales.row_offset(b, k, h)] = row.scale();
        row.write(static_cast<std::int8_t*>(stored.data) + stored.row_offset(b, k, h), error);
      }
    }
  }
  error.rms = std::sqrt(error.rms / static_cast<double>(batch * length * heads * dim));
  return error;
}

}  // namespace whereof
