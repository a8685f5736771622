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

// Pairs of bf16, of rows of bf16 or of i8, which bf16 holds exactly. A key's pairs are neighbours
// of its row; a value's are the same element of two keys.
template <PairSimd SimdType>
struct Bf16Row {
  using S = SimdType;
  using Element = std::uint16_t;
  static typename S::Vector load(const Element* from) noexcept { return S::load_words(from); }
  static typename S::Vector load_partial(const Element* from, std::int64_t count) noexcept {
    return S::load_bytes(from, 2 * count);
  }
};
template <PairSimd SimdType>
struct I8Row {
  using S = SimdType;
  using Element = std::int8_t;
  static typename S::Vector load(const Element* from) noexcept { return S::load_i8_pairs(from); }
  static typename S::Vector load_partial(const Element* from, std::int64_t count) noexcept {
    Element padded[S::kLanes * sizeof(float)];
    const typename S::Vector raw = S::load_bytes(from, count);
    __builtin_memcpy(padded, &raw, sizeof padded);
    return S::load_i8_pairs(padded);
  }
};

template <typename Row>
struct PairCells {
  using S = typename Row::S;
  using V = typename S::Vector;
  using Element = typename Row::Element;
  static constexpr int kKeysPerWord = 2;
  static constexpr int kElements = 2 * S::kLanes;
  static constexpr int kVectors = 1;
  static V dot(V a, V b, V sum) noexcept { return S::dot_pairs(a, b, sum); }
  static void load(const Element* from, V* words) noexcept { words[0] = Row::load(from); }
  static void load_partial(const Element* from, std::int64_t count, V* words) noexcept {
    words[0] = Row::load_partial(from, count);
  }
};

template <typename Row>
struct PairValueCells : PairCells<Row> {
  using S = typename Row::S;
  using V = typename S::Vector;
  using Element = typename Row::Element;
  static constexpr int kVectors = 2;
  static constexpr int element_of_lane(int v, int lane) noexcept {
    return S::element_of_pair(v, lane);
  }
  static void load(const Element* low, const Element* high, V* words) noexcept {
    S::pair_up(Row::load(low), Row::load(high), words);
  }
  static void load_partial(const Element* low, const Element* high, std::int64_t count,
                           V* words) noexcept {
    S::pair_up(Row::load_partial(low, count), Row::load_partial(high, count), words);
  }
};

// to[cell * kElements + v * kLanes + lane] = from[cell * kElements + element_of_lane(v, lane)], the
// last cell filled up with zeros.
template <typename Cells>
void arrange(const float* from, float* to, std::int64_t count) noexcept {
  constexpr int kLanes = Cells::S::kLanes;
  for (std::int64_t begin = 0; begin < count; begin += Cells::kElements) {
    for (int i = 0; i < Cells::kElements; ++i) {
      const std::int64_t at = begin + Cells::element_of_lane(i / kLanes, i % kLanes);
      to[begin + i] = at < count ? from[at] : 0.0F;
    }
  }
}

// Words of pairs, for keys multiplied as PairCells; floats that are bf16 already lose nothing.
template <PairSimd S>
void arrange_pairs(const float* from, float* to, std::int64_t count) noexcept {
  constexpr std::int64_t kCell = 2 * S::kLanes;
  auto* halves = reinterpret_cast<std::uint16_t*>(to);
  for (std::int64_t begin = 0; begin < count; begin += S::kLanes) {
    const std::int64_t left = count - begin;
    S::store_bf16(halves + begin, left >= S::kLanes ? S::load(from + begin)
                                                    : S::load_bytes(from + begin, 4 * left));
  }
  for (std::int64_t at = (count + S::kLanes - 1) / S::kLanes * S::kLanes; at % kCell != 0; ++at) {
    halves[at] = 0;
  }
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
