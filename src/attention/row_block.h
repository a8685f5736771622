// One block of query rows against a run of keys, tile by tile: the inner loop of attention.
#ifndef WHEREOF_ATTENTION_ROW_BLOCK_H_
#define WHEREOF_ATTENTION_ROW_BLOCK_H_

#include <cstdint>
#include <vector>

#include "attention/block_state.h"
#include "attention/problem.h"
#include "attention/tile_plan.h"
#include "kernels/kernel_set.h"
#include "memory/aligned_array.h"

namespace whereof::attention {

// Floats that may follow a staged row of values: what whole vectors need, or one cache line.
constexpr std::int64_t kValuePadding = 16;

// The products that a call takes: their words, and the shape of its blocks.
const kernels::ProductKernels& products_for(const Problem& problem,
                                            const kernels::KernelSet& kernels) noexcept;

// A worker's scratch, kept from call to call.
struct Workspace {
  void reserve(const Problem& problem, const kernels::KernelSet& kernels);

  memory::AlignedArray<float> queries;
  memory::AlignedArray<float> scores;
  memory::AlignedArray<float> segment_sums;   // [segments][stride]
  memory::AlignedArray<float> rescale;        // [stride]
  memory::AlignedArray<float> factors;        // of the keys of a tile
  memory::AlignedArray<float> ones;           // [rows]
  memory::AlignedArray<float> query_units;    // [rows]
  memory::AlignedArray<float> weight_units;   // [rows]
  memory::AlignedArray<float> visible;        // [4][stride], bounds of what each row sees
  memory::AlignedArray<float> keys;           // widened
  memory::AlignedArray<float> values;         // widened, padded or interleaved
  memory::AlignedArray<std::uint32_t> found;  // as many as scores
  std::vector<Span> runs;                     // of keys that the block sees
  std::vector<Segment> segments;
  std::vector<std::int64_t> segment_ends;
  BlockState state;
};

// Everything that the steps of a tile look at.
struct BlockRun {
  const Problem& problem;
  const kernels::KernelSet& kernels;
  const kernels::ProductKernels& products;
  const WorkBlock& block;
  Workspace& w;
  BlockState& state;
  std::int64_t keys_end;  // the block reads no key from here on

  bool has_pairs() const noexcept { return products.elements_per_word == 2; }
  std::int64_t depth() const noexcept { return problem.head_dim / products.elements_per_word; }
  // Of the score tile, which is capped afterwards where there is a soft cap.
  float score_factor() const noexcept;
  float cap_factor() const noexcept;
  std::int64_t row_of(std::int64_t r) const noexcept {
    return (block.first_row + r) / problem.group_size;
  }
  // The keys of the tile that row r sees, counted from the tile's begin.
  VisibleKeys visible_keys(std::int64_t r, Span tile) const noexcept;
};

// Rows of words; stride in words.
struct WordRows {
  const float* data;
  std::int64_t stride;
};

// The tile's keys as rows of the words that the products take: as they lie, or widened into w.keys.
WordRows key_words(const BlockRun& run, Span tile);
// Rows of a head as rows of `to_stride` floats, times their scales where the cache is of i8.
void widen_rows(const BlockRun& run, const ConstTensorView& view, const ConstTensorView& scale,
                Span tile, float* to, std::int64_t to_stride);
// The tile's values as pairs of keys, [pair][to_stride] words.
void interleave_values(const BlockRun& run, Span tile, float* to, std::int64_t to_stride);
// One element, whatever its type.
float element_of(const ConstTensorView& view, std::int64_t at) noexcept;

// Runs the block over `keys` into `state`, which it resets. request may be null.
void run_block(const Problem& problem, const kernels::KernelSet& kernels,
               const EvidenceRequest* request, const WorkBlock& block, Span keys,
               Workspace& workspace, BlockState& state);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_ROW_BLOCK_H_
