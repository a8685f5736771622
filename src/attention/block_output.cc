#include "attention/block_output.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "attention/staged_rows.h"

namespace whereof::attention {
namespace {

// Rows that are turned together: what a cache line of a line of the block holds.
constexpr std::int64_t kRowsTogether = 16;

}  // namespace

void write_block_output(const Problem& problem, const WorkBlock& block, const BlockState& state) {
  const std::int64_t width = problem.value_dim;
  std::vector<float> rows(static_cast<std::size_t>(kRowsTogether * width));
  for (std::int64_t first = 0; first < block.rows; first += kRowsTogether) {
    const std::int64_t count = std::min(kRowsTogether, block.rows - first);
    for (std::int64_t j = 0; j < width; ++j) {
      const float* from = state.output + first * state.row_step + j * state.dim_step;
      for (std::int64_t r = 0; r < count; ++r) rows[r * width + j] = from[r * state.row_step];
    }
    for (std::int64_t r = 0; r < count; ++r) {
      const float sum = state.row_sum[first + r];
      const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
      store_row(rows.data() + r * width, inverse, problem.output,
                row_offset(problem, problem.output, block, first + r));
    }
  }
}

}  // namespace whereof::attention
