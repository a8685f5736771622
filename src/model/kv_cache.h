// Keys and values of the positions that a context has read: [layers][kv_heads, rows, head_dim],
// keys after their rotation; bf16, or i8 with one scale for each row (cache_quantisation.h) and
// keys in units of their own (key_units.h).
//
// The rows of a head are pages of kKvBlockTokens. Position p of the context itself lies in row p;
// branches have a table of pages of their own, of which the first are the context's.
#ifndef WHEREOF_MODEL_KV_CACHE_H_
#define WHEREOF_MODEL_KV_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/aligned_array.h"
#include "model/hyperparameters.h"
#include "model/kv_file.h"
#include "whereof/attention.h"
#include "whereof/rotary.h"
#include "whereof/tensor_view.h"

namespace whereof::model {

// What a cache allocates.
struct KvCacheSize {
  std::int64_t capacity = 0;      // positions of the context
  std::int64_t branch_pages = 0;  // beside those of the context
  ElementType type = ElementType::bf16;
};

class KvCache {
 public:
  // key_units: [layers, kv_heads, head_dim] for a cache of i8; empty: all 1. Rows go in and come
  // out without them; the views that attention takes are in them.
  KvCache(const Hyperparameters& hyperparameters, const KvCacheSize& size,
          std::vector<float> key_units = {});
  static std::int64_t bytes_needed(const Hyperparameters& hyperparameters, const KvCacheSize& size);

  // Of its rows in a kept reading.
  KvBlockLayout block_layout() const noexcept;
  // The first page that is no page of the context, and one past the last.
  std::int64_t first_branch_page() const noexcept { return first_branch_page_; }
  std::int64_t pages() const noexcept { return rows_ / kKvBlockTokens; }
  // Copies the first `count` rows of a page of all layers.
  void copy_page(std::int64_t from, std::int64_t to, std::int64_t count);
  // Copies `count` rows from `begin` on of a cache of the same layout to rows `to`, `to` + 1, ...
  void copy_rows(const KvCache& from, std::int64_t begin, std::int64_t to, std::int64_t count);

  // Rounds [rows, kv_heads, head_dim] floats into positions begin .. begin + rows - 1, in the pages
  // of a table or, where that is null, of the context. Throws Error(invalid_argument) for NaN or
  // infinity where the cache is i8.
  void write(std::int64_t layer, const std::int32_t* table, std::int64_t begin, std::int64_t rows,
             const float* keys, const float* values);

  // Copies `count` tokens between positions begin, begin + 1, ... and the places `first`,
  // first + 1, ... of a block of block_layout(). What copy_to does not write it fills with zeros.
  void copy_to(std::byte* block, std::int64_t begin, std::int64_t count) const;
  void restore(const std::byte* block, std::int64_t first, std::int64_t begin, std::int64_t count);

  // Rotates the keys of positions begin .. begin + count - 1 on, each by position 1 of the table.
  void rotate_on(std::int64_t layer, std::int64_t begin, std::int64_t count,
                 const RotaryTable& table);

  // Keys, then values, of one position: [2, kv_heads, head_dim].
  std::vector<float> row(std::int64_t layer, std::int64_t position) const;
  // The same as it lies in memory, to be put back without another rounding.
  struct StoredRow {
    std::vector<std::byte> elements;  // [2, kv_heads, head_dim]
    std::vector<float> scales;        // [2, kv_heads] of i8
  };
  StoredRow stored_row(std::int64_t layer, std::int64_t position) const;
  void put_back(std::int64_t layer, std::int64_t position, const StoredRow& row);

  // Of a layer's keys, [kv_heads, head_dim]; null: all 1.
  const float* key_units(std::int64_t layer) const noexcept {
    return key_units_.empty() ? nullptr : key_units_.data() + layer * kv_heads_ * head_dim_;
  }

  // As attention takes them.
  struct View {
    ConstTensorView keys;
    ConstTensorView values;
    std::optional<CacheScales> scales;  // of i8
  };
  // [1, length, kv_heads, head_dim] of the first `length` positions.
  View first_positions(std::int64_t layer, std::int64_t length) const;
  // [pages, kKvBlockTokens, kv_heads, head_dim]
  View all_pages(std::int64_t layer) const;

 private:
  // Keys, or values, of all layers.
  struct Rows {
    memory::AlignedArray<std::byte> elements;
    memory::AlignedArray<float> scales;  // of i8: [layers][kv_heads, rows]
  };
  std::int64_t row_bytes() const noexcept { return head_dim_ * bytes_of(type_); }
  bool has_scales() const noexcept { return type_ == ElementType::i8; }
  // Which of all rows is row `place` of a head.
  std::int64_t row_at(std::int64_t layer, std::int64_t head, std::int64_t place) const noexcept {
    return (layer * kv_heads_ + head) * rows_ + place;
  }
  // Between rows that follow each other and floats, each row_stride behind the one before.
  void round_rows(Rows& to, std::int64_t first_row, std::int64_t count, const float* from,
                  std::int64_t row_stride);
  // The same with keys of a head, put into their units.
  void round_keys(std::int64_t layer, std::int64_t head, std::int64_t place, std::int64_t count,
                  const float* from, std::int64_t row_stride);
  void widen_rows(const Rows& from, std::int64_t first_row, std::int64_t count, float* to) const;
  void widen_keys(std::int64_t layer, std::int64_t head, std::int64_t place, std::int64_t count,
                  float* to) const;
  // Calls body(rows, row of the cache, place of a head's elements in a block) for keys and values
  // of each layer and head.
  template <typename Body>
  void for_each_head(std::int64_t begin, Body body) const;
  View view(std::int64_t layer, std::int64_t outer, std::int64_t outer_rows,
            std::int64_t length) const;

  std::int64_t layers_;
  std::int64_t kv_heads_;
  std::int64_t head_dim_;
  ElementType type_;
  std::int64_t first_branch_page_;
  std::int64_t rows_;  // of a head
  std::vector<float> key_units_;
  Rows keys_;
  Rows values_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_CACHE_H_
