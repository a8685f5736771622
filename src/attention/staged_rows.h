// Rows of tensors on their way into the words that the products take, and back.
#ifndef WHEREOF_ATTENTION_STAGED_ROWS_H_
#define WHEREOF_ATTENTION_STAGED_ROWS_H_

#include <cstdint>

#include "kernels/kernel_set.h"
#include "whereof/tensor_view.h"

namespace whereof::attention {

// What one call multiplies with.
struct WordProducts {
  const kernels::KernelSet& kernels;
  const kernels::ProductKernels& products;

  bool has_pairs() const noexcept { return products.elements_per_word == 2; }
  // Words that `elements` take; an odd element's partner is zero.
  std::int64_t words(std::int64_t elements) const noexcept {
    return has_pairs() ? (elements + 1) / 2 : elements;
  }
  std::int64_t whole_vectors(std::int64_t count) const noexcept {
    return (count + kernels.lanes - 1) / kernels.lanes * kernels.lanes;
  }
};

// The row of `view` at element `at` as words.
void stage_row(const WordProducts& words, const ConstTensorView& view, std::int64_t at, float* to);
// The same as floats, whatever the words are.
void widen_row(const WordProducts& words, const ConstTensorView& view, std::int64_t at, float* to);
// Staged rows of pairs along the row become pairs of rows: to[row / 2][to_stride].
void pair_rows(const WordProducts& words, const float* rows, std::int64_t row_stride,
               std::int64_t row_count, std::int64_t elements, float* to, std::int64_t to_stride);
// to[word][row] = from[row][word]
void transpose_rows(const float* from, std::int64_t from_stride, std::int64_t row_count,
                    std::int64_t words, float* to, std::int64_t to_stride);
// A row times a factor, rounded to the type of `view`, to its element `at`.
void store_row(const float* from, float factor, const TensorView& view, std::int64_t at);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_STAGED_ROWS_H_
