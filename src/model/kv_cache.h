// Keys and values of the positions that a context has read: bf16, [layers][kv_heads, capacity,
// head_dim], keys after their rotation.
#ifndef WHEREOF_MODEL_KV_CACHE_H_
#define WHEREOF_MODEL_KV_CACHE_H_

#include <cstdint>

#include "memory/aligned_array.h"
#include "model/hyperparameters.h"
#include "model/kv_file.h"
#include "whereof/tensor_view.h"

namespace whereof::model {

class KvCache {
 public:
  KvCache(const Hyperparameters& hyperparameters, std::int64_t capacity);
  static std::int64_t bytes_needed(const Hyperparameters& hyperparameters, std::int64_t capacity);

  // Rounds [rows, kv_heads, head_dim] floats to bf16 into positions begin .. begin + rows - 1.
  void write(std::int64_t layer, std::int64_t begin, std::int64_t rows, const float* keys,
             const float* values);

  // Copies `count` tokens between positions begin, begin + 1, ... and the first places of a block.
  void copy_to(const KvBlockLayout& layout, std::uint16_t* block, std::int64_t begin,
               std::int64_t count) const;
  void restore(const KvBlockLayout& layout, const std::uint16_t* block, std::int64_t begin,
               std::int64_t count);

  // [1, length, kv_heads, head_dim] of the first `length` positions.
  ConstTensorView keys(std::int64_t layer, std::int64_t length) const;
  ConstTensorView values(std::int64_t layer, std::int64_t length) const;

 private:
  std::int64_t layer_elements() const noexcept { return kv_heads_ * capacity_ * head_dim_; }
  // Calls body(place in the cache, keys or values, place in the block) for each run of a head's
  // elements.
  template <typename Body>
  void for_each_run(const KvBlockLayout& layout, std::int64_t begin, Body body) const;
  ConstTensorView view(const memory::AlignedArray<std::uint16_t>& array, std::int64_t layer,
                       std::int64_t length) const;

  std::int64_t layers_;
  std::int64_t kv_heads_;
  std::int64_t head_dim_;
  std::int64_t capacity_;
  memory::AlignedArray<std::uint16_t> keys_;
  memory::AlignedArray<std::uint16_t> values_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_CACHE_H_
