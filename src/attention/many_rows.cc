#include "attention/many_rows.h"

#include <algorithm>
#include <cstring>

#include "numeric/half.h"

namespace whereof::attention {

void ManyRows::load_queries(const BlockRun& run) {
  const std::int64_t stride = run.state.stride;
  const std::int64_t depth = run.depth();
  float* const to = run.w.queries.data();
  std::fill_n(to, depth * stride, 0.0F);
  const ConstTensorView& query = run.problem.query;
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    const std::int64_t from = row_offset(run.problem, query, run.block, r);
    if (run.has_pairs()) {
      const auto* halves = static_cast<const std::uint16_t*>(query.data) + from;
      for (std::int64_t d = 0; d < depth; ++d) {
        std::memcpy(to + d * stride + r, halves + 2 * d, sizeof(float));
      }
    } else {
      for (std::int64_t d = 0; d < depth; ++d) to[d * stride + r] = element_of(query, from + d);
    }
  }
}

void ManyRows::score(const BlockRun& run, Span tile) {
  const WordRows keys = key_words(run, tile);
  run.products.score({.panel = run.w.queries.data(),
                      .rows = keys.data,
                      .scores = run.w.scores.data(),
                      .row_stride = keys.stride,
                      .row_count = tile.length(),
                      .depth = run.depth(),
                      .columns = run.state.stride,
                      .stride = run.state.stride,
                      .factor = run.score_factor()});
}

void ManyRows::cap(const BlockRun& run, Span tile) {
  run.kernels.cap({.scores = run.w.scores.data(),
                   .lines = tile.length(),
                   .columns = run.state.stride,
                   .stride = run.state.stride,
                   .factor = run.cap_factor()});
}

void ManyRows::mask(const BlockRun& run, Span tile) {
  const std::int64_t stride = run.state.stride;
  float* const bounds[4] = {run.w.visible.data(), run.w.visible.data() + stride,
                            run.w.visible.data() + 2 * stride, run.w.visible.data() + 3 * stride};
  for (std::int64_t r = 0; r < stride; ++r) {
    const VisibleKeys seen = run.visible_keys(r, tile);
    bounds[0][r] = static_cast<float>(seen.sinks.begin);
    bounds[1][r] = static_cast<float>(seen.sinks.end);
    bounds[2][r] = static_cast<float>(seen.keys.begin);
    bounds[3][r] = static_cast<float>(seen.keys.end);
  }
  run.kernels.mask({.scores = run.w.scores.data(),
                    .sinks_begin = bounds[0],
                    .sinks_end = bounds[1],
                    .begin = bounds[2],
                    .end = bounds[3],
                    .key_count = tile.length(),
                    .columns = run.state.stride,
                    .stride = run.state.stride});
}

std::int64_t ManyRows::find_above_threshold(const BlockRun& run, Span tile) {
  return run.kernels.find_above({.scores = run.w.scores.data(),
                                 .threshold = run.state.threshold,
                                 .lines = tile.length(),
                                 .columns = run.state.stride,
                                 .stride = run.state.stride,
                                 .found = run.w.found.data()});
}

void ManyRows::softmax(const BlockRun& run, Span) {
  const auto softmax = run.has_pairs() ? run.kernels.pair_packing.softmax : run.kernels.softmax;
  softmax({.scores = run.w.scores.data(),
           .row_max = run.state.row_max,
           .row_sum = run.state.row_sum,
           .row_dot = run.state.row_dot,
           .rescale = run.w.rescale.data(),
           .segment_sums = run.w.segment_sums.data(),
           .segment_ends = run.w.segment_ends.data(),
           .segments = static_cast<std::int64_t>(run.w.segment_ends.size()),
           .columns = run.state.stride,
           .stride = run.state.stride});
}

namespace {

// The product walks down columns of the values: rows a power of two apart would crowd a few cache
// sets, so a cache line is left between them.
WordRows staged_values(const BlockRun& run, Span tile) {
  const ConstTensorView& value = run.problem.value;
  const std::int64_t width = run.problem.value_dim;
  const std::int64_t stride = width + kValuePadding;
  float* scratch = run.w.values.data();
  if (run.has_pairs()) {
    interleave_values(run, tile, scratch, stride);
  } else {
    widen_rows(run, value, run.problem.scales.value, tile, scratch, stride);
  }
  return {scratch, stride};
}

}  // namespace

void ManyRows::add_values(const BlockRun& run, Span tile) {
  const WordRows rows = staged_values(run, tile);
  const std::int64_t per_word = run.products.elements_per_word;
  run.products.value({.weights = run.w.scores.data(),
                      .values = rows.data,
                      .output = run.state.output,
                      .rescale = run.w.rescale.data(),
                      .value_stride = rows.stride,
                      .key_count = (tile.length() + per_word - 1) / per_word,
                      .value_dim = run.problem.value_dim,
                      .columns = run.state.stride,
                      .stride = run.state.stride});
}

}  // namespace whereof::attention
