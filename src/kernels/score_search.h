// Finds the scores that enter the top keys of their row. Few do, so what is fast is the comparison.
#ifndef WHEREOF_KERNELS_SCORE_SEARCH_H_
#define WHEREOF_KERNELS_SCORE_SEARCH_H_

#include <cstdint>

#include "kernels/simd.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

template <Simd S>
std::int64_t find_above(const ScoreSearch& s) noexcept {
  std::int64_t found = 0;
  for (std::int64_t key = 0; key < s.lines; ++key) {
    for (std::int64_t column = 0; column < s.columns; column += S::kLanes) {
      std::uint32_t bits = S::greater_bits(S::load(s.scores + key * s.stride + column),
                                           S::load(s.threshold + column));
      for (; bits != 0; bits &= bits - 1) {
        const auto row = static_cast<std::uint32_t>(column + __builtin_ctz(bits));
        s.found[found++] = static_cast<std::uint32_t>(key) << 16 | row;
      }
    }
  }
  return found;
}

template <Simd S>
std::int64_t row_find_above(const ScoreSearch& s) noexcept {
  std::int64_t found = 0;
  for (std::int64_t row = 0; row < s.lines; ++row) {
    const typename S::Vector threshold = S::broadcast_from(s.threshold + row);
    for (std::int64_t column = 0; column < s.columns; column += S::kLanes) {
      std::uint32_t bits = S::greater_bits(S::load(s.scores + row * s.stride + column), threshold);
      for (; bits != 0; bits &= bits - 1) {
        const auto key = static_cast<std::uint32_t>(column + __builtin_ctz(bits));
        s.found[found++] = key << 16 | static_cast<std::uint32_t>(row);
      }
    }
  }
  return found;
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_SCORE_SEARCH_H_
