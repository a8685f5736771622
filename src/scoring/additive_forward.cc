#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "attention/argument_checks.h"
#include "parallel/thread_pool.h"
#include "scoring/additive_block.h"

namespace whereof::scoring {
namespace {

// The running figures of a block's rows; all [stride] but for the output, [value_dim][stride].
struct OnlineSoftmax {
  OnlineSoftmax(std::int64_t value_dim, std::int64_t rows, std::int64_t lanes)
      : output(value_dim, rows, lanes), figures(5, rows, lanes), scores(kTileKeys, rows, lanes) {
    std::fill_n(row_max(), figures.stride(), kernels::kNoMaximum);
  }
  float* row_max() { return figures.row(0); }
  float* row_sum() { return figures.row(1); }
  float* row_dot() { return figures.row(2); }
  float* rescale() { return figures.row(3); }
  float* tile_sum() { return figures.row(4); }

  PaddedRows output;
  PaddedRows figures;
  PaddedRows scores;
};

void add_tile(const kernels::KernelSet& kernels, const AdditiveProblem& problem,
              AdditiveBlock& block, Span tile, OnlineSoftmax& state) {
  const std::int64_t stride = block.stride();
  const std::int64_t key_count = tile.length();
  block.score(tile, state.scores.row(0));
  kernels.softmax({.scores = state.scores.row(0),
                   .row_max = state.row_max(),
                   .row_sum = state.row_sum(),
                   .row_dot = state.row_dot(),
                   .rescale = state.rescale(),
                   .segment_sums = state.tile_sum(),
                   .segment_ends = &key_count,
                   .segments = 1,
                   .columns = stride,
                   .stride = stride});
  kernels.floats.value({.weights = state.scores.row(0),
                        .values = row_of(problem.value, block.b(), tile.begin, block.head()),
                        .output = state.output.row(0),
                        .rescale = state.rescale(),
                        .value_stride = problem.value.strides[1],
                        .key_count = key_count,
                        .value_dim = problem.value_dim(),
                        .columns = stride,
                        .stride = stride});
}

}  // namespace

void additive_forward(const kernels::KernelSet& kernels, const AdditiveProblem& problem,
                      const TensorView& output, float* log_sum_exp) {
  const std::int64_t blocks = AdditiveBlock::blocks_per_head(kernels, problem);
  const std::int64_t items = problem.batch() * problem.heads() * blocks;
  parallel::ThreadPool::process().for_each(items, problem.threads, [&](std::int64_t item, int) {
    attention::check_stop(problem.stop);
    const std::int64_t head_item = item / blocks;
    // The blocks that see most keys come first, so that what is handed out last is short.
    const std::int64_t first_row = (blocks - 1 - item % blocks) * kernels.floats.block.rows;
    AdditiveBlock block(kernels, problem, head_item / problem.heads(), head_item % problem.heads(),
                        first_row);
    OnlineSoftmax state(problem.value_dim(), block.rows(), kernels.lanes);
    const std::int64_t visible = block.visible_keys();
    for (Span tile{0, 0}; tile.begin < visible; tile.begin = tile.end) {
      tile.end = std::min(tile.begin + kTileKeys, visible);
      add_tile(kernels, problem, block, tile, state);
    }
    for (std::int64_t r = 0; r < block.rows(); ++r) {
      const float sum = state.row_sum()[r];
      const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
      float* to = row_of(output, block.b(), first_row + r, block.head());
      for (std::int64_t j = 0; j < problem.value_dim(); ++j) {
        to[j] = state.output.row(j)[r] * inverse;
      }
      if (log_sum_exp == nullptr) continue;
      const double base_2 =
          static_cast<double>(state.row_max()[r]) + std::log2(static_cast<double>(sum));
      log_sum_exp[head_item * problem.query_length + first_row + r] =
          sum == 0.0F ? -std::numeric_limits<float>::infinity()
                      : static_cast<float>(base_2 * std::numbers::ln2);
    }
  });
}

}  // namespace whereof::scoring
