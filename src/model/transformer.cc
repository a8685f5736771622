#include "model/transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "linear/dequantise.h"
#include "model/injected_fault.h"
#include "numeric/half.h"
#include "parallel/thread_pool.h"
#include "whereof/attention.h"

namespace whereof::model {
namespace {

constexpr std::int64_t kRowsOfItem = 16;
// Of the vocabulary, whose logits are there at a time: as many for any number of rows, since sums
// are rounded where a panel ends.
constexpr std::int64_t kVocabularyPanel = 32 * linear::kPanelRows;
constexpr std::int64_t kFewRowsOfPart = 16;  // up to here a part is not shared among threads

std::int64_t widest_input(const Hyperparameters& h) {
  return std::max({h.width, h.query_width(), h.feed_forward_width});
}

const float* data_or_null(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

}  // namespace

Transformer::Transformer(const LoadedModel& model, InstructionSet set, int threads,
                         std::int64_t block_tokens)
    : sizes_(model.hyperparameters()),
      weights_(model.weights()),
      instruction_set_(set),
      multiplier_(set, threads, std::max(block_tokens, kLogitRows), widest_input(sizes_)),
      state_(block_tokens * sizes_.width),
      normalised_(std::max(block_tokens, kLogitRows) * sizes_.width),
      query_(block_tokens * sizes_.query_width()),
      query_bf16_(block_tokens * sizes_.query_width()),
      key_(block_tokens * sizes_.kv_width()),
      value_(block_tokens * sizes_.kv_width()),
      attended_(block_tokens * sizes_.query_width()),
      change_(block_tokens * sizes_.width),
      gate_(block_tokens * sizes_.feed_forward_width),
      up_(block_tokens * sizes_.feed_forward_width),
      logits_(kLogitRows * weights_.vocabulary_size) {
  positions_.reserve(static_cast<std::size_t>(block_tokens));
}

std::int64_t Transformer::bytes_needed(const LoadedModel& model, InstructionSet set, int threads,
                                       std::int64_t block_tokens) {
  const Hyperparameters& h = model.hyperparameters();
  const std::int64_t floats_of_row =
      3 * h.width + 3 * h.query_width() + 2 * h.kv_width() + 2 * h.feed_forward_width;
  const std::int64_t floats =
      block_tokens * floats_of_row + kLogitRows * model.weights().vocabulary_size;
  return static_cast<std::int64_t>(sizeof(float)) * floats +
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

template <typename Body>
void Transformer::for_parts(std::int64_t begin, std::int64_t end, Body body) {
  std::int64_t first = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::int64_t next = first + std::ssize(parts_[part].tokens);
    const PartRows rows{part, first, std::max(begin, first), std::min(end, next)};
    if (rows.begin < rows.end) body(rows);
    first = next;
  }
}

template <typename Work>
void Transformer::guard(std::size_t part, Work work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failures_[part]) failures_[part] = std::current_exception();
  }
}

void Transformer::embed(std::span<const BlockPart> parts, linear::ProductWay way) {
  way_ = way;
  parts_.assign(parts.begin(), parts.end());
  failures_.assign(parts.size(), nullptr);
  positions_.clear();
  const linear::WeightMatrix& embedding = weights_.embedding;
  float* state = state_.data();
  for (const BlockPart& part : parts) {
    const Sequence& sequence = *part.sequence;
    const auto rows = static_cast<std::int64_t>(part.tokens.size());
    for (std::int64_t row = 0; row < rows; ++row, state += sizes_.width) {
      positions_.push_back(
          rotated_position(sequence.fault, part.start + row, rows, sequence.rotations.length()));
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

void Transformer::remove_part(std::size_t part) {
  std::int64_t first = 0;
  for (std::size_t i = 0; i < part; ++i) first += std::ssize(parts_[i].tokens);
  const std::int64_t next = first + std::ssize(parts_[part].tokens);
  float* state = state_.data();
  std::copy(state + next * sizes_.width, state + rows_ * sizes_.width,
            state + first * sizes_.width);
  positions_.erase(positions_.begin() + first, positions_.begin() + next);
  parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(part));
  failures_.erase(failures_.begin() + static_cast<std::ptrdiff_t>(part));
  rows_ -= next - first;
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

TensorView Transformer::heads_of(memory::AlignedArray<float>& rows, std::int64_t heads,
                                 std::int64_t begin, std::int64_t end) const {
  return dense_view(static_cast<void*>(rows.data() + begin * heads * sizes_.head_dim),
                    ElementType::f32, {1, end - begin, heads, sizes_.head_dim});
}

void Transformer::project(std::int64_t layer) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  const std::array products = {
      linear::Product{weights.query, data_or_null(weights.query_bias), query_.data(),
                      sizes_.query_width()},
      linear::Product{weights.key, data_or_null(weights.key_bias), key_.data(), sizes_.kv_width()},
      linear::Product{weights.value, data_or_null(weights.value_bias), value_.data(),
                      sizes_.kv_width()},
  };
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products, way_);
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    for_parts(begin, end,
              [&](const PartRows& rows) { guard(rows.part, [&] { place(layer, rows); }); });
  });
  for_parts(0, rows_, [&](const PartRows& rows) {
    if (parts_[rows.part].sequence->fault == InjectedFault::shifted_cache) shift_cache(layer, rows);
  });
}

