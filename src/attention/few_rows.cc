#include "attention/few_rows.h"

#include <algorithm>
#include <cstring>

namespace whereof::attention {
namespace {

std::int64_t whole_vectors(const BlockRun& run, std::int64_t count) {
  return (count + run.kernels.lanes - 1) / run.kernels.lanes * run.kernels.lanes;
}

// Nothing where rows do not lie one after the other: it would fetch other heads' rows.
kernels::Prefetch memory_of(const BlockRun& run, const ConstTensorView& view, Span keys) {
  if (view.strides[1] != view.shape[3] || keys.is_empty()) return {};
  const std::int64_t bytes = bytes_of(view.type);
  const std::int64_t at = view.row_offset(run.block.batch, keys.begin, run.block.kv_head);
  return {.from = static_cast<const char*>(view.data) + at * bytes,
          .bytes = keys.length() * view.shape[3] * bytes};
}

}  // namespace

void FewRows::load_queries(const BlockRun& run) {
  const ConstTensorView& query = run.problem.query;
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    const std::int64_t from = run.row_offset(query, r);
    float* to = run.w.queries.data() + r * run.depth();
    if (run.has_pairs()) {
      std::memcpy(to, static_cast<const std::uint16_t*>(query.data) + from,
                  static_cast<std::size_t>(run.depth()) * sizeof(float));
    } else {
      for (std::int64_t d = 0; d < run.depth(); ++d) to[d] = element_of(query, from + d);
    }
  }
}

void FewRows::transpose_keys(const BlockRun& run, Span tile) {
  const ConstTensorView& key = run.problem.key;
  const bool has_whole_pairs = run.problem.head_dim % 2 == 0 && key.strides[1] % 2 == 0;
  if (key.type == ElementType::bf16 && !run.has_pairs() && has_whole_pairs) {
    const auto* halves = static_cast<const std::uint16_t*>(key.data) +
                         key.row_offset(run.block.batch, tile.begin, run.block.kv_head);
    run.kernels.transpose_bf16({.from = reinterpret_cast<const float*>(halves),
                                .to = run.w.panel.data(),
                                .from_stride = key.strides[1] / 2,
                                .to_stride = kTileKeys,
                                .row_count = tile.length(),
                                .words = run.problem.head_dim / 2});
    return;
  }
  const WordRows keys = key_words(run, tile);
  run.kernels.transpose({.from = keys.data,
                         .to = run.w.panel.data(),
                         .from_stride = keys.stride,
                         .to_stride = kTileKeys,
                         .row_count = tile.length(),
                         .words = run.depth()});
}

void FewRows::score(const BlockRun& run, Span tile) {
  transpose_keys(run, tile);
  run.products.score({.panel = run.w.panel.data(),
                      .rows = run.w.queries.data(),
                      .scores = run.w.scores.data(),
                      .row_stride = run.depth(),
                      .row_count = run.block.rows,
                      .depth = run.depth(),
                      .columns = whole_vectors(run, tile.length()),
                      .stride = kTileKeys,
                      .factor = run.score_factor(),
                      .next = memory_of(run, run.problem.value, tile)});
}

void FewRows::cap(const BlockRun& run, Span tile) {
  run.kernels.cap({.scores = run.w.scores.data(),
                   .lines = run.block.rows,
                   .columns = whole_vectors(run, tile.length()),
                   .stride = kTileKeys,
                   .factor = run.cap_factor()});
}

void FewRows::mask(const BlockRun& run, Span tile) {
  const std::int64_t end = whole_vectors(run, tile.length());
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    float* scores = run.w.scores.data() + r * kTileKeys;
    const VisibleKeys seen = run.visible_keys(r, tile);
    std::fill(scores, scores + seen.sinks.begin, kernels::kMaskedScore);
    std::fill(scores + seen.sinks.end, scores + seen.keys.begin, kernels::kMaskedScore);
    std::fill(scores + seen.keys.end, scores + end, kernels::kMaskedScore);
  }
}

std::int64_t FewRows::find_above_threshold(const BlockRun& run, Span tile) {
  return run.kernels.row_find_above({.scores = run.w.scores.data(),
                                     .threshold = run.state.threshold,
                                     .lines = run.block.rows,
                                     .columns = whole_vectors(run, tile.length()),
                                     .stride = kTileKeys,
                                     .found = run.w.found.data()});
}

void FewRows::softmax(const BlockRun& run, Span tile) {
  run.kernels.row_softmax({.scores = run.w.scores.data(),
                           .row_max = run.state.row_max,
                           .row_sum = run.state.row_sum,
                           .row_dot = run.state.row_dot,
                           .rescale = run.w.rescale.data(),
                           .segment_sums = run.w.segment_sums.data(),
                           .segment_ends = run.w.segment_ends.data(),
                           .segments = static_cast<std::int64_t>(run.w.segment_ends.size()),
                           .rows = run.block.rows,
                           .score_stride = kTileKeys,
                           .stride = run.state.stride});
  if (run.has_pairs()) {
    run.kernels.pair_packing.pack_rows(run.w.scores.data(), run.block.rows,
                                       whole_vectors(run, tile.length()), kTileKeys);
  }
}

// The tile's values with rows of whole vectors, in the words that `row_value` takes.
FewRows::ValueRows FewRows::value_rows(const BlockRun& run, Span tile) {
  const ConstTensorView& value = run.problem.value;
  const std::int64_t width = run.problem.value_dim;
  const std::int64_t stride = run.state.value_stride;
  const std::int64_t at = value.row_offset(run.block.batch, tile.begin, run.block.kv_head);
  float* scratch = run.w.values.data();
  if (run.has_pairs()) {
    interleave_values(run, tile, scratch, stride);
    return {scratch, stride, run.products.row_value};
  }
  if (value.type == ElementType::bf16) {
    if (stride == width) {
      return {static_cast<const std::uint16_t*>(value.data) + at, value.strides[1],
              run.kernels.row_value_bf16};
    }
    widen_rows(run, value, tile, scratch, stride);
    return {scratch, stride, run.products.row_value};
  }
  const float* from = static_cast<const float*>(value.data) + at;
  if (stride == width) return {from, value.strides[1], run.products.row_value};
  for (std::int64_t key = 0; key < tile.length(); ++key) {
    std::copy_n(from + key * value.strides[1], width, scratch + key * stride);
  }
  return {scratch, stride, run.products.row_value};
}

void FewRows::add_values(const BlockRun& run, Span tile) {
  const std::int64_t per_word = run.products.elements_per_word;
  const ValueRows rows = value_rows(run, tile);
  const Span next{tile.end, std::min(tile.end + kTileKeys, run.problem.key_length)};
  rows.row_value({.weights = run.w.scores.data(),
                  .values = rows.data,
                  .output = run.state.output,
                  .rescale = run.w.rescale.data(),
                  .weight_stride = kTileKeys,
                  .value_stride = rows.stride,
                  .output_stride = run.state.value_stride,
                  .key_count = (tile.length() + per_word - 1) / per_word,
                  .rows = run.block.rows,
                  .columns = run.state.value_stride,
                  .next = memory_of(run, run.problem.key, next)});
}

}  // namespace whereof::attention
