#include "attention/row_block.h"

#include <algorithm>
#include <cmath>

#include "numeric/half.h"

namespace whereof::attention {
namespace {

constexpr float kLog2E = 1.44269504088896340736F;

template <typename T>
void grow(memory::AlignedArray<T>& array, std::int64_t size) {
  if (array.size() < size) array = memory::AlignedArray<T>(size);
}

float element_of(const ConstTensorView& view, std::int64_t at) {
  return view.type == ElementType::f32
             ? static_cast<const float*>(view.data)[at]
             : numeric::float_of_bf16(static_cast<const std::uint16_t*>(view.data)[at]);
}

// The block's queries, transposed: rows into lanes; the padding is zero.
void pack_queries(const Problem& problem, const WorkBlock& block, std::int64_t stride, float* to) {
  std::fill_n(to, problem.head_dim * stride, 0.0F);
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::int64_t flat = block.first_row + r;
    const std::int64_t head = block.kv_head * problem.group_size + flat % problem.group_size;
    const std::int64_t from =
        problem.query.row_offset(block.batch, flat / problem.group_size, head);
    for (std::int64_t d = 0; d < problem.head_dim; ++d) {
      to[d * stride + r] = element_of(problem.query, from + d);
    }
  }
}

struct Rows {
  const float* data;
  std::int64_t stride;
};

// Rows `span` of a key or value head as f32: as they lie, or widened into `scratch`.
Rows float_rows(const kernels::KernelSet& kernels, const ConstTensorView& view,
                const WorkBlock& block, Span span, float* scratch) {
  const std::int64_t at = view.row_offset(block.batch, span.begin, block.kv_head);
  const std::int64_t stride = view.strides[1];
  if (view.type == ElementType::f32) return {static_cast<const float*>(view.data) + at, stride};
  const auto* halves = static_cast<const std::uint16_t*>(view.data) + at;
  const std::int64_t width = view.shape[3];
  for (std::int64_t row = 0; row < span.length(); ++row) {
    kernels.widen_bf16(halves + row * stride, scratch + row * width, width);
  }
  return {scratch, width};
}

// Keeps the best scores of each row. Ties go to the earlier key.
void keep_top(const kernels::KernelSet& kernels, Span tile, Workspace& w, BlockState& state) {
  const std::int64_t found = kernels.find_above({.scores = w.scores.data(),
                                                 .threshold = state.threshold,
                                                 .key_count = tile.length(),
                                                 .columns = state.stride,
                                                 .stride = state.stride,
                                                 .found = w.found.data()});
  for (std::int64_t i = 0; i < found; ++i) {
    const std::int64_t key = w.found[i] >> 16;
    const std::int64_t row = w.found[i] & 0xffffU;
    const float score = w.scores[key * state.stride + row];
    if (!(score > state.threshold[row])) continue;  // beaten by an earlier key of this tile
    ScoredKey* const begin = state.top.data() + row * state.top_keys;
    ScoredKey* at = begin + state.top_keys - 1;
    for (; at > begin && (at[-1].key < 0 || at[-1].score < score); --at) *at = at[-1];
    *at = {score, tile.begin + key};
    const ScoredKey& last = begin[state.top_keys - 1];
    if (last.key >= 0) state.threshold[row] = last.score;
  }
}

void mask_after_visible(const Problem& problem, const kernels::KernelSet& kernels,
                        const WorkBlock& block, Span tile, Workspace& w, std::int64_t stride) {
  for (std::int64_t column = 0; column < stride; ++column) {
    const std::int64_t row = (block.first_row + column) / problem.group_size;
    const std::int64_t seen = problem.visible_keys(row) - tile.begin;
    w.visible[column] = static_cast<float>(std::clamp<std::int64_t>(seen, 0, tile.length()));
  }
  kernels.mask({.scores = w.scores.data(),
                .visible = w.visible.data(),
                .key_count = tile.length(),
                .columns = stride,
                .stride = stride});
}

void softmax_with_bins(const kernels::KernelSet& kernels, Workspace& w, BlockState& state) {
  w.segment_ends.clear();
  for (const Segment& segment : w.segments) w.segment_ends.push_back(segment.end);
  kernels.softmax({.scores = w.scores.data(),
                   .row_max = state.row_max,
                   .row_sum = state.row_sum,
                   .row_dot = state.row_dot,
                   .rescale = w.rescale.data(),
                   .segment_sums = w.segment_sums.data(),
                   .segment_ends = w.segment_ends.data(),
                   .segments = static_cast<std::int64_t>(w.segments.size()),
                   .columns = state.stride,
                   .stride = state.stride});
  if (state.bins == 0) return;
  const auto add = [&](std::int64_t bin, const float* amount) {
    kernels.add_to_bin({.bin_sum = state.bin_sum + bin * state.stride,
                        .bin_max = state.bin_max + bin * state.stride,
                        .amount = amount,
                        .row_max = state.row_max,
                        .columns = state.stride});
  };
  const float* amount = w.segment_sums.data();
  for (const Segment& segment : w.segments) {
    add(segment.bin, amount);
    if (segment.is_sink) add(kSinkBin, amount);
    amount += state.stride;
  }
}

}  // namespace

