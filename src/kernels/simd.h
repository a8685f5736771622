// The operations that an instruction set must offer; every algorithm of this folder is a template
// over a type that models Simd.
//
// Each set defines its type in an unnamed namespace of its own source file, so that everything
// instantiated with it has internal linkage: a weak symbol shared between sets would let the linker
// run wide code on a narrow machine. For the same reason nothing here calls the standard library.
#ifndef WHEREOF_KERNELS_SIMD_H_
#define WHEREOF_KERNELS_SIMD_H_

#include <concepts>
#include <cstdint>

namespace whereof::kernels {

// Vector: kLanes floats. kTileRows x kTileVectors is the tile of sums that fits the registers.
template <typename S>
concept Simd = requires(typename S::Vector v, const float* from, const std::uint16_t* halves,
                        float* to, float x, typename S::Vector* rows) {
  { S::kLanes + 0 } -> std::same_as<int>;
  { S::kTileRows + 0 } -> std::same_as<int>;
  { S::kTileVectors + 0 } -> std::same_as<int>;
  { S::load(from) } -> std::same_as<typename S::Vector>;  // any alignment
  { S::load_bf16(halves) } -> std::same_as<typename S::Vector>;
  { S::broadcast(x) } -> std::same_as<typename S::Vector>;
  { S::broadcast_from(from) } -> std::same_as<typename S::Vector>;
  S::store(to, v);
  { S::add(v, v) } -> std::same_as<typename S::Vector>;
  { S::subtract(v, v) } -> std::same_as<typename S::Vector>;
  { S::multiply(v, v) } -> std::same_as<typename S::Vector>;
  { S::multiply_add(v, v, v) } -> std::same_as<typename S::Vector>;  // a * b + c
  { S::divide(v, v) } -> std::same_as<typename S::Vector>;
  // The larger; where either is NaN, the second.
  { S::maximum(v, v) } -> std::same_as<typename S::Vector>;
  // a < b ? x : y
  { S::select_less(v, v, v, v) } -> std::same_as<typename S::Vector>;
  { S::round(v) } -> std::same_as<typename S::Vector>;  // to nearest
  // a * 2^n for whole n in [-150, 128]; results under 2^-126 may be zero.
  { S::scale_by_power(v, v) } -> std::same_as<typename S::Vector>;
  // Bit i is set where a[i] > b[i].
  { S::greater_bits(v, v) } -> std::same_as<std::uint32_t>;
  { S::largest(v) } -> std::same_as<float>;
  { S::total(v) } -> std::same_as<float>;
  // The element in the low or high half of each word, as a float.
  { S::widen_low(v) } -> std::same_as<typename S::Vector>;
  { S::widen_high(v) } -> std::same_as<typename S::Vector>;
  S::transpose(rows);  // kLanes vectors in place; moves bits, whatever they mean
};

// Sets that also multiply pairs of bf16; a word is such a pair, the earlier element in the low
// half.
template <typename S>
concept PairSimd = Simd<S> &&
    requires(typename S::Vector v, std::uint16_t* halves, const std::uint16_t* from) {
  // sum + a.low * b.low + a.high * b.high
  { S::dot_pairs(v, v, v) } -> std::same_as<typename S::Vector>;
  { S::pairs_of(v, v) } -> std::same_as<typename S::Vector>;  // rounded; first is the low half
  { S::interleave(from, from) } -> std::same_as<typename S::Vector>;
  S::store_bf16(halves, v);
};

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_SIMD_H_
