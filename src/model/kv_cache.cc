#include "model/kv_cache.h"

#include <algorithm>

#include "numeric/half.h"

namespace whereof::model {

KvCache::KvCache(const Hyperparameters& h, std::int64_t capacity)
    : layers_(h.layers),
      kv_heads_(h.kv_heads),
      head_dim_(h.head_dim),
      capacity_(capacity),
      keys_(h.layers * h.kv_width() * capacity),
      values_(h.layers * h.kv_width() * capacity) {}

std::int64_t KvCache::bytes_needed(const Hyperparameters& h, std::int64_t capacity) {
  return 2 * bytes_of(ElementType::bf16) * h.layers * h.kv_width() * capacity;
}

void KvCache::write(std::int64_t layer, std::int64_t begin, std::int64_t rows, const float* keys,
                    const float* values) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t head = 0; head < kv_heads_; ++head) {
      const std::int64_t from = (row * kv_heads_ + head) * head_dim_;
      const std::int64_t to =
          layer * layer_elements() + (head * capacity_ + begin + row) * head_dim_;
      for (std::int64_t i = 0; i < head_dim_; ++i) {
        keys_[to + i] = numeric::bf16_of_float(keys[from + i]);
        values_[to + i] = numeric::bf16_of_float(values[from + i]);
      }
    }
  }
}

template <typename Body>
void KvCache::for_each_run(const KvBlockLayout& layout, std::int64_t begin, Body body) const {
  for (std::int64_t layer = 0; layer < layers_; ++layer) {
    for (const bool is_value : {false, true}) {
      for (std::int64_t head = 0; head < kv_heads_; ++head) {
        body(layer * layer_elements() + (head * capacity_ + begin) * head_dim_, is_value,
             layout.at(layer, is_value, head));
      }
    }
  }
}

void KvCache::copy_to(const KvBlockLayout& layout, std::uint16_t* block, std::int64_t begin,
                      std::int64_t count) const {
  for_each_run(layout, begin, [&](std::int64_t from, bool is_value, std::int64_t to) {
    std::copy_n((is_value ? values_ : keys_).data() + from, count * head_dim_, block + to);
    // A short block keeps nothing of what lay in memory before.
    std::fill_n(block + to + count * head_dim_, (kKvBlockTokens - count) * head_dim_, 0);
  });
}

void KvCache::restore(const KvBlockLayout& layout, const std::uint16_t* block, std::int64_t begin,
                      std::int64_t count) {
  for_each_run(layout, begin, [&](std::int64_t to, bool is_value, std::int64_t from) {
    std::copy_n(block + from, count * head_dim_, (is_value ? values_ : keys_).data() + to);
  });
}

ConstTensorView KvCache::view(const memory::AlignedArray<std::uint16_t>& array, std::int64_t layer,
                              std::int64_t length) const {
  return {array.data() + layer * layer_elements(),
          ElementType::bf16,
          {1, length, kv_heads_, head_dim_},
          {layer_elements(), head_dim_, capacity_ * head_dim_, 1}};
}

ConstTensorView KvCache::keys(std::int64_t layer, std::int64_t length) const {
  return view(keys_, layer, length);
}

ConstTensorView KvCache::values(std::int64_t layer, std::int64_t length) const {
  return view(values_, layer, length);
}

}  // namespace whereof::model