void BlockState::reset(std::int64_t rows_in, std::int64_t lanes, std::int64_t value_dim_in,
                       std::int64_t bins_in, std::int64_t top_keys_in) {
  rows = rows_in;
  stride = (rows + lanes - 1) / lanes * lanes;
  value_dim = value_dim_in;
  bins = bins_in;
  top_keys = top_keys_in;
  grow(memory_, (value_dim + 4 + 2 * bins) * stride);
  output = memory_.data();
  row_max = output + value_dim * stride;
  row_sum = row_max + stride;
  row_dot = row_sum + stride;
  threshold = row_dot + stride;
  bin_sum = threshold + stride;
  bin_max = bin_sum + bins * stride;
  std::fill_n(output, value_dim * stride, 0.0F);
  std::fill_n(row_max, stride, kernels::kNoMaximum);
  std::fill_n(row_sum, 2 * stride, 0.0F);
  std::fill_n(threshold, rows, kernels::kNoMaximum);
  std::fill(threshold + rows, threshold + stride, HUGE_VALF);
  std::fill_n(bin_sum, bins * stride, 0.0F);
  std::fill_n(bin_max, bins * stride, kernels::kNoMaximum);
  top.assign(static_cast<std::size_t>(rows * top_keys), ScoredKey{});
}

void BlockState::merge(const BlockState& other) {
  std::vector<float> mine(static_cast<std::size_t>(stride), 1.0F);
  std::vector<float> theirs(static_cast<std::size_t>(stride), 0.0F);
  for (std::int64_t r = 0; r < rows; ++r) {
    if (other.row_sum[r] == 0.0F) continue;
    const float merged_max = std::max(row_max[r], other.row_max[r]);
    const float a = row_sum[r] == 0.0F ? 0.0F : std::exp2(row_max[r] - merged_max);
    const float b = std::exp2(other.row_max[r] - merged_max);
    const float my_dot = a == 0.0F ? 0.0F : row_dot[r] + row_sum[r] * (row_max[r] - merged_max);
    const float their_dot = other.row_dot[r] + other.row_sum[r] * (other.row_max[r] - merged_max);
    row_dot[r] = a * my_dot + (b == 0.0F ? 0.0F : b * their_dot);
    row_sum[r] = a * row_sum[r] + b * other.row_sum[r];
    row_max[r] = merged_max;
    mine[static_cast<std::size_t>(r)] = a;
    theirs[static_cast<std::size_t>(r)] = b;
  }
  for (std::int64_t j = 0; j < value_dim; ++j) {
    float* to = output + j * stride;
    const float* from = other.output + j * stride;
    for (std::int64_t c = 0; c < stride; ++c) to[c] = to[c] * mine[c] + from[c] * theirs[c];
  }
  for (std::int64_t r = 0; r < rows && top_keys > 0; ++r) {
    const auto begin = top.begin() + r * top_keys;
    std::vector<ScoredKey> both(begin, begin + top_keys);
    both.insert(both.end(), other.top.begin() + r * top_keys,
                other.top.begin() + (r + 1) * top_keys);
    std::stable_sort(both.begin(), both.end(), [](const ScoredKey& x, const ScoredKey& y) {
      if ((x.key < 0) != (y.key < 0)) return y.key < 0;
      return x.score > y.score;
    });
    std::copy_n(both.begin(), top_keys, begin);
  }
}

void Workspace::reserve(const Problem& problem, std::int64_t block_rows) {
  grow(queries, problem.head_dim * block_rows);
  grow(scores, kTileKeys * block_rows);
  grow(segment_sums, kTileKeys * block_rows);
  grow(rescale, block_rows);
  grow(visible, block_rows);
  grow(found, kTileKeys * block_rows);
  if (problem.key.type == ElementType::f32) return;
  grow(keys, kTileKeys * problem.head_dim);
  grow(values, kTileKeys * problem.value_dim);
}

void run_block(const Problem& problem, const kernels::KernelSet& kernels,
               const EvidenceRequest* request, const WorkBlock& block, Span keys, Workspace& w,
               BlockState& state) {
  const std::int64_t first_row = block.first_row / problem.group_size;
  const std::int64_t last_row = (block.first_row + block.rows - 1) / problem.group_size;
  const std::int64_t seen_by_all = problem.visible_keys(first_row);
  keys.end = std::min(keys.end, problem.visible_keys(last_row));
  SpanWalk walk;
  if (request != nullptr) walk = SpanWalk(request->key_spans, request->sink_length, keys);
  state.reset(block.rows, kernels.lanes, problem.value_dim, walk.bins(),
              request != nullptr ? request->top_keys : 0);
  state.first_span = walk.first_span();
  if (keys.is_empty()) return;
  pack_queries(problem, block, state.stride, w.queries.data());
  for (Span tile{keys.begin, 0}; tile.begin < keys.end; tile.begin = tile.end) {
    tile.end = std::min(tile.begin + kTileKeys, keys.end);
    const Rows key_rows = float_rows(kernels, problem.key, block, tile, w.keys.data());
    kernels.score({.queries = w.queries.data(),
                   .keys = key_rows.data,
                   .scores = w.scores.data(),
                   .key_stride = key_rows.stride,
                   .key_count = tile.length(),
                   .depth = problem.head_dim,
                   .columns = state.stride,
                   .stride = state.stride,
                   .factor = problem.scale * kLog2E});
    if (tile.end > seen_by_all) {
      mask_after_visible(problem, kernels, block, tile, w, state.stride);
    }
    if (state.top_keys > 0) keep_top(kernels, tile, w, state);
    walk.segments_of(tile, w.segments);
    softmax_with_bins(kernels, w, state);
    const Rows value_rows = float_rows(kernels, problem.value, block, tile, w.values.data());
    kernels.value({.weights = w.scores.data(),
                   .values = value_rows.data,
                   .output = state.output,
                   .rescale = w.rescale.data(),
                   .value_stride = value_rows.stride,
                   .key_count = tile.length(),
                   .value_dim = problem.value_dim,
                   .columns = state.stride,
                   .stride = state.stride});
  }
}

}  // namespace whereof::attention
