// One block of query rows against a run of keys: the inner loop of attention.
#ifndef WHEREOF_ATTENTION_ROW_BLOCK_H_
#define WHEREOF_ATTENTION_ROW_BLOCK_H_

#include <cstdint>
#include <vector>

#include "attention/problem.h"
#include "attention/tile_plan.h"
#include "kernels/kernel_set.h"
#include "memory/aligned_array.h"

namespace whereof::attention {

struct ScoredKey {
  float score = 0;  // base 2
  std::int64_t key = -1;
};

// What a block has gathered over the keys seen so far, unnormalised: partial states over disjoint
// keys merge exactly. Arrays are [something][stride] with rows in the columns.
class BlockState {
 public:
  // Keeps its memory when it was large enough.
  void reset(std::int64_t rows, std::int64_t lanes, std::int64_t value_dim, std::int64_t bins,
             std::int64_t top_keys);
  // Takes in the state of the same rows over other, later keys; bins stay where they are.
  void merge(const BlockState& other);

  std::int64_t rows = 0;
  std::int64_t stride = 0;  // rows, rounded up to whole vectors
  std::int64_t value_dim = 0;
  std::int64_t top_keys = 0;
  std::int64_t first_span = 0;  // the span of bin kFirstSpanBin
  std::int64_t bins = 0;
  float* output = nullptr;     // [value_dim][stride]
  float* row_max = nullptr;    // [stride], base 2
  float* row_sum = nullptr;    // [stride]
  float* row_dot = nullptr;    // [stride]
  float* bin_sum = nullptr;    // [bins][stride]
  float* bin_max = nullptr;    // [bins][stride]
  float* threshold = nullptr;  // [stride], score that enters the top keys of a row if exceeded
  std::vector<ScoredKey> top;  // [rows][top_keys], largest first

 private:
  memory::AlignedArray<float> memory_;
};

// A worker's scratch, kept from call to call.
class Workspace {
 public:
  void reserve(const Problem& problem, std::int64_t block_rows);

  memory::AlignedArray<float> queries;        // [head_dim][stride]
  memory::AlignedArray<float> scores;         // [kTileKeys][stride]
  memory::AlignedArray<float> segment_sums;   // [kTileKeys][stride]
  memory::AlignedArray<float> rescale;        // [stride]
  memory::AlignedArray<float> visible;        // [stride]
  memory::AlignedArray<float> keys;           // [kTileKeys][head_dim], widened
  memory::AlignedArray<float> values;         // [kTileKeys][value_dim], widened
  memory::AlignedArray<std::uint32_t> found;  // [kTileKeys * stride]
  std::vector<Segment> segments;
  std::vector<std::int64_t> segment_ends;
  BlockState state;
};

// Runs the block over `keys` into `state`, which it resets. request may be null.
void run_block(const Problem& problem, const kernels::KernelSet& kernels,
               const EvidenceRequest* request, const WorkBlock& block, Span keys,
               Workspace& workspace, BlockState& state);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_ROW_BLOCK_H_
