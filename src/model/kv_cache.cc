#include "model/kv_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "numeric/half.h"
#include "whereof/cache_quantisation.h"

namespace whereof::model {

namespace {

std::int64_t pages_of(std::int64_t tokens) {
  return (tokens + kKvBlockTokens - 1) / kKvBlockTokens;
}

// Without branches there are no pages to be told apart, and no row more than is needed.
std::int64_t rows_for(const KvCacheSize& size) {
  if (size.branch_pages == 0) return size.capacity;
  return (pages_of(size.capacity) + size.branch_pages) * kKvBlockTokens;
}

std::size_t bytes(std::int64_t count) { return static_cast<std::size_t>(count); }

}  // namespace

KvCache::KvCache(const Hyperparameters& h, const KvCacheSize& size, std::vector<float> key_units)
    : layers_(h.layers),
      kv_heads_(h.kv_heads),
      head_dim_(h.head_dim),
      type_(size.type),
      first_branch_page_(pages_of(size.capacity)),
      rows_(rows_for(size)),
      key_units_(std::move(key_units)) {
  for (Rows* rows : {&keys_, &values_}) {
    const std::int64_t count = layers_ * kv_heads_ * rows_;
    rows->elements = memory::AlignedArray<std::byte>(count * row_bytes());
    if (has_scales()) rows->scales = memory::AlignedArray<float>(count);
  }
}

std::int64_t KvCache::bytes_needed(const Hyperparameters& h, const KvCacheSize& size) {
  return 2 * h.layers * h.kv_heads * rows_for(size) * kv_row_bytes(h.head_dim, size.type);
}

KvBlockLayout KvCache::block_layout() const noexcept {
  return {.layers = layers_, .kv_heads = kv_heads_, .head_dim = head_dim_, .type = type_};
}

void KvCache::copy_page(std::int64_t from, std::int64_t to, std::int64_t count) {
  copy_rows(*this, from * kKvBlockTokens, to * kKvBlockTokens, count);
}

void KvCache::copy_rows(const KvCache& from, std::int64_t begin, std::int64_t to,
                        std::int64_t count) {
  for (const auto& [source, target] :
       {std::pair{&from.keys_, &keys_}, std::pair{&from.values_, &values_}}) {
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      for (std::int64_t head = 0; head < kv_heads_; ++head) {
        const std::int64_t first = from.row_at(layer, head, begin);
        const std::int64_t place = row_at(layer, head, to);
        std::memcpy(target->elements.data() + place * row_bytes(),
                    source->elements.data() + first * row_bytes(), bytes(count * row_bytes()));
        if (has_scales()) {
          std::copy_n(source->scales.data() + first, count, target->scales.data() + place);
        }
      }
    }
  }
}

void KvCache::round_rows(Rows& to, std::int64_t first_row, std::int64_t count, const float* from,
                         std::int64_t row_stride) {
  std::byte* elements = to.elements.data() + first_row * row_bytes();
  if (has_scales()) {
    const auto view = [&](auto* data, ElementType type, std::int64_t stride, std::int64_t dim) {
      return BasicTensorView<decltype(data)>{
          data, type, {1, count, 1, dim}, {count * stride, stride, dim, 1}};
    };
    const auto rows = view(static_cast<const void*>(from), ElementType::f32, row_stride, head_dim_);
    quantise_cache({rows.data, rows.type, rows.shape, rows.strides},
                   view(static_cast<void*>(elements), type_, head_dim_, head_dim_),
                   view(static_cast<void*>(to.scales.data() + first_row), ElementType::f32, 1, 1));
    return;
  }
  auto* rounded = reinterpret_cast<std::uint16_t*>(elements);
  for (std::int64_t row = 0; row < count; ++row, from += row_stride, rounded += head_dim_) {
    for (std::int64_t i = 0; i < head_dim_; ++i) rounded[i] = numeric::bf16_of_float(from[i]);
  }
}

