// Brings keys, values and weights into the words that the products take.
#ifndef WHEREOF_KERNELS_WORD_PACKING_H_
#define WHEREOF_KERNELS_WORD_PACKING_H_

#include <cstddef>
#include <cstdint>

#include "kernels/row_cells.h"
#include "kernels/simd.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

// Elements as floats, in their own order.
template <typename Conversion>
void widen(const typename Conversion::Element* from, float* to, std::int64_t count) noexcept {
  using S = typename Conversion::S;
  std::int64_t i = 0;
  for (; i + S::kLanes <= count; i += S::kLanes) S::store(to + i, Conversion::load(from + i));
  if (i == count) return;
  typename S::Vector words[1];
  PlainCells<Conversion>::load_partial(from + i, count - i, words);
  float padded[S::kLanes];
  S::store(padded, words[0]);
  __builtin_memcpy(to + i, padded, static_cast<std::size_t>(count - i) * sizeof(float));
}

template <PairSimd S>
void pack_rows(float* weights, std::int64_t rows, std::int64_t columns,
               std::int64_t stride) noexcept {
  for (std::int64_t row = 0; row < rows; ++row) {
    float* from = weights + row * stride;
    for (std::int64_t column = 0; column < columns; column += S::kLanes) {
      S::store_bf16(reinterpret_cast<std::uint16_t*>(from) + column, S::load(from + column));
    }
  }
}

template <PairSimd S>
void pack_rows_as_integers(float* weights, float* units, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride) noexcept {
  constexpr float kLargest = 32767;
  constexpr float kNothing = 0x1p-100F;  // its inverse still is a number
  for (std::int64_t row = 0; row < rows; ++row) {
    float* from = weights + row * stride;
    typename S::Vector largest = S::broadcast(0.0F);
    for (std::int64_t column = 0; column < columns; column += S::kLanes) {
      largest = S::maximum(S::load(from + column), largest);
    }
    const float most = S::largest(largest);
    units[row] = most > kNothing ? most / kLargest : 0.0F;
    const typename S::Vector inverse = S::broadcast(most > kNothing ? kLargest / most : 0.0F);
    for (std::int64_t column = 0; column < columns; column += S::kLanes) {
      S::store_integers(reinterpret_cast<std::uint16_t*>(from) + column,
                        S::multiply(S::load(from + column), inverse));
    }
  }
}

template <PairSimd S>
void interleave_bf16(const std::uint16_t* low, const std::uint16_t* high, float* to,
                     std::int64_t count) noexcept {
  constexpr std::uint16_t kZeros[S::kLanes] = {};
  std::int64_t i = 0;
  for (; i + S::kLanes <= count; i += S::kLanes) {
    S::store(to + i, S::interleave(low + i, high != nullptr ? high + i : kZeros));
  }
  for (; i < count; ++i) {
    const std::uint32_t upper = high != nullptr ? high[i] : 0;
    const std::uint32_t word = upper << 16 | low[i];
    __builtin_memcpy(to + i, &word, sizeof word);
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_WORD_PACKING_H_
