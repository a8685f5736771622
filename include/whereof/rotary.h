// Rotary position embedding (Su et al. 2021, arXiv 2104.09864).
//
// For pair i of a head, theta_i = base^(-2 i / rotary_dim); at position p the pair (a, b) becomes
//   (a cos(p theta_i) - b sin(p theta_i), a sin(p theta_i) + b cos(p theta_i)).
//
// Models whose window was lengthened use other theta_i, and some (Peng et al. 2023, arXiv
// 2309.00071) multiply the rotated pair by a magnitude.
#ifndef WHEREOF_ROTARY_H_
#define WHEREOF_ROTARY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "whereof/tensor_view.h"

namespace whereof {

enum class RotaryPairing {
  interleaved,  // elements (2i, 2i+1): the llama family as GGUF stores it
  halves,       // elements (i, i + rotary_dim / 2): the "neox" order; qwen2
};

// theta_i of each of the rotary_dim / 2 pairs. Throws Error(invalid_argument) unless rotary_dim is
// even and positive and base > 0.
std::vector<double> rotary_thetas(std::int64_t rotary_dim, double base);

// Cosines and sines for positions 0 .. length - 1, computed in double and kept in f32.
class RotaryTable {
 public:
  // Throws Error(invalid_argument) unless rotary_dim is even and positive, base > 0, length >= 0.
  RotaryTable(std::int64_t rotary_dim, double base, std::int64_t length, RotaryPairing pairing);

  // With theta_i as given, one for each pair of elements, and rotated pairs times magnitude. Throws
  // Error(invalid_argument) for no theta, one that is not finite, or a magnitude not above 0.
  RotaryTable(std::span<const double> thetas, double magnitude, std::int64_t length,
              RotaryPairing pairing);

  std::int64_t length() const noexcept { return length_; }
  std::int64_t rotary_dim() const noexcept { return rotary_dim_; }

  // rows [batch, rows, heads, head_dim], f32, head_dim >= rotary_dim, rotated in place; row r of
  // every batch stands at positions[r]. Throws Error(invalid_argument) for a position outside the
  // table: positions past the table are never silently wrong.
  void rotate(const TensorView& rows, std::span<const std::int64_t> positions) const;

 private:
  std::int64_t rotary_dim_;
  std::int64_t length_;
  RotaryPairing pairing_;
  std::vector<float> cosines_;  // [length, rotary_dim / 2]
  std::vector<float> sines_;    // [length, rotary_dim / 2]
};

}  // namespace whereof

#endif  // WHEREOF_ROTARY_H_
