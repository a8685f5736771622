#include "attention/few_rows.h"

#include <algorithm>

namespace whereof::attention {
namespace {

std::int64_t whole_vectors(const BlockRun& run, std::int64_t count) {
  return (count + run.kernels.lanes - 1) / run.kernels.lanes * run.kernels.lanes;
}

bool has_row_pairs(const BlockRun& run) {
  return run.kernels.rows_pairs.score != nullptr && run.problem.query.type == ElementType::bf16 &&
         run.problem.key.type == ElementType::bf16;
}

const kernels::RowProductKernels& row_products(const BlockRun& run) {
  if (has_row_pairs(run)) return run.kernels.rows_pairs;
  return run.problem.key.type == ElementType::bf16 ? run.kernels.rows_bf16 : run.kernels.rows_f32;
}

// Whole cells of any kind.
std::int64_t query_stride(const BlockRun& run) {
  return kernels::whole_cells(run.problem.head_dim, run.kernels.lanes);
}

const char* row_at(const BlockRun& run, const ConstTensorView& view, std::int64_t position) {
  return static_cast<const char*>(view.data) +
         view.row_offset(run.block.batch, position, run.block.kv_head) * bytes_of(view.type);
}

// The rows of the tile after this one.
kernels::RowPrefetch rows_after(const BlockRun& run, const ConstTensorView& view, Span tile) {
  const std::int64_t end = std::min(tile.end + FewRows::kTileKeys, run.problem.key_length);
  if (end <= tile.end) return {};
  return {.from = row_at(run, view, tile.end),
          .stride = view.strides[1] * bytes_of(view.type),
          .row_count = end - tile.end};
}

}  // namespace

void FewRows::load_queries(const BlockRun& run) {
  const ConstTensorView& query = run.problem.query;
  const std::int64_t stride = query_stride(run);
  float* const row = run.w.values.data();
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    const std::int64_t from = run.row_offset(query, r);
    for (std::int64_t d = 0; d < run.problem.head_dim; ++d) row[d] = element_of(query, from + d);
    row_products(run).arrange(row, run.w.queries.data() + r * stride, run.problem.head_dim);
  }
}

void FewRows::score(const BlockRun& run, Span tile) {
  const ConstTensorView& key = run.problem.key;
  row_products(run).score({.keys = row_at(run, key, tile.begin),
                           .queries = run.w.queries.data(),
                           .scores = run.w.scores.data(),
                           .key_stride = key.strides[1],
                           .query_stride = query_stride(run),
                           .score_stride = kTileKeys,
                           .key_count = tile.length(),
                           .row_count = run.block.rows,
                           .depth = run.problem.head_dim,
                           .factor = run.score_factor(),
                           .next = rows_after(run, key, tile)});
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
  if (has_row_pairs(run)) {
    run.kernels.pair_packing.pack_rows(run.w.scores.data(), run.block.rows,
                                       whole_vectors(run, tile.length()), kTileKeys);
  }
}

void FewRows::add_values(const BlockRun& run, Span tile) {
  const ConstTensorView& value = run.problem.value;
  row_products(run).value({.weights = run.w.scores.data(),
                           .values = row_at(run, value, tile.begin),
                           .output = run.state.output,
                           .rescale = run.w.rescale.data(),
                           .weight_stride = kTileKeys,
                           .value_stride = value.strides[1],
                           .output_stride = run.state.value_stride,
                           .key_count = tile.length(),
                           .rows = run.block.rows,
                           .value_dim = run.problem.value_dim,
                           .next = rows_after(run, value, tile)});
}

void FewRows::finish(const BlockRun& run) {
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    row_products(run).restore(run.state.output + r * run.state.value_stride, run.problem.value_dim);
  }
}

}  // namespace whereof::attention
