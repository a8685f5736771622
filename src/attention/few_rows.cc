#include "attention/few_rows.h"

#include <algorithm>
#include <cstring>

namespace whereof::attention {
namespace {

std::int64_t whole_vectors(const BlockRun& run, std::int64_t count) {
  return (count + run.kernels.lanes - 1) / run.kernels.lanes * run.kernels.lanes;
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

void FewRows::score(const BlockRun& run, Span tile) {
  const WordRows keys = key_words(run, tile);
  run.kernels.transpose({.from = keys.data,
                         .to = run.w.panel.data(),
                         .from_stride = keys.stride,
                         .to_stride = kTileKeys,
                         .row_count = tile.length(),
                         .words = run.depth()});
  run.products.score({.panel = run.w.panel.data(),
                      .rows = run.w.queries.data(),
                      .scores = run.w.scores.data(),
                      .row_stride = run.depth(),
                      .row_count = run.block.rows,
                      .depth = run.depth(),
                      .columns = whole_vectors(run, tile.length()),
                      .stride = kTileKeys,
                      .factor = run.factor()});
}

void FewRows::mask(const BlockRun& run, Span tile) {
  const std::int64_t end = whole_vectors(run, tile.length());
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    float* scores = run.w.scores.data() + r * kTileKeys;
    std::fill(scores + run.visible_keys(r, tile), scores + end, kernels::kMaskedScore);
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

void FewRows::add_values(const BlockRun& run, Span tile) {
  const ConstTensorView& value = run.problem.value;
  const std::int64_t stride = run.state.value_stride;
  float* scratch = run.w.values.data();
  WordRows rows{scratch, stride};
  if (run.has_pairs()) {
    interleave_values(run, tile, scratch, stride);
  } else if (value.type == ElementType::bf16) {
    widen_rows(run, value, tile, scratch, stride);
  } else {
    const float* from = static_cast<const float*>(value.data) +
                        value.row_offset(run.block.batch, tile.begin, run.block.kv_head);
    if (stride == run.problem.value_dim) {
      rows = {from, value.strides[1]};
    } else {
      for (std::int64_t key = 0; key < tile.length(); ++key) {
        std::copy_n(from + key * value.strides[1], run.problem.value_dim, scratch + key * stride);
      }
    }
  }
  const std::int64_t per_word = run.products.elements_per_word;
  run.products.row_value({.weights = run.w.scores.data(),
                          .values = rows.data,
                          .output = run.state.output,
                          .rescale = run.w.rescale.data(),
                          .weight_stride = kTileKeys,
                          .value_stride = rows.stride,
                          .output_stride = stride,
                          .key_count = (tile.length() + per_word - 1) / per_word,
                          .rows = run.block.rows,
                          .columns = stride});
}

}  // namespace whereof::attention
