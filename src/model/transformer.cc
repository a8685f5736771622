#include "model/transformer.h"

#include <algorithm>
#include <array>

#include "linear/dequantise.h"
#include "model/injected_fault.h"
#include "numeric/half.h"
#include "parallel/thread_pool.h"
#include "whereof/attention.h"

namespace whereof::model {
namespace {

constexpr std::int64_t kRowsOfItem = 16;

std::int64_t widest_input(const Hyperparameters& h) {
  return std::max({h.width, h.query_width(), h.feed_forward_width});
}

const float* data_or_null(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

RotaryTable full_rotary(const Hyperparameters& h, std::int64_t capacity, std::int64_t length) {
  const auto [thetas, magnitude] =
      scaled_thetas(h.rotary_scaling, h.rotary_dim, h.rope_base, capacity);
  return {thetas, magnitude, length, h.family->pairing};
}

// Where windowed layers rotate by a base of their own, the scaling is of the other layers only.
bool has_window_rotary(const Hyperparameters& h) {
  return h.window_rope_base != h.rope_base &&
         std::find(h.has_window.begin(), h.has_window.end(), true) != h.has_window.end();
}

std::optional<RotaryTable> window_rotary(const Hyperparameters& h, std::int64_t length) {
  if (!has_window_rotary(h)) return std::nullopt;
  return RotaryTable(h.rotary_dim, h.window_rope_base, length, h.family->pairing);
}

}  // namespace

Transformer::Transformer(const LoadedModel& model, InstructionSet set, int threads,
                         std::int64_t block_tokens, std::int64_t capacity, InjectedFault fault)
    : sizes_(model.hyperparameters()),
      weights_(model.weights()),
      instruction_set_(set),
      multiplier_(set, threads, block_tokens, widest_input(sizes_)),
      rotary_(full_rotary(sizes_, capacity, rotary_length_with(fault, capacity))),
      window_rotary_(window_rotary(sizes_, rotary_length_with(fault, capacity))),
      fault_(fault),
      state_(block_tokens * sizes_.width),
      normalised_(block_tokens * sizes_.width),
      query_(block_tokens * sizes_.query_width()),
      query_bf16_(block_tokens * sizes_.query_width()),
      key_(block_tokens * sizes_.kv_width()),
      value_(block_tokens * sizes_.kv_width()),
      attended_(block_tokens * sizes_.query_width()),
      change_(block_tokens * sizes_.width),
      gate_(block_tokens * sizes_.feed_forward_width),
      up_(block_tokens * sizes_.feed_forward_width) {
  positions_.reserve(static_cast<std::size_t>(block_tokens));
}

std::int64_t Transformer::bytes_needed(const LoadedModel& model, InstructionSet set, int threads,
                                       std::int64_t block_tokens, std::int64_t capacity) {
  const Hyperparameters& h = model.hyperparameters();
  const std::int64_t floats_of_row =
      3 * h.width + 3 * h.query_width() + 2 * h.kv_width() + 2 * h.feed_forward_width;
  constexpr std::int64_t kFloat = sizeof(float);
  const std::int64_t rotary_tables = has_window_rotary(h) ? 2 : 1;
  return kFloat * block_tokens * floats_of_row + kFloat * capacity * h.rotary_dim * rotary_tables +
         linear::Multiplier::bytes_needed(set, threads, block_tokens, widest_input(h));
}

template <typename Body>
void Transformer::for_rows(std::int64_t rows, Body body) const {
  if (rows <= kRowsOfItem) {
    body(0, rows);
    return;
  }
  const std::int64_t items = (rows + kRowsOfItem - 1) / kRowsOfItem;
  parallel::ThreadPool::process().for_each(
      items, multiplier_.threads(), [&](std::int64_t item, int) {
        body(item * kRowsOfItem, std::min(rows, (item + 1) * kRowsOfItem));
      });
}

// Without the magnitude: a key that was rotated before has it already.
RotaryTable Transformer::rotation_by(std::int64_t layer, std::int64_t positions) const {
  std::vector<double> angles = sizes_.rotary_thetas_of(layer, rotary_.length()).thetas;
  for (double& angle : angles) angle *= static_cast<double>(positions);
  return {angles, 1.0, 2, sizes_.family->pairing};
}

void Transformer::embed(std::span<const BlockPart> parts) {
  parts_.assign(parts.begin(), parts.end());
  positions_.clear();
  const linear::WeightMatrix& embedding = weights_.embedding;
  float* state = state_.data();
  for (const BlockPart& part : parts) {
    const auto rows = static_cast<std::int64_t>(part.tokens.size());
    for (std::int64_t row = 0; row < rows; ++row, state += sizes_.width) {
      positions_.push_back(rotated_position(fault_, part.start + row, rows, rotary_.length()));
      linear::dequantise_row(
          embedding.type,
          embedding.data + part.tokens[static_cast<std::size_t>(row)] * embedding.row_bytes(),
          embedding.columns, state);
      if (sizes_.embedding_scale == 1) continue;
      for (std::int64_t i = 0; i < sizes_.width; ++i) state[i] *= sizes_.embedding_scale;
    }
  }
  rows_ = static_cast<std::int64_t>(positions_.size());
}

void Transformer::normalise(const std::vector<float>& weight, std::int64_t first,
                            std::int64_t rows) {
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      multiplier_.kernels().rms_norm(state_.data() + (first + row) * sizes_.width, weight.data(),
                                     sizes_.width, sizes_.norm_epsilon,
                                     normalised_.data() + row * sizes_.width);
    }
  });
}

