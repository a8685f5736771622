// The two products of attention for a block of few query rows: keys and values are read once, as
// they lie, and each vector of them meets all rows of the block while it is in a register.
//
//   scores[row][key] = factor * query[row] . key      sums along the lanes, kLanes (row, key) at a
//                                                     time, reduced together by one tree of adds
//   output[row]      = output[row] * rescale[row] + sum over keys of weights[row][key] * value[key]
//
// Products of integers are exact; a tile has few enough keys that sums of them stay in 32 bits.
// Decode is bound by memory, so the rows of the next tile are fetched while these are multiplied.
#ifndef WHEREOF_KERNELS_ROW_PRODUCTS_H_
#define WHEREOF_KERNELS_ROW_PRODUCTS_H_

#include <cstdint>

#include "kernels/row_cells.h"
#include "kernels/tile_arguments.h"

namespace whereof::kernels {

constexpr int power_of_two_from(int n) noexcept {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

inline constexpr std::int64_t kCacheLine = 64;

// Bytes [begin, end) of one row of what is wanted next.
static inline __attribute__((always_inline)) void fetch_row(const RowPrefetch& next,
                                                            std::int64_t row, std::int64_t begin,
                                                            std::int64_t end) noexcept {
  if (row >= next.row_count) return;
  const char* at = next.from + row * next.stride;
  for (; begin < end; begin += kCacheLine) __builtin_prefetch(at + begin, 0, 2);
}

// kRows query rows against the keys of a tile. The sums of (row r, key k) stand at r * kKeys + k.
template <typename Cells, int kRows>
struct RowScores {
  using S = typename Cells::S;
  using V = typename S::Vector;
  using Element = typename Cells::Element;
  static constexpr int kKeys = S::kLanes / power_of_two_from(kRows);
  static constexpr int kVectors = Cells::kVectors;
  static constexpr int kCellWords = kVectors * S::kLanes;

  const RowScoreTile& t;
  std::int64_t row;  // the first of kRows

  // One cell of kKeys keys. Whichever of queries and keys are fewer stay in registers.
  template <typename Load>
  static inline __attribute__((always_inline)) void add_cell(const float* query,
                                                             std::int64_t query_stride, Load&& load,
                                                             V* sums) noexcept {
    if constexpr (kRows <= kKeys) {
      V rows[kRows][kVectors];
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          rows[r][v] = S::load(query + r * query_stride + v * S::kLanes);
        }
      }
#pragma GCC unroll 16
      for (int k = 0; k < kKeys; ++k) {
        V words[kVectors];
        load(k, words);
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 16
          for (int r = 0; r < kRows; ++r) {
            sums[r * kKeys + k] = Cells::dot(words[v], rows[r][v], sums[r * kKeys + k]);
          }
        }
      }
    } else {
      V words[kKeys][kVectors];
#pragma GCC unroll 16
      for (int k = 0; k < kKeys; ++k) load(k, words[k]);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const V row = S::load(query + r * query_stride + v * S::kLanes);
#pragma GCC unroll 16
          for (int k = 0; k < kKeys; ++k) {
            sums[r * kKeys + k] = Cells::dot(words[k][v], row, sums[r * kKeys + k]);
          }
        }
      }
    }
  }

  // Keys past the end repeat the last one; what they score is padding.
  void score_keys(std::int64_t key, V factors, float* to) const noexcept {
    const Element* keys[kKeys];
#pragma GCC unroll 16
    for (int k = 0; k < kKeys; ++k) {
      const std::int64_t at = key + k < t.key_count ? key + k : t.key_count - 1;
      keys[k] = static_cast<const Element*>(t.keys) + at * t.key_stride;
    }
    V sums[S::kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < S::kLanes; ++i) sums[i] = S::broadcast(0.0F);
    const float* query = t.queries + row * t.query_stride;
    std::int64_t element = 0;
    for (; element + Cells::kElements <= t.depth; element += Cells::kElements) {
      const auto load = [&](int k, V* words) { Cells::load(keys[k] + element, words); };
      add_cell(query, t.query_stride, load, sums);
      query += kCellWords;
    }
    if (element < t.depth) {
      const auto load = [&](int k, V* words) {
        Cells::load_partial(keys[k] + element, t.depth - element, words);
      };
      add_cell(query, t.query_stride, load, sums);
    }
    if constexpr (Cells::kAreIntegers) {
#pragma GCC unroll 16
      for (int i = 0; i < S::kLanes; ++i) sums[i] = S::floats_of_integers(sums[i]);
    }
    float scores[S::kLanes];
    S::store(scores, S::multiply(S::totals(sums), factors));
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      __builtin_memcpy(to + r * t.score_stride, scores + r * kKeys, kKeys * sizeof(float));
    }
  }

  void run() const noexcept {
    float factors[S::kLanes] = {};
    for (int i = 0; i < kRows * kKeys; ++i) {
      factors[i] = t.factor * t.query_units[row + i / kKeys];
    }
    const std::int64_t row_bytes = t.depth * static_cast<std::int64_t>(sizeof(Element));
    for (std::int64_t key = 0; key < t.key_count; key += kKeys) {
      score_keys(key, S::load(factors), t.scores + row * t.score_stride + key);
      if (row > 0) continue;
      for (int k = 0; k < kKeys; ++k) fetch_row(t.next, key + k, 0, row_bytes);
    }
  }
};

