#include "model/kv_cache.h"

#include <algorithm>

#include "numeric/half.h"

namespace whereof::model {

namespace {

std::int64_t pages_of(std::int64_t tokens) {
  return (tokens + kKvBlockTokens - 1) / kKvBlockTokens;
}

// Without branches there are no pages to be told apart, and no row more than is needed.
std::int64_t rows_for(std::int64_t capacity, std::int64_t branch_pages) {
  return branch_pages == 0 ? capacity : (pages_of(capacity) + branch_pages) * kKvBlockTokens;
}

}  // namespace

KvCache::KvCache(const Hyperparameters& h, std::int64_t capacity, std::int64_t branch_pages)
    : layers_(h.layers),
      kv_heads_(h.kv_heads),
      head_dim_(h.head_dim),
      first_branch_page_(pages_of(capacity)),
      rows_(rows_for(capacity, branch_pages)),
      keys_(h.layers * h.kv_width() * rows_),
      values_(h.layers * h.kv_width() * rows_) {}

std::int64_t KvCache::bytes_needed(const Hyperparameters& h, std::int64_t capacity,
                                   std::int64_t branch_pages) {
  return 2 * bytes_of(ElementType::bf16) * h.layers * h.kv_width() *
         rows_for(capacity, branch_pages);
}

void KvCache::copy_page(std::int64_t from, std::int64_t to, std::int64_t count) {
  const std::int64_t page_elements = kKvBlockTokens * head_dim_;
  for (auto* array : {&keys_, &values_}) {
    for (std::int64_t head = 0; head < layers_ * kv_heads_; ++head) {
      std::uint16_t* rows = array->data() + head * rows_ * head_dim_;
      std::copy_n(rows + from * page_elements, count * head_dim_, rows + to * page_elements);
    }
  }
}

void KvCache::write(std::int64_t layer, const std::int32_t* table, std::int64_t begin,
                    std::int64_t rows, const float* keys, const float* values) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t position = begin + row;
    const std::int64_t place =
        table == nullptr
            ? position
            : table[position / kKvBlockTokens] * kKvBlockTokens + position % kKvBlockTokens;
    for (std::int64_t head = 0; head < kv_heads_; ++head) {
      const std::int64_t from = (row * kv_heads_ + head) * head_dim_;
      const std::int64_t to = layer * layer_elements() + (head * rows_ + place) * head_dim_;
      for (std::int64_t i = 0; i < head_dim_; ++i) {
        keys_[to + i] = numeric::bf16_of_float(keys[from + i]);
        values_[to + i] = numeric::bf16_of_float(values[from + i]);
      }
    }
  }
}

void KvCache::rotate_on(std::int64_t layer, std::int64_t begin, std::int64_t count,
                        const RotaryTable& table) {
  std::vector<float> rows(static_cast<std::size_t>(count * head_dim_));
  const std::vector<std::int64_t> positions(static_cast<std::size_t>(count), 1);
  const TensorView view =
      dense_view(static_cast<void*>(rows.data()), ElementType::f32, {1, count, 1, head_dim_});
  for (std::int64_t head = 0; head < kv_heads_; ++head) {
    std::uint16_t* keys =
        keys_.data() + layer * layer_elements() + (head * rows_ + begin) * head_dim_;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = numeric::float_of_bf16(keys[i]);
    table.rotate(view, positions);
    for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = numeric::bf16_of_float(rows[i]);
  }
}

std::vector<float> KvCache::row(std::int64_t layer, std::int64_t position) const {
  std::vector<float> row;
  for (const auto* array : {&keys_, &values_}) {
    for (std::int64_t head = 0; head < kv_heads_; ++head) {
      const std::uint16_t* from =
          array->data() + layer * layer_elements() + (head * rows_ + position) * head_dim_;
      for (std::int64_t i = 0; i < head_dim_; ++i) row.push_back(numeric::float_of_bf16(from[i]));
    }
  }
  return row;
}

void KvCache::put_row(std::int64_t layer, std::int64_t position, const std::vector<float>& row) {
  const float* values = row.data() + kv_heads_ * head_dim_;
  write(layer, nullptr, position, 1, row.data(), values);
}

template <typename Body>
void KvCache::for_each_run(const KvBlockLayout& layout, std::int64_t begin, Body body) const {
  for (std::int64_t layer = 0; layer < layers_; ++layer) {
    for (const bool is_value : {false, true}) {
      for (std::int64_t head = 0; head < kv_heads_; ++head) {
        body(layer * layer_elements() + (head * rows_ + begin) * head_dim_, is_value,
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
          {layer_elements(), head_dim_, rows_ * head_dim_, 1}};
}

ConstTensorView KvCache::page_view(const memory::AlignedArray<std::uint16_t>& array,
                                   std::int64_t layer) const {
  return {array.data() + layer * layer_elements(),
          ElementType::bf16,
          {pages(), kKvBlockTokens, kv_heads_, head_dim_},
          {kKvBlockTokens * head_dim_, head_dim_, rows_ * head_dim_, 1}};
}

ConstTensorView KvCache::key_pages(std::int64_t layer) const { return page_view(keys_, layer); }

ConstTensorView KvCache::value_pages(std::int64_t layer) const { return page_view(values_, layer); }

ConstTensorView KvCache::keys(std::int64_t layer, std::int64_t length) const {
  return view(keys_, layer, length);
}

ConstTensorView KvCache::values(std::int64_t layer, std::int64_t length) const {
  return view(values_, layer, length);
}

}  // namespace whereof::model
