#include "scoring/additive_block.h"

#include <algorithm>

namespace whereof::scoring {

AdditiveBlock::AdditiveBlock(const kernels::KernelSet& kernels, const AdditiveProblem& problem,
                             std::int64_t b, std::int64_t head, std::int64_t first_row)
    : kernels_(kernels),
      problem_(problem),
      b_(b),
      head_(head),
      first_row_(first_row),
      rows_(std::min<std::int64_t>(kernels.floats.block.rows, problem.query_length - first_row)),
      queries_(problem.width(), rows_, kernels.lanes),
      zeros_(static_cast<std::size_t>(queries_.stride())),
      visible_(static_cast<std::size_t>(queries_.stride())) {
  transpose(problem.queries.row(b, head, first_row), problem.queries.stride(), rows_,
            problem.width(), queries_.row(0), queries_.stride());
}

std::int64_t AdditiveBlock::blocks_per_head(const kernels::KernelSet& kernels,
                                            const AdditiveProblem& problem) {
  return (problem.query_length + kernels.floats.block.rows - 1) / kernels.floats.block.rows;
}

void AdditiveBlock::score(Span tile, float* scores) {
  kernels_.additive({.queries = queries(),
                     .keys = keys(tile),
                     .vector = score_vector(),
                     .scores = scores,
                     .key_stride = problem_.keys.stride(),
                     .key_count = tile.length(),
                     .width = problem_.width(),
                     .columns = stride(),
                     .stride = stride(),
                     .factor = kLog2E});
  if (problem_.visible_keys(first_row_) >= tile.end) return;
  for (std::int64_t r = 0; r < rows_; ++r) {
    const std::int64_t seen = problem_.visible_keys(first_row_ + r) - tile.begin;
    visible_[static_cast<std::size_t>(r)] =
        static_cast<float>(std::clamp<std::int64_t>(seen, 0, tile.length()));
  }
  kernels_.mask({.scores = scores,
                 .sinks_begin = zeros_.data(),
                 .sinks_end = zeros_.data(),
                 .begin = zeros_.data(),
                 .end = visible_.data(),
                 .key_count = tile.length(),
                 .columns = stride(),
                 .stride = stride()});
}

}  // namespace whereof::scoring
