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
      const std::int64_t flat = block.first_row + first + r;
      const std::int64_t head = block.kv_head * problem.group_size + flat % problem.group_size;
      store_row(rows.data() + r * width, inverse, problem.output,
                problem.output.row_offset(block.batch, flat / problem.group_size, head));
    }
  }
}

}  // namespace whereof::attention
