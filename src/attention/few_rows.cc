#include "attention/few_rows.h"

#include <algorithm>

namespace whereof::attention {
namespace {

std::int64_t whole_vectors(const BlockRun& run, std::int64_t count) {
  return (count + run.kernels.lanes - 1) / run.kernels.lanes * run.kernels.lanes;
}

// What queries and weights become for the products of few rows.
enum class Words { floats, bf16_pairs, integer_pairs };

struct RowProducts {
  const kernels::RowProductKernels& kernels;
  Words words;
};

// Sums of a query's integers times a key's stay in 32 bits a lane.
constexpr std::int64_t kMostIntegers = 4096;

// Pairs for bf16 queries, where the set has them.
RowProducts row_products(const BlockRun& run) {
  const kernels::KernelSet& set = run.kernels;
  const bool can_pair =
      set.rows_bf16_pairs.score != nullptr && run.problem.query.type == ElementType::bf16;
  switch (run.problem.key.type) {
    case ElementType::bf16:
      if (can_pair) return {set.rows_bf16_pairs, Words::bf16_pairs};
      return {set.rows_bf16, Words::floats};
    case ElementType::i8:
      if (can_pair && run.problem.head_dim <= kMostIntegers) {
        return {set.rows_i8_pairs, Words::integer_pairs};
      }
      return {set.rows_i8, Words::floats};
    case ElementType::f16:
      return {set.rows_f16, Words::floats};
    case ElementType::f32:
    case ElementType::f64:  // double_rows.h
      break;
  }
  return {set.rows_f32, Words::floats};
}

// Whole cells of any kind.
std::int64_t query_stride(const BlockRun& run) {
  return kernels::whole_cells(run.problem.head_dim, run.kernels.lanes);
}

const char* row_at(const BlockRun& run, const ConstTensorView& view, std::int64_t position) {
  return static_cast<const char*>(view.data) +
         run.problem.key_offset(view, run.block.batch, position, run.block.kv_head) *
             bytes_of(view.type);
}

// The rows that the next tile will read where this one reads `keys`.
kernels::RowPrefetch rows_ahead(const BlockRun& run, const ConstTensorView& view, Span keys) {
  const std::int64_t begin = keys.begin + FewRows::kTileKeys;
  if (begin >= run.keys_end) return {};
  const std::int64_t end =
      std::min({keys.end + FewRows::kTileKeys, run.keys_end, run.problem.run_end(begin)});
  return {.from = row_at(run, view, begin),
          .stride = view.strides[1] * bytes_of(view.type),
          .row_count = end - begin};
}

// Calls part(keys) for each run of keys of the tile whose rows follow each other.
template <typename Part>
void for_each_run(const BlockRun& run, Span tile, Part&& part) {
  for (Span keys{tile.begin, 0}; keys.begin < tile.end; keys.begin = keys.end) {
    keys.end = std::min(tile.end, run.problem.run_end(keys.begin));
    part(keys);
  }
}

// scores[row][key] *= scale[key], of a cache of i8.
void scale_keys(const BlockRun& run, const ConstTensorView& scale, Span tile) {
  if (!run.problem.has_scales()) return;
  float* const factors = run.w.factors.data();
  const std::int64_t columns = whole_vectors(run, tile.length());
  for_each_run(run, tile, [&](Span keys) {
    const auto* from = reinterpret_cast<const float*>(row_at(run, scale, keys.begin));
    float* to = factors + keys.begin - tile.begin;
    for (std::int64_t k = 0; k < keys.length(); ++k) to[k] = from[k * scale.strides[1]];
  });
  std::fill(factors + tile.length(), factors + columns, 0.0F);
  run.kernels.scale_columns({.scores = run.w.scores.data(),
                             .factors = factors,
                             .rows = run.block.rows,
                             .columns = columns,
                             .stride = FewRows::kScoreStride});
}

}  // namespace

void FewRows::load_queries(const BlockRun& run) {
  const ConstTensorView& query = run.problem.query;
  const std::int64_t stride = query_stride(run);
  float* const row = run.w.values.data();
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    const std::int64_t from = row_offset(run.problem, query, run.block, r);
    for (std::int64_t d = 0; d < run.problem.head_dim; ++d) row[d] = element_of(query, from + d);
    run.w.query_units[r] = row_products(run).kernels.arrange(row, run.w.queries.data() + r * stride,
                                                             run.problem.head_dim);
  }
}

void FewRows::score(const BlockRun& run, Span tile) {
  const ConstTensorView& key = run.problem.key;
  for_each_run(run, tile, [&](Span keys) {
    row_products(run).kernels.score({.keys = row_at(run, key, keys.begin),
                                     .queries = run.w.queries.data(),
                                     .scores = run.w.scores.data() + keys.begin - tile.begin,
                                     .key_stride = key.strides[1],
                                     .query_stride = query_stride(run),
                                     .score_stride = kScoreStride,
                                     .key_count = keys.length(),
                                     .row_count = run.block.rows,
                                     .depth = run.problem.head_dim,
                                     .factor = run.score_factor(),
                                     .query_units = run.w.query_units.data(),
                                     .next = rows_ahead(run, key, keys)});
  });
  scale_keys(run, run.problem.scales.key, tile);
}

void FewRows::cap(const BlockRun& run, Span tile) {
  run.kernels.cap({.scores = run.w.scores.data(),
                   .lines = run.block.rows,
                   .columns = whole_vectors(run, tile.length()),
                   .stride = kScoreStride,
                   .factor = run.cap_factor()});
}

void FewRows::mask(const BlockRun& run, Span tile) {
  const std::int64_t end = whole_vectors(run, tile.length());
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    float* scores = run.w.scores.data() + r * kScoreStride;
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
                                     .stride = kScoreStride,
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
                           .score_stride = kScoreStride,
                           .stride = run.state.stride});
  scale_keys(run, run.problem.scales.value, tile);
  const std::int64_t columns = whole_vectors(run, tile.length());
  float* const weights = run.w.scores.data();
  const kernels::PairKernels& packing = run.kernels.pair_packing;
  const Words words = row_products(run).words;
  if (words == Words::bf16_pairs) {
    packing.pack_rows(weights, run.block.rows, columns, kScoreStride);
  } else if (words == Words::integer_pairs) {
    packing.pack_rows_as_integers(weights, run.w.weight_units.data(), run.block.rows, columns,
                                  kScoreStride);
  }
}

void FewRows::add_values(const BlockRun& run, Span tile) {
  const ConstTensorView& value = run.problem.value;
  const float* rescale = run.w.rescale.data();
  const int keys_per_word = row_products(run).words == Words::floats ? 1 : 2;
  for_each_run(run, tile, [&](Span keys) {
    row_products(run).kernels.value(
        {.weights = run.w.scores.data() + (keys.begin - tile.begin) / keys_per_word,
         .values = row_at(run, value, keys.begin),
         .output = run.state.output,
         .rescale = rescale,
         .weight_stride = kScoreStride,
         .value_stride = value.strides[1],
         .output_stride = run.state.value_stride,
         .key_count = keys.length(),
         .rows = run.block.rows,
         .value_dim = run.problem.value_dim,
         .weight_units = run.w.weight_units.data(),
         .next = rows_ahead(run, value, keys)});
    rescale = run.w.ones.data();
  });
}

void FewRows::finish(const BlockRun& run) {
  for (std::int64_t r = 0; r < run.block.rows; ++r) {
    row_products(run).kernels.restore(run.state.output + r * run.state.value_stride,
                                      run.problem.value_dim);
  }
}

}  // namespace whereof::attention
