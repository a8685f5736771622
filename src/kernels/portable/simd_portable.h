// Four floats at a time in plain C++: the vector extension of GCC and Clang, which becomes SSE2 on
// x86-64 and NEON on arm64.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_KERNELS_PORTABLE_SIMD_PORTABLE_H_
#define WHEREOF_KERNELS_PORTABLE_SIMD_PORTABLE_H_

#include <cstddef>
#include <cstdint>

#include "numeric/half.h"

namespace whereof::kernels {
namespace {

struct Portable {
  using Vector = float __attribute__((vector_size(16)));
  using Integers = std::int32_t __attribute__((vector_size(16)));
  using UnsignedIntegers = std::uint32_t __attribute__((vector_size(16)));
  static constexpr int kLanes = 4;
  static constexpr int kTileRows = 4;
  static constexpr int kTileVectors = 2;
  static constexpr int kFewRows = 4;
  static constexpr int kFewSums = 8;

  static Vector load(const float* from) noexcept {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static Vector load_words(const void* from) noexcept {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static Vector load_bytes(const void* from, std::int64_t count) noexcept {
    Vector v = {};
    __builtin_memcpy(&v, from, static_cast<std::size_t>(count));
    return v;
  }
  static Vector load_f16(const std::uint16_t* from) noexcept {
    return Vector{numeric::float_of_f16(from[0]), numeric::float_of_f16(from[1]),
                  numeric::float_of_f16(from[2]), numeric::float_of_f16(from[3])};
  }
  static Vector load_i8(const std::int8_t* from) noexcept {
    Integers bits = {};
    for (int i = 0; i < kLanes; ++i) bits[i] = from[i];
    return __builtin_convertvector(bits, Vector);
  }
  static Vector load_bf16(const std::uint16_t* from) noexcept {
    Integers bits = {};
    for (int i = 0; i < kLanes; ++i) {
      bits[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(from[i]) << 16);
    }
    return __builtin_bit_cast(Vector, bits);
  }
  static Vector broadcast(float x) noexcept { return Vector{x, x, x, x}; }
  static Vector broadcast_from(const float* from) noexcept {
    float x;
    __builtin_memcpy(&x, from, sizeof x);
    return broadcast(x);
  }
  static void store(float* to, Vector v) noexcept { __builtin_memcpy(to, &v, sizeof v); }
  static Vector add(Vector a, Vector b) noexcept { return a + b; }
  static Vector subtract(Vector a, Vector b) noexcept { return a - b; }
  static Vector multiply(Vector a, Vector b) noexcept { return a * b; }
  static Vector divide(Vector a, Vector b) noexcept { return a / b; }
  static Vector multiply_add(Vector a, Vector b, Vector c) noexcept { return a * b + c; }
  static Vector maximum(Vector a, Vector b) noexcept { return select(a > b, a, b); }
  static Vector select_less(Vector a, Vector b, Vector x, Vector y) noexcept {
    return select(a < b, x, y);
  }
  static Vector split(Vector x, Vector& whole) noexcept {
    const Vector bounded = maximum(broadcast(-127.0F), x);
    const Vector nearest = round(bounded);
    whole = select(nearest > bounded, nearest - 1.0F, nearest);
    return bounded - whole;
  }
  static Vector scale_by_power(Vector a, Vector whole) noexcept {
    const Vector floor = broadcast(-127.0F);
    const Vector bounded = select(whole > floor, whole, floor);  // NaN becomes -127; a is NaN too
    const Integers exponent = (__builtin_convertvector(bounded, Integers) + 127) << 23;
    return a * __builtin_bit_cast(Vector, exponent);
  }
  static std::uint32_t greater_bits(Vector a, Vector b) noexcept {
    const Integers is_greater = a > b;
    std::uint32_t bits = 0;
    for (int i = 0; i < kLanes; ++i) bits |= is_greater[i] != 0 ? 1U << i : 0U;
    return bits;
  }
  static float largest(Vector v) noexcept {
    float result = v[0];
    for (int i = 1; i < kLanes; ++i) result = v[i] > result ? v[i] : result;
    return result;
  }
  static float total(Vector v) noexcept { return (v[0] + v[2]) + (v[1] + v[3]); }
  static Vector widen_low(Vector words) noexcept {
    const auto bits = __builtin_bit_cast(UnsignedIntegers, words);
    return __builtin_bit_cast(Vector, bits << 16);
  }
  static Vector widen_high(Vector words) noexcept {
    const auto bits = __builtin_bit_cast(UnsignedIntegers, words);
    return __builtin_bit_cast(Vector, bits & 0xffff0000U);
  }
  static Vector totals(const Vector* rows) noexcept {
    Vector sums = {};
    for (int i = 0; i < kLanes; ++i) sums[i] = total(rows[i]);
    return sums;
  }

 private:
  // 1.5 * 2^23 pushes the fraction out; right for |v| < 2^22.
  static Vector round(Vector v) noexcept {
    const Vector shift = broadcast(12582912.0F);
    Vector moved = v + shift;
    asm("" : "+m"(moved));  // keeps the compiler from undoing the addition
    return moved - shift;
  }
  static Vector select(Integers condition, Vector x, Vector y) noexcept {
    const Integers chosen = (condition & __builtin_bit_cast(Integers, x)) |
                            (~condition & __builtin_bit_cast(Integers, y));
    return __builtin_bit_cast(Vector, chosen);
  }
};

}  // namespace
}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_PORTABLE_SIMD_PORTABLE_H_