void KvCache::widen_rows(const Rows& from, std::int64_t first_row, std::int64_t count,
                         float* to) const {
  const std::byte* elements = from.elements.data() + first_row * row_bytes();
  if (!has_scales()) {
    const auto* rounded = reinterpret_cast<const std::uint16_t*>(elements);
    for (std::int64_t i = 0; i < count * head_dim_; ++i) {
      to[i] = numeric::float_of_bf16(rounded[i]);
    }
    return;
  }
  const auto* stored = reinterpret_cast<const std::int8_t*>(elements);
  for (std::int64_t i = 0; i < count * head_dim_; ++i) {
    to[i] = from.scales[first_row + i / head_dim_] * static_cast<float>(stored[i]);
  }
}

void KvCache::round_keys(std::int64_t layer, std::int64_t head, std::int64_t place,
                         std::int64_t count, const float* from, std::int64_t row_stride) {
  const std::int64_t first = row_at(layer, head, place);
  if (key_units_.empty()) return round_rows(keys_, first, count, from, row_stride);
  const float* units = key_units(layer) + head * head_dim_;
  std::vector<float> in_units(static_cast<std::size_t>(count * head_dim_));
  float* to = in_units.data();
  for (std::int64_t row = 0; row < count; ++row, from += row_stride, to += head_dim_) {
    for (std::int64_t i = 0; i < head_dim_; ++i) to[i] = from[i] / units[i];
  }
  round_rows(keys_, first, count, in_units.data(), head_dim_);
}

void KvCache::widen_keys(std::int64_t layer, std::int64_t head, std::int64_t place,
                         std::int64_t count, float* to) const {
  widen_rows(keys_, row_at(layer, head, place), count, to);
  if (key_units_.empty()) return;
  const float* units = key_units(layer) + head * head_dim_;
  for (std::int64_t row = 0; row < count; ++row, to += head_dim_) {
    for (std::int64_t i = 0; i < head_dim_; ++i) to[i] *= units[i];
  }
}

void KvCache::write(std::int64_t layer, const std::int32_t* table, std::int64_t begin,
                    std::int64_t rows, const float* keys, const float* values) {
  const std::int64_t row_stride = kv_heads_ * head_dim_;
  for (std::int64_t row = 0; row < rows;) {  // a run in one page, or of the context
    const std::int64_t position = begin + row;
    std::int64_t place = position;
    std::int64_t count = rows - row;
    if (table != nullptr) {
      const std::int64_t in_page = position % kKvBlockTokens;
      place = table[position / kKvBlockTokens] * kKvBlockTokens + in_page;
      count = std::min(count, kKvBlockTokens - in_page);
    }
    for (std::int64_t head = 0; head < kv_heads_; ++head) {
      const std::int64_t from = row * row_stride + head * head_dim_;
      round_keys(layer, head, place, count, keys + from, row_stride);
      round_rows(values_, row_at(layer, head, place), count, values + from, row_stride);
    }
    row += count;
  }
}

void KvCache::rotate_on(std::int64_t layer, std::int64_t begin, std::int64_t count,
                        const RotaryTable& table) {
  std::vector<float> rows(static_cast<std::size_t>(count * head_dim_));
  const std::vector<std::int64_t> positions(static_cast<std::size_t>(count), 1);
  const TensorView view =
      dense_view(static_cast<void*>(rows.data()), ElementType::f32, {1, count, 1, head_dim_});
  for (std::int64_t head = 0; head < kv_heads_; ++head) {
    widen_keys(layer, head, begin, count, rows.data());
    table.rotate(view, positions);
    round_keys(layer, head, begin, count, rows.data(), head_dim_);
  }
}

std::vector<float> KvCache::row(std::int64_t layer, std::int64_t position) const {
  std::vector<float> row(static_cast<std::size_t>(2 * kv_heads_ * head_dim_));
  float* key = row.data();
  float* value = key + kv_heads_ * head_dim_;
  for (std::int64_t head = 0; head < kv_heads_; ++head, key += head_dim_, value += head_dim_) {
    widen_keys(layer, head, position, 1, key);
    widen_rows(values_, row_at(layer, head, position), 1, value);
  }
  return row;
}

