#include "model/transformer.h"

#include <algorithm>
#include <array>

#include "linear/dequantise.h"
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

}  // namespace

Transformer::Transformer(const LoadedModel& model, InstructionSet set, int threads,
                         std::int64_t block_tokens, std::int64_t capacity)
    : sizes_(model.hyperparameters()),
      weights_(model.weights()),
      instruction_set_(set),
      multiplier_(set, threads, block_tokens, widest_input(sizes_)),
      rotary_(sizes_.rotary_dim, sizes_.rope_base, capacity, sizes_.family->pairing),
      state_(block_tokens * sizes_.width),
      normalised_(block_tokens * sizes_.width),
      query_(block_tokens * sizes_.query_width()),
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
      3 * h.width + 2 * h.query_width() + 2 * h.kv_width() + 2 * h.feed_forward_width;
  constexpr std::int64_t kFloat = sizeof(float);
  return kFloat * block_tokens * floats_of_row + kFloat * capacity * h.rotary_dim +
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

void Transformer::embed(std::span<const TokenId> tokens, std::int64_t start) {
  start_ = start;
  rows_ = static_cast<std::int64_t>(tokens.size());
  positions_.resize(tokens.size());
  const linear::WeightMatrix& embedding = weights_.embedding;
  for (std::int64_t row = 0; row < rows_; ++row) {
    positions_[static_cast<std::size_t>(row)] = start + row;
    linear::dequantise_row(
        embedding.type,
        embedding.data + tokens[static_cast<std::size_t>(row)] * embedding.row_bytes(),
        embedding.columns, state_.data() + row * sizes_.width);
  }
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

void Transformer::add_to_state(const float* change) {
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * sizes_.width; i < end * sizes_.width; ++i) {
      state_[i] += change[i];
    }
  });
}

void Transformer::attend(std::int64_t layer, KvCache& cache, const EvidenceRequest* request,
                         Evidence* evidence) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  const std::array products = {
      linear::Product{weights.query, data_or_null(weights.query_bias), query_.data(),
                      sizes_.query_width()},
      linear::Product{weights.key, data_or_null(weights.key_bias), key_.data(), sizes_.kv_width()},
      linear::Product{weights.value, data_or_null(weights.value_bias), value_.data(),
                      sizes_.kv_width()},
  };
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products);
  const auto query_heads = [&](memory::AlignedArray<float>& rows, std::int64_t begin,
                               std::int64_t end) {
    return dense_view(static_cast<void*>(rows.data() + begin * sizes_.query_width()),
                      ElementType::f32, {1, end - begin, sizes_.query_heads, sizes_.head_dim});
  };
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    const auto positions =
        std::span(positions_)
            .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    float* keys = key_.data() + begin * sizes_.kv_width();
    rotary_.rotate(query_heads(query_, begin, end), positions);
    rotary_.rotate(dense_view(static_cast<void*>(keys), ElementType::f32,
                              {1, end - begin, sizes_.kv_heads, sizes_.head_dim}),
                   positions);
    cache.write(layer, start_ + begin, end - begin, keys,
                value_.data() + begin * sizes_.kv_width());
  });
  AttentionOptions options;
  options.mask.is_causal = true;
  options.threads = multiplier_.threads();
  options.instruction_set = instruction_set_;
  attention_forward(query_heads(query_, 0, rows_), cache.keys(layer, start_ + rows_),
                    cache.values(layer, start_ + rows_), query_heads(attended_, 0, rows_), options,
                    nullptr, request, evidence);
  const linear::Product output{weights.attention_output, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(attended_.data(), sizes_.query_width(), rows_, {&output, 1});
}

void Transformer::feed_forward(const LayerWeights& weights) {
  const std::int64_t wide = sizes_.feed_forward_width;
  const std::array products = {
      linear::Product{weights.gate, nullptr, gate_.data(), wide},
      linear::Product{weights.up, nullptr, up_.data(), wide},
  };
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products);
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    multiplier_.kernels().swiglu(gate_.data() + begin * wide, up_.data() + begin * wide,
                                 (end - begin) * wide, gate_.data() + begin * wide);
  });
  const linear::Product down{weights.down, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(gate_.data(), wide, rows_, {&down, 1});
}

void Transformer::run_layer(std::int64_t layer, KvCache& cache, const EvidenceRequest* request,
                            Evidence* evidence) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  normalise(weights.attention_norm, 0, rows_);
  attend(layer, cache, request, evidence);
  add_to_state(change_.data());
  normalise(weights.feed_forward_norm, 0, rows_);
  feed_forward(weights);
  add_to_state(change_.data());
}

void Transformer::write_logits(std::int64_t first, std::int64_t rows, float* logits) {
  normalise(weights_.output_norm, first, rows);
  const linear::Product head{weights_.head, nullptr, logits, weights_.vocabulary_size};
  multiplier_.multiply(normalised_.data(), sizes_.width, rows, {&head, 1});
}

}  // namespace whereof::model