void Transformer::place(std::int64_t layer, const PartRows& rows) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  const BlockPart& part = parts_[rows.part];
  const std::int64_t count = rows.end - rows.begin;
  const auto normalise_heads = [&](const std::vector<float>& weight, float* heads,
                                   std::int64_t head_count) {
    if (weight.empty()) return;
    for (std::int64_t i = 0; i < head_count; ++i) {
      float* head = heads + i * sizes_.head_dim;
      multiplier_.kernels().rms_norm(head, weight.data(), sizes_.head_dim, sizes_.norm_epsilon,
                                     head);
    }
  };
  float* queries = query_.data() + rows.begin * sizes_.query_width();
  float* keys = key_.data() + rows.begin * sizes_.kv_width();
  normalise_heads(weights.query_norm, queries, count * sizes_.query_heads);
  normalise_heads(weights.key_norm, keys, count * sizes_.kv_heads);
  const auto positions =
      std::span(positions_)
          .subspan(static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(count));
  const RotaryTable& table = part.sequence->rotations.of_layer(layer);
  table.rotate(heads_of(query_, sizes_.query_heads, rows.begin, rows.end), positions);
  table.rotate(heads_of(key_, sizes_.kv_heads, rows.begin, rows.end), positions);
  KvCache& cache = part.sequence->cache;
  if (cache.key_units(layer) != nullptr) {
    multiply_queries(cache.key_units(layer), rows.begin, rows.end);
  }
  for (std::int64_t i = 0; i < count * sizes_.query_width(); ++i) {
    query_bf16_[rows.begin * sizes_.query_width() + i] = numeric::bf16_of_float(queries[i]);
  }
  cache.write(layer, part.pages, part.start + rows.begin - rows.first, count, keys,
              value_.data() + rows.begin * sizes_.kv_width());
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

void Transformer::shift_cache(std::int64_t layer, const PartRows& rows) const {
  const BlockPart& part = parts_[rows.part];
  const std::int64_t skipped = part.start > 0 ? 0 : 1;
  const std::int64_t from = (rows.begin + skipped) * sizes_.kv_width();
  part.sequence->cache.write(layer, part.pages, part.start + skipped - 1,
                             rows.end - rows.begin - skipped, key_.data() + from,
                             value_.data() + from);
}

// Each part is an item of work, but one that is longer than a thread's fair share of all: that has
// all threads for itself. So have those that would be left for the last round, where all are alike
// and of many rows.
void Transformer::attend_all(std::int64_t layer) {
  std::vector<PartRows> parts;
  std::int64_t all = 0;
  const auto work_of = [&](const PartRows& rows) {
    return (parts_[rows.part].start + rows.end - rows.begin) * (rows.end - rows.begin);
  };
  for_parts(0, rows_, [&](const PartRows& rows) {
    parts.push_back(rows);
    all += work_of(rows);
  });
  const auto run = [&](const PartRows& rows) {
    if (failures_[rows.part]) return;
    guard(rows.part, [&] { attend(layer, parts_[rows.part], rows.first); });
  };
  std::erase_if(parts, [&](const PartRows& rows) {
    const bool is_long = parts.size() == 1 || work_of(rows) * multiplier_.threads() > all;
    if (is_long) run(rows);
    return is_long;
  });
  std::stable_sort(parts.begin(), parts.end(), [&](const PartRows& one, const PartRows& other) {
    return work_of(one) > work_of(other);
  });
  while (!parts.empty() && std::ssize(parts) % multiplier_.threads() != 0 &&
         parts.back().end - parts.back().first > kFewRowsOfPart &&
         work_of(parts.back()) == work_of(parts.front())) {
    run(parts.back());
    parts.pop_back();
  }
  parallel::ThreadPool::process().for_each(
      std::ssize(parts), multiplier_.threads(),
      [&](std::int64_t item, int) { run(parts[static_cast<std::size_t>(item)]); });
}

