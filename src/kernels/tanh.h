// For soft caps and additive scores: tanh x = x P(x^2) / Q(x^2) with P and Q of degree 4 and
// P(0) = Q(0) = 1, a fit of least largest relative error on |x| <= 8.81 (3.2e-8 without rounding;
// under 3.5e-7 with it, TanhErrorIsBelowItsBound of tests/kernels). Beyond, tanh is within 5e-8 of
// 1, so x is bounded first and gives 1. Odd to the bit, 0 at 0, never beyond 1 by more than two
// units in the last place. NaN gives NaN.
#ifndef WHEREOF_KERNELS_TANH_H_
#define WHEREOF_KERNELS_TANH_H_

#include "kernels/simd.h"

namespace whereof::kernels {

constexpr float kTanhBound = 8.81F;
constexpr float kTanhNumerator[4] = {0.1339680552F, 0.00351428031F, 2.091541319e-05F,
                                     1.377840864e-08F};
constexpr float kTanhDenominator[4] = {0.4673012793F, 0.02594821341F, 0.0003316139919F,
                                       7.950043823e-07F};

template <Simd S>
typename S::Vector cubic(const float (&coefficients)[4], typename S::Vector x) noexcept {
  typename S::Vector sum = S::broadcast(coefficients[3]);
  sum = S::multiply_add(sum, x, S::broadcast(coefficients[2]));
  sum = S::multiply_add(sum, x, S::broadcast(coefficients[1]));
  return S::multiply_add(sum, x, S::broadcast(coefficients[0]));
}

template <Simd S>
typename S::Vector tanh(typename S::Vector x) noexcept {
  using V = typename S::Vector;
  const V bound = S::broadcast(kTanhBound);
  const V above = S::maximum(S::broadcast(-kTanhBound), x);
  const V bounded = S::select_less(bound, above, bound, above);
  const V square = S::multiply(bounded, bounded);
  const V cube = S::multiply(bounded, square);
  const V numerator = S::multiply_add(cube, cubic<S>(kTanhNumerator, square), bounded);
  const V denominator =
      S::multiply_add(cubic<S>(kTanhDenominator, square), square, S::broadcast(1.0F));
  return S::divide(numerator, denominator);
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_TANH_H_