KvCache::StoredRow KvCache::stored_row(std::int64_t layer, std::int64_t position) const {
  StoredRow row;
  for (const Rows* rows : {&keys_, &values_}) {
    for (std::int64_t head = 0; head < kv_heads_; ++head) {
      const std::int64_t at = row_at(layer, head, position);
      const std::byte* elements = rows->elements.data() + at * row_bytes();
      row.elements.insert(row.elements.end(), elements, elements + row_bytes());
      if (has_scales()) row.scales.push_back(rows->scales[at]);
    }
  }
  return row;
}

void KvCache::put_back(std::int64_t layer, std::int64_t position, const StoredRow& row) {
  const std::byte* elements = row.elements.data();
  const float* scale = row.scales.data();
  for (Rows* rows : {&keys_, &values_}) {
    for (std::int64_t head = 0; head < kv_heads_; ++head, elements += row_bytes()) {
      const std::int64_t at = row_at(layer, head, position);
      std::memcpy(rows->elements.data() + at * row_bytes(), elements, bytes(row_bytes()));
      if (has_scales()) rows->scales[at] = *scale++;
    }
  }
}

template <typename Body>
void KvCache::for_each_head(std::int64_t begin, Body body) const {
  const KvBlockLayout layout = block_layout();
  for (std::int64_t layer = 0; layer < layers_; ++layer) {
    for (const bool is_value : {false, true}) {
      for (std::int64_t head = 0; head < kv_heads_; ++head) {
        body(is_value, row_at(layer, head, begin), layout.at(layer, is_value, head));
      }
    }
  }
}

void KvCache::copy_to(std::byte* block, std::int64_t begin, std::int64_t count) const {
  const std::int64_t scales_at = kKvBlockTokens * row_bytes();
  for_each_head(begin, [&](bool is_value, std::int64_t row, std::int64_t at) {
    const Rows& rows = is_value ? values_ : keys_;
    std::byte* head = block + at;
    // A short block keeps nothing of what lay in memory before.
    std::memset(head, 0, bytes(block_layout().head_bytes()));
    std::memcpy(head, rows.elements.data() + row * row_bytes(), bytes(count * row_bytes()));
    if (has_scales()) {
      std::memcpy(head + scales_at, rows.scales.data() + row,
                  bytes(count * std::int64_t{sizeof(float)}));
    }
  });
}

void KvCache::restore(const std::byte* block, std::int64_t first, std::int64_t begin,
                      std::int64_t count) {
  const std::int64_t scales_at = kKvBlockTokens * row_bytes();
  for_each_head(begin, [&](bool is_value, std::int64_t row, std::int64_t at) {
    Rows& rows = is_value ? values_ : keys_;
    const std::byte* head = block + at;
    std::memcpy(rows.elements.data() + row * row_bytes(), head + first * row_bytes(),
                bytes(count * row_bytes()));
    if (has_scales()) {
      std::memcpy(rows.scales.data() + row, head + scales_at + first * std::int64_t{sizeof(float)},
                  bytes(count * std::int64_t{sizeof(float)}));
    }
  });
}

// [outer, length, kv_heads, head_dim], where outer steps over outer_rows rows.
KvCache::View KvCache::view(std::int64_t layer, std::int64_t outer, std::int64_t outer_rows,
                            std::int64_t length) const {
  const std::int64_t first = row_at(layer, 0, 0);
  const auto elements = [&](const Rows& rows) {
    return ConstTensorView{rows.elements.data() + first * row_bytes(),
                           type_,
                           {outer, length, kv_heads_, head_dim_},
                           {outer_rows * head_dim_, head_dim_, rows_ * head_dim_, 1}};
  };
  const auto scales = [&](const Rows& rows) {
    return ConstTensorView{rows.scales.data() + first,
                           ElementType::f32,
                           {outer, length, kv_heads_, 1},
                           {outer_rows, 1, rows_, 1}};
  };
  View view{.keys = elements(keys_), .values = elements(values_), .scales = std::nullopt};
  if (has_scales()) view.scales = CacheScales{scales(keys_), scales(values_)};
  return view;
}

KvCache::View KvCache::first_positions(std::int64_t layer, std::int64_t length) const {
  return view(layer, 1, kv_heads_ * rows_, length);
}

KvCache::View KvCache::all_pages(std::int64_t layer) const {
  return view(layer, pages(), kKvBlockTokens, kKvBlockTokens);
}

}  // namespace whereof::model
