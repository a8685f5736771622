#include "scoring/projection.h"

#include <algorithm>
#include <vector>

#include "parallel/thread_pool.h"

namespace whereof::scoring {
namespace {

constexpr std::int64_t kBlockRows = 64;

struct RowBlock {
  std::int64_t b;
  std::int64_t head;
  std::int64_t begin;
  std::int64_t count;
};

// Calls body for each block of rows of each head.
template <typename Body>
void for_each_block(const ConstTensorView& from, int threads, const Body& body) {
  const auto [batch, length, heads, dim] = from.shape;
  const std::int64_t blocks = (length + kBlockRows - 1) / kBlockRows;
  parallel::ThreadPool::process().for_each(
      batch * heads * blocks, threads, [&, length = length](std::int64_t item, int) {
        const std::int64_t head_item = item / blocks;
        const std::int64_t begin = item % blocks * kBlockRows;
        body(RowBlock{head_item / from.shape[2], head_item % from.shape[2], begin,
                      std::min(kBlockRows, length - begin)});
      });
}

}  // namespace

HeadRows project(const kernels::KernelSet& kernels, const ConstTensorView& from,
                 const ConstTensorView& weight, int threads) {
  const auto [batch, length, heads, in] = from.shape;
  const std::int64_t out = weight.shape[2];
  HeadRows to(batch, heads, length, out, kernels.lanes);
  HeadRows panels(1, heads, in, out, kernels.lanes);  // weights transposed
  for (std::int64_t head = 0; head < heads; ++head) {
    transpose(row_of(weight, 0, head, 0), weight.strides[2], out, in, panels.row(0, head, 0),
              panels.stride());
  }
  for_each_block(from, threads, [&, in = in](const RowBlock& block) {
    kernels.floats.score({.panel = panels.row(0, block.head, 0),
                          .rows = row_of(from, block.b, block.begin, block.head),
                          .scores = to.row(block.b, block.head, block.begin),
                          .row_stride = from.strides[1],
                          .row_count = block.count,
                          .depth = in,
                          .columns = to.stride(),
                          .stride = to.stride(),
                          .factor = 1.0F});
  });
  return to;
}

namespace {

void backward_to_rows(const kernels::KernelSet& kernels, const ConstTensorView& weight,
                      const HeadRows& grad_to, const TensorView& grad_from, int threads) {
  const std::int64_t heads = weight.shape[1];
  const std::int64_t out = weight.shape[2];
  const std::int64_t in = weight.shape[3];
  HeadRows weights(1, heads, out, in, kernels.lanes);
  for (std::int64_t head = 0; head < heads; ++head) {
    for (std::int64_t w = 0; w < out; ++w) {
      std::copy_n(row_of(weight, 0, head, w), in, weights.row(0, head, w));
    }
  }
  for_each_block(grad_from, threads, [&](const RowBlock& block) {
    PaddedRows rows(block.count, in, kernels.lanes);
    kernels.floats.score({.panel = weights.row(0, block.head, 0),
                          .rows = grad_to.row(block.b, block.head, block.begin),
                          .scores = rows.row(0),
                          .row_stride = grad_to.stride(),
                          .row_count = block.count,
                          .depth = out,
                          .columns = rows.stride(),
                          .stride = rows.stride(),
                          .factor = 1.0F});
    for (std::int64_t i = 0; i < block.count; ++i) {
      std::copy_n(rows.row(i), in, row_of(grad_from, block.b, block.begin + i, block.head));
    }
  });
}

// An item takes a few rows of one head's weight and reads all rows of that head, so that sums have
// one order whatever the number of threads.
void backward_to_weight(const kernels::KernelSet& kernels, const ConstTensorView& from,
                        const HeadRows& grad_to, const TensorView& grad_weight, int threads) {
  const auto [batch, length, heads, in] = from.shape;
  constexpr std::int64_t kWeightRows = 16;
  const std::int64_t out = grad_weight.shape[2];
  const std::int64_t parts = (out + kWeightRows - 1) / kWeightRows;
  const auto body = [&, in = in, batch = batch, length = length](std::int64_t item, int) {
    const std::int64_t head = item / parts;
    const std::int64_t first = item % parts * kWeightRows;
    const std::int64_t count = std::min(kWeightRows, out - first);
    PaddedRows sums(count, in, kernels.lanes);
    PaddedRows inputs(kBlockRows, in, kernels.lanes);
    const std::vector<float> keep(static_cast<std::size_t>(sums.stride()), 1.0F);
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t begin = 0; begin < length; begin += kBlockRows) {
        const std::int64_t rows = std::min(kBlockRows, length - begin);
        for (std::int64_t i = 0; i < rows; ++i) {
          std::copy_n(row_of(from, b, begin + i, head), in, inputs.row(i));
        }
        kernels.floats.value({.weights = inputs.row(0),
                              .values = grad_to.row(b, head, begin) + first,
                              .output = sums.row(0),
                              .rescale = keep.data(),
                              .value_stride = grad_to.stride(),
                              .key_count = rows,
                              .value_dim = count,
                              .columns = sums.stride(),
                              .stride = sums.stride()});
      }
    }
    for (std::int64_t w = 0; w < count; ++w) {
      std::copy_n(sums.row(w), in, row_of(grad_weight, 0, head, first + w));
    }
  };
  parallel::ThreadPool::process().for_each(heads * parts, threads, body);
}

}  // namespace

void project_backward(const kernels::KernelSet& kernels, const ConstTensorView& from,
                      const ConstTensorView& weight, const HeadRows& grad_to,
                      const TensorView& grad_from, const TensorView& grad_weight, int threads) {
  backward_to_rows(kernels, weight, grad_to, grad_from, threads);
  backward_to_weight(kernels, from, grad_to, grad_weight, threads);
}

}  // namespace whereof::scoring
