#include "attention/row_block.h"

#include <algorithm>

#include "attention/double_rows.h"
#include "attention/few_rows.h"
#include "attention/many_rows.h"
#include "numeric/half.h"

namespace whereof::attention {
namespace {

constexpr float kLog2E = 1.44269504088896340736F;

// New memory is zeroed, so that padding which is multiplied but never read holds numbers.
template <typename T>
void grow(memory::AlignedArray<T>& array, std::int64_t size) {
  if (array.size() >= size) return;
  array = memory::AlignedArray<T>(size);
  std::fill_n(array.data(), size, T{});
}

// Keeps the best scores of each row. Ties go to the earlier key.
template <typename Pass>
void keep_top(const BlockRun& run, Span tile) {
  BlockState& state = run.state;
  const std::int64_t found = Pass::find_above_threshold(run, tile);
  for (std::int64_t i = 0; i < found; ++i) {
    const std::int64_t key = run.w.found[i] >> 16;
    const std::int64_t row = run.w.found[i] & 0xffffU;
    const float score = Pass::score_at(run, key, row);
    if (!(score > state.threshold[row])) continue;  // beaten by an earlier key of this tile
    ScoredKey* const begin = state.top.data() + row * state.top_keys;
    ScoredKey* at = begin + state.top_keys - 1;
    for (; at > begin && (at[-1].key < 0 || at[-1].score < score); --at) *at = at[-1];
    *at = {score, tile.begin + key};
    const ScoredKey& last = begin[state.top_keys - 1];
    if (last.key >= 0) state.threshold[row] = last.score;
  }
}

void add_to_bins(const BlockRun& run) {
  const BlockState& state = run.state;
  const auto add = [&](std::int64_t bin, const float* amount) {
    run.kernels.add_to_bin({.bin_sum = state.bin_sum + bin * state.stride,
                            .bin_max = state.bin_max + bin * state.stride,
                            .amount = amount,
                            .row_max = state.row_max,
                            .columns = state.stride});
  };
  const float* amount = run.w.segment_sums.data();
  std::int64_t bin_before = -1;  // a tile's first segment may continue a span of the tile before
  for (const Segment& segment : run.w.segments) {
    const bool begins_here =
        segment.bin >= kFirstSpanBin && bin_before >= 0 && segment.bin != bin_before;
    if (begins_here) {  // nothing to add to
      std::copy_n(amount, state.stride, state.bin_sum + segment.bin * state.stride);
      std::copy_n(state.row_max, state.stride, state.bin_max + segment.bin * state.stride);
    } else {
      add(segment.bin, amount);
    }
    if (segment.is_sink) add(kSinkBin, amount);
    amount += state.stride;
    bin_before = segment.bin;
  }
}

template <typename Pass>
void run_tile(const BlockRun& run, Span tile, SpanWalk& walk) {
  Workspace& w = run.w;
  Pass::score(run, tile);
  if (run.problem.soft_cap > 0) Pass::cap(run, tile);
  const bool is_full = run.problem.visibility.is_full(run.block.batch, run.row_of(0),
                                                      run.row_of(run.block.rows - 1), tile);
  if (!is_full || !Pass::kHasRowsInLanes) Pass::mask(run, tile);
  if (run.state.top_keys > 0) keep_top<Pass>(run, tile);
  walk.segments_of(tile, w.segments);
  w.segment_ends.clear();
  for (const Segment& segment : w.segments) w.segment_ends.push_back(segment.end);
  Pass::softmax(run, tile);
  if (run.state.bins > 0) add_to_bins(run);
  Pass::add_values(run, tile);
}

// Many rows take one run of keys a tile. Few rows take several, but a tile begins at a page where
// it can, so that tiles and thus bits are those of a cache that is not paged; and words of two keys
// do not lie across pages.
bool ends_at_page(const Problem& problem, std::int64_t tile_begin, bool has_rows_in_lanes) {
  if (!problem.pages) return false;
  const std::int64_t length = problem.page_length();
  return has_rows_in_lanes || length % 2 != 0 || tile_begin % length != 0;
}

template <typename Pass>
void run_tiles(const BlockRun& run, SpanWalk& walk) {
  const std::int64_t tile_keys =
      Pass::kHasRowsInLanes ? run.products.block.keys : FewRows::kTileKeys;
  Pass::load_queries(run);
  for (const Span keys : run.w.runs) {
    for (Span tile{keys.begin, 0}; tile.begin < keys.end; tile.begin = tile.end) {
      tile.end = std::min(tile.begin + tile_keys, keys.end);
      if (ends_at_page(run.problem, tile.begin, Pass::kHasRowsInLanes)) {
        tile.end = std::min(tile.end, run.problem.run_end(tile.begin));
      }
      run_tile<Pass>(run, tile, walk);
    }
  }
  Pass::finish(run);
}

}  // namespace

float element_of(const ConstTensorView& view, std::int64_t at) noexcept {
  const auto half = [&] { return static_cast<const std::uint16_t*>(view.data)[at]; };
  switch (view.type) {
    case ElementType::bf16:
      return numeric::float_of_bf16(half());
    case ElementType::f16:
      return numeric::float_of_f16(half());
    case ElementType::i8:
      return static_cast<float>(static_cast<const std::int8_t*>(view.data)[at]);
    case ElementType::f64:  // has a way of its own, double_rows.h
    case ElementType::f32:
      break;
  }
  return static_cast<const float*>(view.data)[at];
}

float BlockRun::score_factor() const noexcept {
  return problem.soft_cap > 0 ? problem.scale / problem.soft_cap : problem.scale * kLog2E;
}

float BlockRun::cap_factor() const noexcept { return problem.soft_cap * kLog2E; }

VisibleKeys BlockRun::visible_keys(std::int64_t r, Span tile) const noexcept {
  const VisibleKeys seen = problem.visibility.of_row(block.batch, row_of(r));
  const auto inside = [&](Span span) -> Span {
    return {std::clamp<std::int64_t>(span.begin - tile.begin, 0, tile.length()),
            std::clamp<std::int64_t>(span.end - tile.begin, 0, tile.length())};
  };
  return {.sinks = inside(seen.sinks), .keys = inside(seen.keys)};
}

void widen_rows(const BlockRun& run, const ConstTensorView& view, const ConstTensorView& scale,
                Span tile, float* to, std::int64_t to_stride) {
  const std::int64_t width = view.shape[3];
  const std::int64_t at =
      run.problem.key_offset(view, run.block.batch, tile.begin, run.block.kv_head);
  const auto* halves = static_cast<const std::uint16_t*>(view.data) + at;
  for (std::int64_t row = 0; row < tile.length(); ++row, to += to_stride) {
    const std::int64_t from = row * view.strides[1];
    switch (view.type) {
      case ElementType::f64:  // has a way of its own, double_rows.h
        break;
      case ElementType::f32:
        std::copy_n(static_cast<const float*>(view.data) + at + from, width, to);
        break;
      case ElementType::bf16:
        run.kernels.widen_bf16(halves + from, to, width);
        break;
      case ElementType::f16:
        run.kernels.widen_f16(halves + from, to, width);
        break;
      case ElementType::i8:
        run.kernels.widen_i8(static_cast<const std::int8_t*>(view.data) + at + from, to, width);
        const std::int64_t of_row =
            run.problem.key_offset(scale, run.block.batch, tile.begin + row, run.block.kv_head);
        const float factor = static_cast<const float*>(scale.data)[of_row];
        for (std::int64_t i = 0; i < width; ++i) to[i] *= factor;
        break;
    }
  }
}

void interleave_values(const BlockRun& run, Span tile, float* to, std::int64_t to_stride) {
  const ConstTensorView& value = run.problem.value;
  const auto* from = static_cast<const std::uint16_t*>(value.data) +
                     run.problem.key_offset(value, run.block.batch, tile.begin, run.block.kv_head);
  const std::int64_t stride = value.strides[1];
  for (std::int64_t row = 0; row < tile.length(); row += 2) {
    const std::uint16_t* low = from + row * stride;
    run.kernels.pair_packing.interleave(low, row + 1 < tile.length() ? low + stride : nullptr,
                                        to + row / 2 * to_stride, run.problem.value_dim);
  }
}

WordRows key_words(const BlockRun& run, Span tile) {
  const ConstTensorView& key = run.problem.key;
  const std::int64_t at =
      run.problem.key_offset(key, run.block.batch, tile.begin, run.block.kv_head);
  if (key.type == ElementType::f32) {
    return {static_cast<const float*>(key.data) + at, key.strides[1]};
  }
  if (run.has_pairs()) {
    const auto* halves = static_cast<const std::uint16_t*>(key.data) + at;
    return {reinterpret_cast<const float*>(halves), key.strides[1] / 2};
  }
  widen_rows(run, key, run.problem.scales.key, tile, run.w.keys.data(), run.problem.head_dim);
  return {run.w.keys.data(), run.problem.head_dim};
}

// bf16 products where all operands are bf16 and a row is whole words.
const kernels::ProductKernels& products_for(const Problem& problem,
                                            const kernels::KernelSet& kernels) noexcept {
  const bool is_possible = kernels.pairs.elements_per_word == 2 &&
                           problem.query.type == ElementType::bf16 &&
                           problem.key.type == ElementType::bf16 && problem.head_dim % 2 == 0 &&
                           problem.key.strides[1] % 2 == 0;
  return is_possible ? kernels.pairs : kernels.floats;
}

void Workspace::reserve(const Problem& problem, const kernels::KernelSet& kernels) {
  const kernels::BlockShape block = products_for(problem, kernels).block;
  const std::int64_t block_rows = block.rows;
  const std::int64_t tile_keys = std::max<std::int64_t>(block.keys, FewRows::kTileKeys);
  const std::int64_t tile_scores =
      std::max(block.keys * block_rows, FewRows::kScoreStride * FewRows::kMostRows);
  grow(queries,
       std::max(problem.head_dim * block_rows,
                kernels::whole_cells(problem.head_dim, kernels.lanes) * FewRows::kMostRows));
  grow(scores, tile_scores);
  grow(found, tile_scores);
  grow(segment_sums, std::max(block.keys * block_rows,
                              FewRows::kTileKeys * (FewRows::kMostRows + kernels.lanes)));
  grow(rescale, block_rows);
  grow(factors, FewRows::kTileKeys);
  grow(ones, block_rows);
  grow(query_units, block_rows);
  grow(weight_units, block_rows);
  std::fill_n(ones.data(), block_rows, 1.0F);
  grow(visible, 4 * block_rows);
  grow(keys, tile_keys * problem.head_dim);
  grow(values, std::max(tile_keys * (problem.value_dim + kValuePadding), problem.head_dim));
}

void run_block(const Problem& problem, const kernels::KernelSet& kernels,
               const EvidenceRequest* request, const WorkBlock& block, Span keys, Workspace& w,
               BlockState& state) {
  if (problem.query.type == ElementType::f64) {
    run_double_block(problem, kernels.lanes, request, block, state);
    return;
  }
  const std::int64_t last_row = (block.first_row + block.rows - 1) / problem.group_size;
  problem.visibility.runs_of(block.batch, block.first_row / problem.group_size, last_row, keys,
                             w.runs);
  keys = w.runs.empty() ? Span{} : Span{w.runs.front().begin, w.runs.back().end};
  SpanWalk walk;
  if (request != nullptr) walk = SpanWalk(request->key_spans, request->sink_length, keys);
  const bool is_few = block.rows <= FewRows::kMostRows;
  state.reset({.rows = block.rows,
               .lanes = kernels.lanes,
               .value_dim = problem.value_dim,
               .bins = walk.bins(),
               .top_keys = request != nullptr ? request->top_keys : 0,
               .has_rows_in_lanes = !is_few});
  state.first_span = walk.first_span();
  if (w.runs.empty()) return;
  const BlockRun run{problem, kernels, products_for(problem, kernels), block, w, state, keys.end};
  if (is_few) {
    run_tiles<FewRows>(run, walk);
  } else {
    run_tiles<ManyRows>(run, walk);
  }
}

}  // namespace whereof::attention
