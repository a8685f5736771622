// How the elements of a stored row of keys or values come into the vector lanes, for blocks of few
// query rows.
//
// A cell is a run of kElements elements that becomes kVectors vectors of words. The lanes of a cell
// may hold its elements in another order than memory does: what meets keys (the queries) is brought
// into the same order once a block, what comes from values (the output) is brought back once a
// block, so that a key or value itself is never shuffled. element_of_lane(v, lane) names the
// element. Rows end where they end: a last partial cell is loaded by its bytes, zeros behind.
#ifndef WHEREOF_KERNELS_ROW_CELLS_H_
#define WHEREOF_KERNELS_ROW_CELLS_H_

#include <cstdint>

#include "kernels/simd.h"

namespace whereof::kernels {

// What the cells of float words have in common: a value meets its weight alone.
template <Simd SimdType>
struct FloatWords {
  using S = SimdType;
  using V = typename S::Vector;
  static constexpr int kKeysPerWord = 1;
  static constexpr bool kAreIntegers = false;
  static V dot(V a, V b, V sum) noexcept { return S::multiply_add(a, b, sum); }
};

// Elements in their own order, a vector a cell; Conversion::load brings kLanes of them.
template <typename Conversion>
struct PlainCells : FloatWords<typename Conversion::S> {
  using S = typename Conversion::S;
  using V = typename S::Vector;
  using Element = typename Conversion::Element;
  static constexpr int kElements = S::kLanes;
  static constexpr int kVectors = 1;
  static constexpr int element_of_lane(int, int lane) noexcept { return lane; }
  static void load(const Element* from, V* words) noexcept { words[0] = Conversion::load(from); }
  static void load_partial(const Element* from, std::int64_t count, V* words) noexcept {
    Element padded[S::kLanes * sizeof(float) / sizeof(Element)];
    const V raw = S::load_bytes(from, count * static_cast<std::int64_t>(sizeof(Element)));
    __builtin_memcpy(padded, &raw, sizeof padded);
    words[0] = Conversion::load(padded);
  }
};

template <Simd SimdType>
struct FromF32 {
  using S = SimdType;
  using Element = float;
  static typename S::Vector load(const Element* from) noexcept { return S::load(from); }
};
template <Simd SimdType>
struct FromBf16 {
  using S = SimdType;
  using Element = std::uint16_t;
  static typename S::Vector load(const Element* from) noexcept { return S::load_bf16(from); }
};
template <Simd SimdType>
struct FromF16 {
  using S = SimdType;
  using Element = std::uint16_t;
  static typename S::Vector load(const Element* from) noexcept { return S::load_f16(from); }
};
template <Simd SimdType>
struct FromI8 {
  using S = SimdType;
  using Element = std::int8_t;
  static typename S::Vector load(const Element* from) noexcept { return S::load_i8(from); }
};
template <Simd S>
using F32Cells = PlainCells<FromF32<S>>;
template <Simd S>
using F16Cells = PlainCells<FromF16<S>>;
template <Simd S>
using I8Cells = PlainCells<FromI8<S>>;

// bf16 widened by a shift and a mask: the even elements, then the odd ones.
template <Simd SimdType>
struct Bf16Cells : FloatWords<SimdType> {
  using S = SimdType;
  using V = typename S::Vector;
  using Element = std::uint16_t;
  static constexpr int kElements = 2 * S::kLanes;
  static constexpr int kVectors = 2;
  static constexpr int element_of_lane(int v, int lane) noexcept { return 2 * lane + v; }
  static void widen(V raw, V* words) noexcept {
    words[0] = S::widen_low(raw);
    words[1] = S::widen_high(raw);
  }
  static void load(const Element* from, V* words) noexcept { widen(S::load_words(from), words); }
  static void load_partial(const Element* from, std::int64_t count, V* words) noexcept {
    widen(S::load_bytes(from, 2 * count), words);
  }
};

// Pairs of 16 bits: of bf16, or of integers that a row of i8 becomes. A key's pairs are neighbours
// of its row; a value's are the same element of two keys.
template <PairSimd SimdType>
struct Bf16Pairs {
  using S = SimdType;
  using V = typename S::Vector;
  using Element = std::uint16_t;
  static constexpr bool kAreIntegers = false;
  static V dot(V a, V b, V sum) noexcept { return S::dot_pairs(a, b, sum); }
  static V load(const Element* from) noexcept { return S::load_words(from); }
  static V load_partial(const Element* from, std::int64_t count) noexcept {
    return S::load_bytes(from, 2 * count);
  }
};
template <PairSimd SimdType>
struct IntegerPairs {
  using S = SimdType;
  using V = typename S::Vector;
  using Element = std::int8_t;
  static constexpr bool kAreIntegers = true;
  static V dot(V a, V b, V sum) noexcept { return S::dot_integer_pairs(a, b, sum); }
  static V load(const Element* from) noexcept { return S::load_integer_pairs(from); }
  static V load_partial(const Element* from, std::int64_t count) noexcept {
    Element padded[S::kLanes * sizeof(float)];
    const V raw = S::load_bytes(from, count);
    __builtin_memcpy(padded, &raw, sizeof padded);
    return S::load_integer_pairs(padded);
  }
};

template <typename Pairs>
struct PairCells {
  using S = typename Pairs::S;
  using V = typename S::Vector;
  using Element = typename Pairs::Element;
  static constexpr bool kAreIntegers = Pairs::kAreIntegers;
  static constexpr int kKeysPerWord = 2;
  static constexpr int kElements = 2 * S::kLanes;
  static constexpr int kVectors = 1;
  static V dot(V a, V b, V sum) noexcept { return Pairs::dot(a, b, sum); }
  static void load(const Element* from, V* words) noexcept { words[0] = Pairs::load(from); }
  static void load_partial(const Element* from, std::int64_t count, V* words) noexcept {
    words[0] = Pairs::load_partial(from, count);
  }
};

template <typename Pairs>
struct PairValueCells : PairCells<Pairs> {
  using S = typename Pairs::S;
  using V = typename S::Vector;
  using Element = typename Pairs::Element;
  static constexpr int kVectors = 2;
  static constexpr int element_of_lane(int v, int lane) noexcept {
    return S::element_of_pair(v, lane);
  }
  static void load(const Element* low, const Element* high, V* words) noexcept {
    S::pair_up(Pairs::load(low), Pairs::load(high), words);
  }
  static void load_partial(const Element* low, const Element* high, std::int64_t count,
                           V* words) noexcept {
    S::pair_up(Pairs::load_partial(low, count), Pairs::load_partial(high, count), words);
  }
};

// to[cell * kElements + v * kLanes + lane] = from[cell * kElements + element_of_lane(v, lane)], the
// last cell filled up with zeros. Returns the unit that words are in.
template <typename Cells>
float arrange(const float* from, float* to, std::int64_t count) noexcept {
  constexpr int kLanes = Cells::S::kLanes;
  for (std::int64_t begin = 0; begin < count; begin += Cells::kElements) {
    for (int i = 0; i < Cells::kElements; ++i) {
      const std::int64_t at = begin + Cells::element_of_lane(i / kLanes, i % kLanes);
      to[begin + i] = at < count ? from[at] : 0.0F;
    }
  }
  return 1;
}

// Pairs in their own order; store(halves, at) rounds kLanes floats from element `at`.
template <PairSimd S, typename Store>
void arrange_pairs(float* to, std::int64_t count, Store&& store) noexcept {
  auto* halves = reinterpret_cast<std::uint16_t*>(to);
  std::int64_t at = 0;
  for (; at < count; at += S::kLanes) store(halves + at, at);
  for (; at % (2 * S::kLanes) != 0; ++at) halves[at] = 0;
}

template <PairSimd S>
typename S::Vector load_up_to(const float* from, std::int64_t count) noexcept {
  return count >= S::kLanes ? S::load(from) : S::load_bytes(from, 4 * count);
}

// Floats that are bf16 already lose nothing.
template <PairSimd S>
float arrange_bf16(const float* from, float* to, std::int64_t count) noexcept {
  arrange_pairs<S>(to, count, [&](std::uint16_t* halves, std::int64_t at) {
    S::store_bf16(halves, load_up_to<S>(from + at, count - at));
  });
  return 1;
}

// In units of the power of two of which the largest element is 2^14 to 2^15: bf16 loses nothing but
// in elements under 2^-8 of the largest, and there at most 2^-16 of the largest. NaN or infinity
// makes the unit NaN.
template <PairSimd S>
float arrange_integers(const float* from, float* to, std::int64_t count) noexcept {
  constexpr std::uint32_t kInfinity = 0x7f800000U;
  std::uint32_t largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, from + i, sizeof bits);
    bits &= 0x7fffffffU;
    largest = bits > largest ? bits : largest;
  }
  const std::uint32_t exponent = largest >> 23 > 16 ? largest >> 23 : 16;
  const std::uint32_t unit_bits =
      largest >= kInfinity ? kInfinity | 1U << 22 : (exponent - 14) << 23;
  const std::uint32_t inverse_bits = (largest >= kInfinity ? 0 : 268 - exponent) << 23;
  float unit;
  float inverse;
  __builtin_memcpy(&unit, &unit_bits, sizeof unit);
  __builtin_memcpy(&inverse, &inverse_bits, sizeof inverse);
  arrange_pairs<S>(to, count, [&](std::uint16_t* halves, std::int64_t at) {
    const typename S::Vector part = load_up_to<S>(from + at, count - at);
    S::store_integers(halves, S::multiply(part, S::broadcast(inverse)));
  });
  return unit;
}

// The way back, in place.
template <typename Cells>
void restore(float* row, std::int64_t count) noexcept {
  constexpr int kLanes = Cells::S::kLanes;
  for (std::int64_t begin = 0; begin < count; begin += Cells::kElements) {
    float cell[Cells::kElements];
    for (int i = 0; i < Cells::kElements; ++i) {
      cell[Cells::element_of_lane(i / kLanes, i % kLanes)] = row[begin + i];
    }
    __builtin_memcpy(row + begin, cell, sizeof cell);
  }
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_ROW_CELLS_H_
