// 2^x for the softmax: x = n + f with n whole and f in [0, 1), 2^f by a polynomial of degree 5 that
// is exactly 1 at 0 (minimax fit of the relative error, 8.3e-8; under 2.4e-7 with rounding,
// Exp2ErrorIsBelowItsBound of tests/kernels), times 2^n. A polynomial of degree 4 would
// cost 2.9e-6, more than the bar for log_sum_exp allows even where the weights are rounded to bf16.
//
// x at or under -126 gives 0 or a subnormal; x over 127 is not asked for: scores have their maximum
// subtracted. NaN gives NaN.
#ifndef WHEREOF_KERNELS_EXP2_H_
#define WHEREOF_KERNELS_EXP2_H_

#include "kernels/simd.h"

namespace whereof::kernels {

constexpr float kExp2Coefficients[5] = {0.693151312F, 0.24016445F, 0.0557999131F, 0.00901703032F,
                                        0.00186713007F};

template <Simd S>
typename S::Vector exp2(typename S::Vector x) noexcept {
  using V = typename S::Vector;
  V whole;
  const V part = S::split(x, whole);
  V sum =
      S::multiply_add(S::broadcast(kExp2Coefficients[4]), part, S::broadcast(kExp2Coefficients[3]));
  sum = S::multiply_add(sum, part, S::broadcast(kExp2Coefficients[2]));
  sum = S::multiply_add(sum, part, S::broadcast(kExp2Coefficients[1]));
  sum = S::multiply_add(sum, part, S::broadcast(kExp2Coefficients[0]));
  sum = S::multiply_add(sum, part, S::broadcast(1.0F));
  return S::scale_by_power(sum, whole);
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_EXP2_H_