void Transformer::add_to_state(const std::vector<float>& post_norm) {
  const std::int64_t width = sizes_.width;
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float* change = change_.data() + row * width;
      if (!post_norm.empty()) {
        multiplier_.kernels().rms_norm(change, post_norm.data(), width, sizes_.norm_epsilon,
                                       change);
      }
      for (std::int64_t i = 0; i < width; ++i) state_[row * width + i] += change[i];
    }
  });
}

const RotaryTable& Transformer::rotary(std::int64_t layer) const {
  return window_rotary_ && has_window(layer) ? *window_rotary_ : rotary_;
}

TensorView Transformer::heads_of(memory::AlignedArray<float>& rows, std::int64_t heads,
                                 std::int64_t begin, std::int64_t end) const {
  return dense_view(static_cast<void*>(rows.data() + begin * heads * sizes_.head_dim),
                    ElementType::f32, {1, end - begin, heads, sizes_.head_dim});
}

void Transformer::project(std::int64_t layer, KvCache& cache) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  const std::array products = {
      linear::Product{weights.query, data_or_null(weights.query_bias), query_.data(),
                      sizes_.query_width()},
      linear::Product{weights.key, data_or_null(weights.key_bias), key_.data(), sizes_.kv_width()},
      linear::Product{weights.value, data_or_null(weights.value_bias), value_.data(),
                      sizes_.kv_width()},
  };
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products);
  const auto normalise_heads = [&](const std::vector<float>& weight, float* heads,
                                   std::int64_t count) {
    if (weight.empty()) return;
    for (std::int64_t i = 0; i < count; ++i) {
      float* head = heads + i * sizes_.head_dim;
      multiplier_.kernels().rms_norm(head, weight.data(), sizes_.head_dim, sizes_.norm_epsilon,
                                     head);
    }
  };
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t count = end - begin;
    const auto positions =
        std::span(positions_)
            .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    float* keys = key_.data() + begin * sizes_.kv_width();
    normalise_heads(weights.query_norm, query_.data() + begin * sizes_.query_width(),
                    count * sizes_.query_heads);
    normalise_heads(weights.key_norm, keys, count * sizes_.kv_heads);
    rotary(layer).rotate(heads_of(query_, sizes_.query_heads, begin, end), positions);
    rotary(layer).rotate(heads_of(key_, sizes_.kv_heads, begin, end), positions);
    if (cache.key_units(layer) != nullptr) multiply_queries(cache.key_units(layer), begin, end);
    for (std::int64_t i = begin * sizes_.query_width(); i < end * sizes_.query_width(); ++i) {
      query_bf16_[i] = numeric::bf16_of_float(query_[i]);
    }
    write_cache(layer, cache, begin, end);
  });
  if (fault_ == InjectedFault::shifted_cache) shift_cache(layer, cache);
}

void Transformer::multiply_queries(const float* key_units, std::int64_t begin, std::int64_t end) {
  const std::int64_t group = sizes_.query_heads / sizes_.kv_heads;
  float* query = query_.data() + begin * sizes_.query_width();
  for (std::int64_t row = begin; row < end; ++row) {
    for (std::int64_t head = 0; head < sizes_.query_heads; ++head, query += sizes_.head_dim) {
      const float* units = key_units + head / group * sizes_.head_dim;
      for (std::int64_t i = 0; i < sizes_.head_dim; ++i) query[i] *= units[i];
    }
  }
}

