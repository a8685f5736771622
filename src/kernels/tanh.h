// tanh(x), for soft caps and additive scores. With a = |x|:
//
//   a <  0.625   a + a^3 p(a^2), p of degree 4 (minimax fit, relative error under 5e-9)
//   a >= 0.625   1 - 2 / (e^(2 a) + 1), with exp2.h; a is cut at 10, where the result is 1
//
// Relative error under 4e-7 with its rounding, measured in tests/kernels. NaN gives NaN.
#ifndef WHEREOF_KERNELS_TANH_H_
#define WHEREOF_KERNELS_TANH_H_

#include "kernels/exp2.h"
#include "kernels/simd.h"

namespace whereof::kernels {

constexpr float kTanhCoefficients[5] = {-0.3333328068256378F, 0.13331441581249237F,
                                        -0.05373971536755562F, 0.02063908614218235F,
                                        -0.005704985931515694F};

template <Simd S>
typename S::Vector tanh(typename S::Vector x) noexcept {
  using V = typename S::Vector;
  const V zero = S::broadcast(0.0F);
  const V one = S::broadcast(1.0F);
  const V size = S::maximum(S::subtract(zero, x), x);
  const V square = S::multiply(size, size);
  V polynomial = S::multiply_add(S::broadcast(kTanhCoefficients[4]), square,
                                 S::broadcast(kTanhCoefficients[3]));
  polynomial = S::multiply_add(polynomial, square, S::broadcast(kTanhCoefficients[2]));
  polynomial = S::multiply_add(polynomial, square, S::broadcast(kTanhCoefficients[1]));
  polynomial = S::multiply_add(polynomial, square, S::broadcast(kTanhCoefficients[0]));
  const V near_zero = S::multiply_add(S::multiply(size, square), polynomial, size);
  const V ten = S::broadcast(10.0F);
  const V cut = S::select_less(ten, size, ten, size);
  const V power = exp2<S>(S::multiply(cut, S::broadcast(2.88539008177792681472F)));  // 2 / ln 2
  const V far = S::subtract(one, S::divide(S::broadcast(2.0F), S::add(power, one)));
  const V result = S::select_less(size, S::broadcast(0.625F), near_zero, far);
  return S::select_less(x, zero, S::subtract(zero, result), result);
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_TANH_H_
