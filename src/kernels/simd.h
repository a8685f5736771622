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
// kFewRows (at most kLanes) and kFewSums are the same for products of few rows: rows at once, and
// vectors of sums.
template <typename S>
concept Simd = requires(typename S::Vector v, const float* from, const std::uint16_t* halves,
                        const std::int8_t* bytes, float* to, float x, typename S::Vector* rows) {
  { S::kLanes + 0 } -> std::same_as<int>;
  { S::kTileRows + 0 } -> std::same_as<int>;
  { S::kTileVectors + 0 } -> std::same_as<int>;
  { S::kFewRows + 0 } -> std::same_as<int>;
  { S::kFewSums + 0 } -> std::same_as<int>;
  { S::load(from) } -> std::same_as<typename S::Vector>;          // any alignment
  { S::load_words(halves) } -> std::same_as<typename S::Vector>;  // bits of kLanes words
  // The first `count` bytes, zeros behind; touches no other.
  { S::load_bytes(halves, std::int64_t{}) } -> std::same_as<typename S::Vector>;
  // kLanes elements as floats.
  { S::load_bf16(halves) } -> std::same_as<typename S::Vector>;
  { S::load_f16(halves) } -> std::same_as<typename S::Vector>;
  { S::load_i8(bytes) } -> std::same_as<typename S::Vector>;
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
  // x = whole + fraction with whole the next whole number below and the fraction in [0, 1); sets
  // the first as scale_by_power takes it, returns the second. For x under -126 both may differ.
  { S::split(v, *rows) } -> std::same_as<typename S::Vector>;
  // a * 2^whole; results under 2^-126 may be zero.
  { S::scale_by_power(v, v) } -> std::same_as<typename S::Vector>;
  // Bit i is set where a[i] > b[i].
  { S::greater_bits(v, v) } -> std::same_as<std::uint32_t>;
  { S::largest(v) } -> std::same_as<float>;
  { S::total(v) } -> std::same_as<float>;
  // Lane i is the sum of rows[i], for kLanes vectors.
  { S::totals(rows) } -> std::same_as<typename S::Vector>;
  // The element in the low or high half of each word, as a float.
  { S::widen_low(v) } -> std::same_as<typename S::Vector>;
  { S::widen_high(v) } -> std::same_as<typename S::Vector>;
};

// Sets that also multiply pairs of bf16; a word is such a pair, the earlier element in the low
// half.
template <typename S>
concept PairSimd = Simd<S> &&
    requires(typename S::Vector v, std::uint16_t* halves, const std::uint16_t* from,
             const std::int8_t* bytes, typename S::Vector* words) {
  // sum + a.low * b.low + a.high * b.high
  { S::dot_pairs(v, v, v) } -> std::same_as<typename S::Vector>;
  { S::pairs_of(v, v) } -> std::same_as<typename S::Vector>;  // rounded; first is the low half
  // Pairs of 16-bit integers: 2 kLanes bytes widened; sum + the products of both halves, in 32-bit
  // integers that wrap; those as floats; floats rounded to 16 bits.
  { S::load_integer_pairs(bytes) } -> std::same_as<typename S::Vector>;
  { S::dot_integer_pairs(v, v, v) } -> std::same_as<typename S::Vector>;
  { S::floats_of_integers(v) } -> std::same_as<typename S::Vector>;
  S::store_integers(halves, v);
  { S::interleave(from, from) } -> std::same_as<typename S::Vector>;
  // The pairs (low element, high element) of two vectors of 2 kLanes elements: two vectors, in an
  // order of the set's own that element_of_pair(vector, lane) gives.
  S::pair_up(v, v, words);
  { S::element_of_pair(0, 0) } -> std::same_as<int>;
  S::store_bf16(halves, v);
};

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_SIMD_H_
