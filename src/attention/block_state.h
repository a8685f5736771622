// What a block has gathered over the keys seen so far.
#ifndef WHEREOF_ATTENTION_BLOCK_STATE_H_
#define WHEREOF_ATTENTION_BLOCK_STATE_H_

#include <cstdint>
#include <vector>

#include "memory/aligned_array.h"

namespace whereof::attention {

struct ScoredKey {
  float score = 0;  // base 2
  std::int64_t key = -1;
};

// Unnormalised, so that partial states over disjoint keys merge exactly. Arrays of [stride] hold a
// figure a row.
class BlockState {
 public:
  struct Shape {
    std::int64_t rows = 0;
    std::int64_t lanes = 1;
    std::int64_t value_dim = 0;
    std::int64_t bins = 0;
    std::int64_t top_keys = 0;
    bool has_rows_in_lanes = true;
  };
  // Keeps its memory when it was large enough.
  void reset(const Shape& shape);
  // Takes in the state of the same rows over other, later keys; bins stay where they are.
  void merge(const BlockState& other);

  // Element j of the output of row r lies at output[r * row_step + j * dim_step].
  float* output = nullptr;
  std::int64_t row_step = 0;
  std::int64_t dim_step = 0;

  std::int64_t rows = 0;
  std::int64_t stride = 0;  // rows, rounded up to whole vectors
  std::int64_t value_dim = 0;
  std::int64_t value_stride = 0;  // value_dim, rounded up to whole cells of values
  std::int64_t top_keys = 0;
  std::int64_t first_span = 0;  // the span of bin kFirstSpanBin
  std::int64_t bins = 0;
  float* row_max = nullptr;    // base 2
  float* row_sum = nullptr;    // sum of 2^(score - row_max)
  float* row_dot = nullptr;    // sum of 2^(score - row_max) (score - row_max)
  float* threshold = nullptr;  // score that enters the top keys of a row if exceeded
  float* bin_sum = nullptr;    // [bins][stride]
  float* bin_max = nullptr;    // [bins][stride]
  std::vector<ScoredKey> top;  // [rows][top_keys], largest first

 private:
  void merge_output(const BlockState& other, const std::vector<float>& mine,
                    const std::vector<float>& theirs);
  void merge_top(const BlockState& other);

  memory::AlignedArray<float> memory_;
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_BLOCK_STATE_H_