// kRows rows of the output, kCells cells of each. The last cell of a row may be partial.
template <typename Cells, int kRows, int kCells>
struct RowOutputs {
  using S = typename Cells::S;
  using V = typename S::Vector;
  using Element = typename Cells::Element;
  static constexpr int kVectors = kCells * Cells::kVectors;

  const RowValueTile& t;

  template <bool kIsPartial>
  void load(std::int64_t key, std::int64_t element, V* words) const noexcept {
    const Element* at = static_cast<const Element*>(t.values) + key * t.value_stride + element;
    if constexpr (Cells::kKeysPerWord == 2) {
      // A lone last key is its own partner; the partner's weight is zero.
      const Element* partner = key + 1 < t.key_count ? at + t.value_stride : at;
      if constexpr (kIsPartial) {
        Cells::load_partial(at, partner, t.value_dim - element, words);
      } else {
        Cells::load(at, partner, words);
      }
    } else if constexpr (kIsPartial) {
      Cells::load_partial(at, t.value_dim - element, words);
    } else {
      Cells::load(at, words);
    }
  }

  // Sums start from the rescaled output, or, where they are integers, from zero.
  void begin(std::int64_t row, const float* output, V (*sums)[kVectors]) const noexcept {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const V rescale = S::broadcast_from(t.rescale + row + r);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sums[r][v] =
            Cells::kAreIntegers
                ? S::broadcast(0.0F)
                : S::multiply(S::load(output + r * t.output_stride + v * S::kLanes), rescale);
      }
    }
  }

  void end(std::int64_t row, float* output, const V (*sums)[kVectors]) const noexcept {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        float* to = output + r * t.output_stride + v * S::kLanes;
        V sum = sums[r][v];
        if constexpr (Cells::kAreIntegers) {
          const V before = S::multiply(S::load(to), S::broadcast_from(t.rescale + row + r));
          const V unit = S::broadcast_from(t.weight_units + row + r);
          sum = S::multiply_add(S::floats_of_integers(sum), unit, before);
        }
        S::store(to, sum);
      }
    }
  }

  template <bool kIsPartial>
  void run(std::int64_t row, std::int64_t element) const noexcept {
    V sums[kRows][kVectors];
    float* to = t.output + row * t.output_stride + element;
    begin(row, to, sums);
    const std::int64_t first_byte = element * static_cast<std::int64_t>(sizeof(Element));
    const std::int64_t end_byte =
        first_byte + kCells * Cells::kElements * static_cast<std::int64_t>(sizeof(Element));
    const float* weights = t.weights + row * t.weight_stride;
    for (std::int64_t key = 0; key < t.key_count; key += Cells::kKeysPerWord) {
      V words[kVectors];
#pragma GCC unroll 16
      for (int c = 0; c < kCells; ++c) {
        load<kIsPartial>(key, element + c * Cells::kElements, words + c * Cells::kVectors);
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const V weight = S::broadcast_from(weights + r * t.weight_stride);
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) sums[r][v] = Cells::dot(words[v], weight, sums[r][v]);
      }
      ++weights;
      if (row > 0) continue;
#pragma GCC unroll 2
      for (int k = 0; k < Cells::kKeysPerWord; ++k)
        fetch_row(t.next, key + k, first_byte, end_byte);
    }
    end(row, to, sums);
  }
};

// Calls body.run<rows>(row) until row_count is covered: kMost at a time, then what is left.
template <int kMost, typename Body>
void cover_few_rows(const Body& body, std::int64_t row, std::int64_t row_count) noexcept {
  for (; row + kMost <= row_count; row += kMost) body.template run<kMost>(row);
  if constexpr (kMost > 1) {
    if (row < row_count) cover_few_rows<kMost - 1>(body, row, row_count);
  }
}

template <typename Cells>
struct RowScoreBody {
  const RowScoreTile& t;
  template <int kRows>
  void run(std::int64_t row) const noexcept {
    RowScores<Cells, kRows>{t, row}.run();
  }
};

template <typename Cells>
void row_score_tile(const RowScoreTile& t) noexcept {
  cover_few_rows<Cells::S::kFewRows>(RowScoreBody<Cells>{t}, 0, t.row_count);
}

template <typename Cells>
struct RowOutputBody {
  const RowValueTile& t;

  template <int kRows, int kCells>
  std::int64_t cover(std::int64_t row, std::int64_t element) const noexcept {
    constexpr std::int64_t kWidth = kCells * Cells::kElements;
    for (; element + kWidth <= t.value_dim; element += kWidth) {
      RowOutputs<Cells, kRows, kCells>{t}.template run<false>(row, element);
    }
    if constexpr (kCells > 1) return cover<kRows, kCells / 2>(row, element);
    return element;
  }

  template <int kRows>
  void run(std::int64_t row) const noexcept {
    constexpr int kVectors = Cells::S::kFewSums / power_of_two_from(kRows);
    constexpr int kCells = kVectors > Cells::kVectors ? kVectors / Cells::kVectors : 1;
    const std::int64_t element = cover<kRows, (kCells > 4 ? 4 : kCells)>(row, 0);
    if (element < t.value_dim) RowOutputs<Cells, kRows, 1>{t}.template run<true>(row, element);
  }
};

template <typename Cells>
void row_value_tile(const RowValueTile& t) noexcept {
  cover_few_rows<Cells::S::kFewRows>(RowOutputBody<Cells>{t}, 0, t.rows);
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_ROW_PRODUCTS_H_
