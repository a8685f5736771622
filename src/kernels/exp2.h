// 2^x for the softmax: x = n + f with n whole and f in [-1/2, 1/2], 2^f by a polynomial of degree 5
// that is exactly 1 at 0 (minimax fit; relative error under 2.4e-7 with its rounding, measured in
// tests/kernels/exp2_test.cc), times 2^n.
//
// x at or under -126 gives 0 or a subnormal; x over 127 is not asked for: scores have their maximum
// subtracted. NaN gives NaN.
#ifndef WHEREOF_KERNELS_EXP2_H_
#define WHEREOF_KERNELS_EXP2_H_

#include "kernels/simd.h"

namespace whereof::kernels {

constexpr float kExp2Coefficients[5] = {0.6931469776F, 0.2402224208F, 0.05550733748F,
                                        0.009671513264F, 0.001326472781F};

template <Simd S>
typename S::Vector exp2(typename S::Vector x) noexcept {
  using V = typename S::Vector;
  const V clamped = S::maximum(S::broadcast(-150.0F), x);
  const V whole = S::round(clamped);
  const V part = S::subtract(clamped, whole);
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