void Transformer::write_cache(std::int64_t layer, KvCache& cache, std::int64_t begin,
                              std::int64_t end) const {
  std::int64_t first = 0;  // row of the part
  for (const BlockPart& part : parts_) {
    const std::int64_t next = first + static_cast<std::int64_t>(part.tokens.size());
    const std::int64_t from = std::max(begin, first);
    const std::int64_t to = std::min(end, next);
    if (from < to) {
      cache.write(layer, part.pages, part.start + from - first, to - from,
                  key_.data() + from * sizes_.kv_width(), value_.data() + from * sizes_.kv_width());
    }
    first = next;
  }
}

void Transformer::shift_cache(std::int64_t layer, KvCache& cache) const {
  std::int64_t first = 0;  // row of the part
  for (const BlockPart& part : parts_) {
    const auto rows = static_cast<std::int64_t>(part.tokens.size());
    const std::int64_t skipped = part.start > 0 ? 0 : 1;
    const std::int64_t from = (first + skipped) * sizes_.kv_width();
    cache.write(layer, part.pages, part.start + skipped - 1, rows - skipped, key_.data() + from,
                value_.data() + from);
    first += rows;
  }
}

void Transformer::attend(std::int64_t layer, const KvCache& cache, const BlockPart& part,
                         std::int64_t first) {
  const auto rows = static_cast<std::int64_t>(part.tokens.size());
  const std::int64_t keys = part.start + rows;
  AttentionOptions options;
  options.scale = scale_with(fault_, sizes_.score_scale, sizes_.head_dim);
  options.soft_cap = sizes_.score_soft_cap;
  options.mask.is_causal = true;
  const bool hides_keys = has_window(layer) && sizes_.attention_window < keys;
  options.mask.window = hides_keys ? sizes_.attention_window : 0;
  if (part.hidden != nullptr) options.mask.hidden = *part.hidden;
  options.threads = multiplier_.threads();
  options.instruction_set = instruction_set_;
  if (part.pages != nullptr) {
    const std::int64_t pages = (keys + kKvBlockTokens - 1) / kKvBlockTokens;
    options.key_pages = {.table = part.pages, .pages_per_sequence = pages, .key_length = keys};
  }
  const ConstTensorView queries =
      dense_view(static_cast<const void*>(query_bf16_.data() + first * sizes_.query_width()),
                 ElementType::bf16, {1, rows, sizes_.query_heads, sizes_.head_dim});
  const KvCache::View read =
      part.pages != nullptr ? cache.all_pages(layer) : cache.first_positions(layer, keys);
  options.cache_scales = read.scales;
  model::attend(fault_, {.query = queries,
                         .key = read.keys,
                         .value = read.values,
                         .output = heads_of(attended_, sizes_.query_heads, first, first + rows),
                         .options = options,
                         .start = part.start,
                         .request = part.request,
                         .evidence = part.evidence});
}

void Transformer::feed_forward(const LayerWeights& weights) {
  const std::int64_t wide = sizes_.feed_forward_width;
  const std::array products = {
      linear::Product{weights.gate, nullptr, gate_.data(), wide},
      linear::Product{weights.up, nullptr, up_.data(), wide},
  };
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products);
  const linear::LinearKernels& kernels = multiplier_.kernels();
  const auto gated = sizes_.family->activation == Activation::gelu ? kernels.geglu : kernels.swiglu;
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    float* gate = gate_.data() + begin * wide;
    gated(gate, up_.data() + begin * wide, (end - begin) * wide, gate);
  });
  const linear::Product down{weights.down, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(gate_.data(), wide, rows_, {&down, 1});
}

void Transformer::run_layer(std::int64_t layer, KvCache& cache) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  normalise(weights.attention_norm, 0, rows_);
  project(layer, cache);
  std::int64_t first = 0;
  for (const BlockPart& part : parts_) {
    attend(layer, cache, part, first);
    first += static_cast<std::int64_t>(part.tokens.size());
  }
  const linear::Product output{weights.attention_output, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(attended_.data(), sizes_.query_width(), rows_, {&output, 1});
  add_to_state(weights.post_attention_norm);
  normalise(weights.feed_forward_norm, 0, rows_);
  feed_forward(weights);
  add_to_state(weights.post_feed_forward_norm);
}

void Transformer::write_logits(std::int64_t first, std::int64_t rows, float* logits) {
  normalise(weights_.output_norm, first, rows);
  const linear::Product head{weights_.head, nullptr, logits, weights_.vocabulary_size};
  multiplier_.multiply(normalised_.data(), sizes_.width, rows, {&head, 1});
  if (sizes_.logit_soft_cap == 0) return;
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    multiplier_.kernels().soft_cap(logits + begin * weights_.vocabulary_size,
                                   (end - begin) * weights_.vocabulary_size, sizes_.logit_soft_cap);
  });
}

}  // namespace whereof::model
