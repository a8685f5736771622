// Keys and values as 8-bit integers with one scale for each token and kv head.
//
//   scale = largest |x| of the row / 127,  stored = round(x / scale)
//
// Round to nearest, so an element is off by at most half a scale: 1/254 of its row's largest.
#ifndef WHEREOF_CACHE_QUANTISATION_H_
#define WHEREOF_CACHE_QUANTISATION_H_

#include "whereof/tensor_view.h"

namespace whereof {

// What was lost, each element relative to the largest of its row; rows of zeros lose nothing.
struct QuantisationError {
  double rms = 0;      // root of the mean square over all elements
  double largest = 0;  // at most 1/254 up to rounding
};

// rows    [batch, length, kv_heads, dim]  f32, bf16 or f16, rows contiguous
// stored  the same shape                  i8
// scales  [batch, length, kv_heads, 1]    f32
// Any strides with innermost stride 1: a step of decode quantises the rows that it appends, in
// place in its cache. Both outputs are what AttentionOptions::cache_scales and an i8 key or value
// take. Runs on the calling thread, allocates nothing. Throws Error(invalid_argument) naming the
// tensor for shapes that disagree and for a row that holds NaN or infinity (rows before it are
// written then), and Error(unsupported) for a type.
QuantisationError quantise_cache(const ConstTensorView& rows, const TensorView& stored,
                                 const TensorView& scales);

}  // namespace whereof

#endif  // WHEREOF_CACHE_QUANTISATION_H_