void Transformer::attend(std::int64_t layer, const BlockPart& part, std::int64_t first) {
  const KvCache& cache = part.sequence->cache;
  const InjectedFault fault = part.sequence->fault;
  const auto rows = static_cast<std::int64_t>(part.tokens.size());
  const std::int64_t keys = part.start + rows;
  AttentionOptions options;
  options.scale = scale_with(fault, sizes_.score_scale, sizes_.head_dim);
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
  model::attend(fault, {.query = queries,
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
  multiplier_.multiply(normalised_.data(), sizes_.width, rows_, products, way_);
  const linear::LinearKernels& kernels = multiplier_.kernels();
  const auto gated = sizes_.family->activation == Activation::gelu ? kernels.geglu : kernels.swiglu;
  for_rows(rows_, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float* gate = gate_.data() + row * wide;
      gated(gate, up_.data() + row * wide, wide, gate);
    }
  });
  const linear::Product down{weights.down, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(gate_.data(), wide, rows_, {&down, 1}, way_);
}

void Transformer::run_layer(std::int64_t layer) {
  const LayerWeights& weights = weights_.layers[static_cast<std::size_t>(layer)];
  normalise(weights.attention_norm, 0, rows_);
  project(layer);
  attend_all(layer);
  const linear::Product output{weights.attention_output, nullptr, change_.data(), sizes_.width};
  multiplier_.multiply(attended_.data(), sizes_.query_width(), rows_, {&output, 1}, way_);
  add_to_state(weights.post_attention_norm);
  normalise(weights.feed_forward_norm, 0, rows_);
  feed_forward(weights);
  add_to_state(weights.post_feed_forward_norm);
}

void Transformer::write_logits(std::int64_t first, std::int64_t rows, float* logits) {
  normalise(weights_.output_norm, first, rows);
  multiply_head(rows, linear::Multiplier::way_of(rows), logits);
}

void Transformer::write_logits(std::span<const LogitRow> rows) {
  const std::int64_t size = weights_.vocabulary_size;
  while (!rows.empty()) {
    const auto some = rows.first(std::min<std::size_t>(rows.size(), kLogitRows));
    rows = rows.subspan(some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      normalise_for_head(some[i].row, static_cast<std::int64_t>(i));
    }
    const bool is_single = some.size() == 1;
    multiply_head(std::ssize(some), linear::ProductWay::few_rows,
                  is_single ? some[0].to : logits_.data());
    if (is_single) continue;
    parallel::ThreadPool::process().for_each(
        std::ssize(some), multiplier_.threads(), [&](std::int64_t i, int) {
          std::copy_n(logits_.data() + i * size, size, some[static_cast<std::size_t>(i)].to);
        });
  }
}

void Transformer::normalise_for_head(std::int64_t row, std::int64_t to) noexcept {
  multiplier_.kernels().rms_norm(state_.data() + row * sizes_.width, weights_.output_norm.data(),
                                 sizes_.width, sizes_.norm_epsilon,
                                 normalised_.data() + to * sizes_.width);
}

void Transformer::multiply_head(std::int64_t rows, linear::ProductWay way, float* logits) {
  const std::int64_t size = weights_.vocabulary_size;
  const linear::Product head{weights_.head, nullptr, logits, size};
  multiplier_.multiply(normalised_.data(), sizes_.width, rows, {&head, 1}, way);
  if (sizes_.logit_soft_cap == 0) return;
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      multiplier_.kernels().soft_cap(logits + row * size, size, sizes_.logit_soft_cap);
    }
  });
}

namespace {

// exp of the logits of a row so far, summed, and the logit of the token that is wanted.
struct RowSum {
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;  // of exp(logit - largest)
  double logit = 0;

  void add(double more_largest, double more_sum) {
    const double top = std::max(largest, more_largest);
    sum = sum * std::exp(largest - top) + more_sum * std::exp(more_largest - top);
    largest = top;
  }
  double log_probability() const { return logit - largest - std::log(sum); }
};

}  // namespace

void Transformer::write_log_probabilities(std::span<const FollowingToken> wanted) {
  const std::int64_t panel = std::min(weights_.vocabulary_size, kVocabularyPanel);
  const auto most = static_cast<std::size_t>(kLogitRows * weights_.vocabulary_size / panel);
  while (!wanted.empty()) {
    const auto some = wanted.first(std::min(wanted.size(), most));
    write_some_log_probabilities(some, panel);
    wanted = wanted.subspan(some.size());
  }
}

void Transformer::write_some_log_probabilities(std::span<const FollowingToken> wanted,
                                               std::int64_t panel) {
  const auto rows = std::ssize(wanted);
  const linear::WeightMatrix& head = weights_.head;
  const linear::LinearKernels& kernels = multiplier_.kernels();
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      normalise_for_head(wanted[static_cast<std::size_t>(i)].row, i);
    }
  });
  std::vector<RowSum> sums(wanted.size());
  for (std::int64_t first = 0; first < head.rows; first += panel) {
    const std::int64_t count = std::min(panel, head.rows - first);
    const linear::WeightMatrix some{head.type, head.data + first * head.row_bytes(), count,
                                    head.columns};
    const linear::Product product{some, nullptr, logits_.data(), count};
    multiplier_.multiply(normalised_.data(), sizes_.width, rows, {&product, 1},
                         linear::ProductWay::many_rows);
    for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        float* logits = logits_.data() + i * count;
        RowSum& row = sums[static_cast<std::size_t>(i)];
        if (sizes_.logit_soft_cap != 0) kernels.soft_cap(logits, count, sizes_.logit_soft_cap);
        float largest = 0;
        float sum = 0;
        kernels.exp_sum(logits, count, &largest, &sum);
        row.add(static_cast<double>(largest), static_cast<double>(sum));
        const std::int64_t place = wanted[static_cast<std::size_t>(i)].token - first;
        if (place >= 0 && place < count) row.logit = static_cast<double>(logits[place]);
      }
    });
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    *wanted[i].log_probability = sums[i].log_probability();
  }
}

}  // namespace whereof::model
