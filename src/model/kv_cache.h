// Keys and values of the positions that a context has read: bf16, [layers][kv_heads, capacity,
// head_dim], keys after their rotation.
#ifndef WHEREOF_MODEL_KV_CACHE_H_
#define WHEREOF_MODEL_KV_CACHE_H_

#include <cstdint>

#include "memory/aligned_array.h"
#include "model/hyperparameters.h"
#include "whereof/tensor_view.h"

namespace whereof::model {

class KvCache {
 public:
  KvCache(const Hyperparameters& hyperparameters, std::int64_t capacity);
  static std::int64_t bytes_needed(const Hyperparameters& hyperparameters, std::int64_t capacity);

  // Rounds [rows, kv_heads, head_dim] floats to bf16 into positions begin .. begin + rows - 1.
  void write(std::int64_t layer, std::int64_t begin, std::int64_t rows, const float* keys,
             const float* values);

  // [1, length, kv_heads, head_dim] of the first `length` positions.
  ConstTensorView keys(std::int64_t layer, std::int64_t length) const;
  ConstTensorView values(std::int64_t layer, std::int64_t length) const;

 private:
  std::int64_t layer_elements() const noexcept { return kv_heads_ * capacity_ * head_dim_; }
  ConstTensorView view(const memory::AlignedArray<std::uint16_t>& array, std::int64_t layer,
                       std::int64_t length) const;

  std::int64_t kv_heads_;
  std::int64_t head_dim_;
  std::int64_t capacity_;
  memory::AlignedArray<std::uint16_t> keys_;
  memory::AlignedArray<std::uint16_t> values_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_CACHE_H_
