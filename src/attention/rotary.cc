// The equation and its source stand in whereof/rotary.h. Angles are computed in double: in f32 the
// angle of pair 0 at position 100,000 would already be off by 0.004 radians.
#include "whereof/rotary.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "whereof/error.h"

namespace whereof {
namespace {

struct Pair {
  float* first;
  float* second;
  std::int64_t step;  // from one pair to the next
};

void rotate_row(Pair pair, const float* cosines, const float* sines, std::int64_t pairs) noexcept {
  for (std::int64_t i = 0; i < pairs; ++i) {
    float& a = pair.first[i * pair.step];
    float& b = pair.second[i * pair.step];
    const float rotated = a * cosines[i] - b * sines[i];
    b = a * sines[i] + b * cosines[i];
    a = rotated;
  }
}

}  // namespace

std::vector<double> rotary_thetas(std::int64_t rotary_dim, double base) {
  if (rotary_dim <= 0 || rotary_dim % 2 != 0) {
    throw Error(ErrorKind::invalid_argument,
                "rotary_dim is " + std::to_string(rotary_dim) + "; wanted an even positive number");
  }
  if (!(base > 0) || !std::isfinite(base)) {
    throw Error(ErrorKind::invalid_argument,
                "rotary base is " + std::to_string(base) + "; wanted a positive number");
  }
  std::vector<double> thetas;
  for (std::int64_t i = 0; i < rotary_dim; i += 2) {
    thetas.push_back(std::pow(base, -static_cast<double>(i) / static_cast<double>(rotary_dim)));
  }
  return thetas;
}

RotaryTable::RotaryTable(std::int64_t rotary_dim, double base, std::int64_t length,
                         RotaryPairing pairing)
    : RotaryTable(rotary_thetas(rotary_dim, base), 1.0, length, pairing) {}

RotaryTable::RotaryTable(std::span<const double> thetas, double magnitude, std::int64_t length,
                         RotaryPairing pairing)
    : rotary_dim_(2 * std::ssize(thetas)), length_(length), pairing_(pairing) {
  if (thetas.empty() || !std::all_of(thetas.begin(), thetas.end(),
                                     [](double theta) { return std::isfinite(theta); })) {
    throw Error(ErrorKind::invalid_argument, "rotary thetas: wanted at least one, all finite");
  }
  if (!(magnitude > 0) || !std::isfinite(magnitude)) {
    throw Error(ErrorKind::invalid_argument,
                "rotary magnitude is " + std::to_string(magnitude) + "; wanted a positive number");
  }
  if (length < 0) {
    throw Error(ErrorKind::invalid_argument,
                "rotary table length is " + std::to_string(length) + "; wanted 0 or more");
  }
  const auto elements = static_cast<std::size_t>(length) * thetas.size();
  cosines_.reserve(elements);
  sines_.reserve(elements);
  for (std::int64_t position = 0; position < length; ++position) {
    for (const double theta : thetas) {
      const double angle = static_cast<double>(position) * theta;
      cosines_.push_back(static_cast<float>(magnitude * std::cos(angle)));
      sines_.push_back(static_cast<float>(magnitude * std::sin(angle)));
    }
  }
}

void RotaryTable::rotate(const TensorView& rows, std::span<const std::int64_t> positions) const {
  const auto [batch, count, heads, head_dim] = rows.shape;
  if (rows.type != ElementType::f32) {
    throw Error(ErrorKind::unsupported,
                "rows to rotate have type " + std::string(name_of(rows.type)) + "; wanted f32");
  }
  if (head_dim < rotary_dim_ || (head_dim > 1 && rows.strides[3] != 1)) {
    throw Error(ErrorKind::invalid_argument,
                "rows to rotate have head_dim " + std::to_string(head_dim) + " with stride " +
                    std::to_string(rows.strides[3]) + "; wanted at least " +
                    std::to_string(rotary_dim_) + " with stride 1");
  }
  if (static_cast<std::int64_t>(positions.size()) != count) {
    throw Error(ErrorKind::invalid_argument, std::to_string(positions.size()) + " positions for " +
                                                 std::to_string(count) +
                                                 " rows; wanted one for each row");
  }
  for (const std::int64_t position : positions) {
    if (position < 0 || position >= length_) {
      throw Error(ErrorKind::invalid_argument, "position " + std::to_string(position) +
                                                   " lies outside the rotary table of length " +
                                                   std::to_string(length_));
    }
  }
  const std::int64_t pairs = rotary_dim_ / 2;
  const bool is_interleaved = pairing_ == RotaryPairing::interleaved;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t row = 0; row < count; ++row) {
      const std::int64_t at = positions[static_cast<std::size_t>(row)] * pairs;
      for (std::int64_t head = 0; head < heads; ++head) {
        float* data = static_cast<float*>(rows.data) + rows.row_offset(b, row, head);
        const Pair pair = is_interleaved ? Pair{data, data + 1, 2} : Pair{data, data + pairs, 1};
        rotate_row(pair, cosines_.data() + at, sines_.data() + at, pairs);
      }
    }
  }
}

}  // namespace whereof
