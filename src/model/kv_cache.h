// Keys and values of the positions that a context has read: bf16, [layers][kv_heads, rows,
// head_dim], keys after their rotation.
//
// The rows of a head are pages of kKvBlockTokens. Position p of the context itself lies in row p;
// branches have a table of pages of their own, of which the first are the context's.
#ifndef WHEREOF_MODEL_KV_CACHE_H_
#define WHEREOF_MODEL_KV_CACHE_H_

#include <cstdint>
#include <vector>

#include "memory/aligned_array.h"
#include "model/hyperparameters.h"
#include "model/kv_file.h"
#include "whereof/rotary.h"
#include "whereof/tensor_view.h"

namespace whereof::model {

class KvCache {
 public:
  // branch_pages: beside those of the context's `capacity` positions.
  KvCache(const Hyperparameters& hyperparameters, std::int64_t capacity,
          std::int64_t branch_pages = 0);
  static std::int64_t bytes_needed(const Hyperparameters& hyperparameters, std::int64_t capacity,
                                   std::int64_t branch_pages = 0);

  // The first page that is no page of the context, and one past the last.
  std::int64_t first_branch_page() const noexcept { return first_branch_page_; }
  std::int64_t pages() const noexcept { return rows_ / kKvBlockTokens; }
  // Copies the first `count` rows of a page of all layers.
  void copy_page(std::int64_t from, std::int64_t to, std::int64_t count);

  // Rounds [rows, kv_heads, head_dim] floats to bf16 into positions begin .. begin + rows - 1, in
  // the pages of a table or, where that is null, of the context.
  void write(std::int64_t layer, const std::int32_t* table, std::int64_t begin, std::int64_t rows,
             const float* keys, const float* values);

  // Copies `count` tokens between positions begin, begin + 1, ... and the first places of a block.
  void copy_to(const KvBlockLayout& layout, std::uint16_t* block, std::int64_t begin,
               std::int64_t count) const;
  void restore(const KvBlockLayout& layout, const std::uint16_t* block, std::int64_t begin,
               std::int64_t count);

  // Rotates the keys of positions begin .. begin + count - 1 on, each by position 1 of the table.
  void rotate_on(std::int64_t layer, std::int64_t begin, std::int64_t count,
                 const RotaryTable& table);

  // Keys, then values, of one position: [2, kv_heads, head_dim].
  std::vector<float> row(std::int64_t layer, std::int64_t position) const;
  void put_row(std::int64_t layer, std::int64_t position, const std::vector<float>& row);

  // [1, length, kv_heads, head_dim] of the first `length` positions.
  ConstTensorView keys(std::int64_t layer, std::int64_t length) const;
  ConstTensorView values(std::int64_t layer, std::int64_t length) const;
  // [pages, kKvBlockTokens, kv_heads, head_dim]
  ConstTensorView key_pages(std::int64_t layer) const;
  ConstTensorView value_pages(std::int64_t layer) const;

 private:
  std::int64_t layer_elements() const noexcept { return kv_heads_ * rows_ * head_dim_; }
  // Calls body(place in the cache, keys or values, place in the block) for each run of a head's
  // elements.
  template <typename Body>
  void for_each_run(const KvBlockLayout& layout, std::int64_t begin, Body body) const;
  ConstTensorView view(const memory::AlignedArray<std::uint16_t>& array, std::int64_t layer,
                       std::int64_t length) const;
  ConstTensorView page_view(const memory::AlignedArray<std::uint16_t>& array,
                            std::int64_t layer) const;

  std::int64_t layers_;
  std::int64_t kv_heads_;
  std::int64_t head_dim_;
  std::int64_t first_branch_page_;
  std::int64_t rows_;  // of a head
  memory::AlignedArray<std::uint16_t> keys_;
  memory::AlignedArray<std::uint16_t> values_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_CACHE_H_
