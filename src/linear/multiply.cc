#include "linear/multiply.h"

#include <algorithm>

#include "parallel/thread_pool.h"

namespace whereof::linear {
namespace {

using parallel::ThreadPool;

// Weight rows of one work item of a decode product. Memory gives the more the longer a thread reads
// straight on; items that are few leave threads waiting for the last one.
constexpr std::int64_t kFewestRowsOfItem = 32;
constexpr std::int64_t kMostRowsOfItem = 256;
constexpr std::int64_t kItemsOfThread = 4;

std::int64_t groups_of(const LinearKernels& kernels, std::int64_t rows) {
  return (rows + kernels.group_rows - 1) / kernels.group_rows;
}

std::int64_t chunks_of(std::int64_t columns) { return (columns + kChunk - 1) / kChunk; }

std::int64_t input_bytes(const LinearKernels& kernels, std::int64_t rows, std::int64_t columns) {
  const std::int64_t chunk_bytes =
      rows * chunks_of(columns) * static_cast<std::int64_t>(sizeof(InputChunk));
  return std::max(groups_of(kernels, rows) * kernels.group_bytes(columns), chunk_bytes);
}

std::int64_t scratch_bytes(const LinearKernels& kernels, std::int64_t rows) {
  const std::int64_t bytes = kernels.panel_scratch_bytes(rows);
  return (bytes + 4095) / 4096 * 4096;
}

// Which product, and which of its weight rows, the item-th piece of `rows_of_item` rows is.
struct Piece {
  const Product* product;
  std::int64_t begin;
  std::int64_t count;
};

std::int64_t rows_of_item(std::span<const Product> products, int threads) {
  std::int64_t rows = 0;
  for (const Product& product : products) rows += product.weights.rows;
  return std::clamp(rows / (kItemsOfThread * threads), kFewestRowsOfItem, kMostRowsOfItem);
}

std::int64_t pieces_of(std::span<const Product> products, std::int64_t item_rows) {
  std::int64_t pieces = 0;
  for (const Product& product : products) {
    pieces += (product.weights.rows + item_rows - 1) / item_rows;
  }
  return pieces;
}

Piece piece_at(std::span<const Product> products, std::int64_t item_rows, std::int64_t item) {
  for (const Product& product : products) {
    const std::int64_t pieces = (product.weights.rows + item_rows - 1) / item_rows;
    if (item < pieces) {
      const std::int64_t begin = item * item_rows;
      return {&product, begin, std::min(item_rows, product.weights.rows - begin)};
    }
    item -= pieces;
  }
  return {};
}

WeightRows rows_of(const Piece& piece) {
  const WeightMatrix& weights = piece.product->weights;
  const std::int64_t row_bytes = weights.row_bytes();
  return {weights.type, weights.data + piece.begin * row_bytes, row_bytes, piece.count,
          weights.columns};
}

OutputRows output_of(const Piece& piece) {
  const Product& product = *piece.product;
  return {product.bias != nullptr ? product.bias + piece.begin : nullptr,
          product.output + piece.begin, product.output_stride};
}

}  // namespace

Multiplier::Multiplier(InstructionSet set, int threads, std::int64_t max_rows,
                       std::int64_t max_columns)
    : Multiplier(kernels_for(set), threads, max_rows, max_columns) {}

Multiplier::Multiplier(const LinearKernels& kernels, int threads, std::int64_t max_rows,
                       std::int64_t max_columns)
    : kernels_(kernels),
      threads_(ThreadPool::process().threads_for(threads)),
      inputs_(input_bytes(kernels_, max_rows, max_columns)),
      scratch_(threads_ * scratch_bytes(kernels_, max_rows)),
      scratch_stride_(scratch_bytes(kernels_, max_rows)) {}

std::int64_t Multiplier::bytes_needed(InstructionSet set, int threads, std::int64_t max_rows,
                                      std::int64_t max_columns) {
  const LinearKernels& kernels = kernels_for(set);
  return input_bytes(kernels, max_rows, max_columns) +
         ThreadPool::process().threads_for(threads) * scratch_bytes(kernels, max_rows);
}

void Multiplier::multiply(const float* input, std::int64_t stride, std::int64_t rows,
                          std::span<const Product> products, ProductWay way) {
  if (way == ProductWay::few_rows) {
    multiply_rows(input, stride, rows, products);
  } else {
    multiply_panels(input, stride, rows, products);
  }
}

void Multiplier::multiply_panels(const float* input, std::int64_t stride, std::int64_t rows,
                                 std::span<const Product> products) {
  const std::int64_t columns = products.front().weights.columns;
  const std::int64_t group_bytes = kernels_.group_bytes(columns);
  ThreadPool& pool = ThreadPool::process();
  pool.for_each(groups_of(kernels_, rows), threads_, [&](std::int64_t group, int) {
    const std::int64_t first = group * kernels_.group_rows;
    kernels_.pack_group(input + first * stride, stride, std::min(kernels_.group_rows, rows - first),
                        columns, inputs_.data() + group * group_bytes);
  });
  pool.for_each(pieces_of(products, kPanelRows), threads_, [&](std::int64_t item, int worker) {
    const Piece piece = piece_at(products, kPanelRows, item);
    kernels_.multiply_panel(rows_of(piece), inputs_.data(), rows, output_of(piece),
                            scratch_.data() + worker * scratch_stride_);
  });
}

void Multiplier::multiply_rows(const float* input, std::int64_t stride, std::int64_t rows,
                               std::span<const Product> products) {
  const std::int64_t columns = products.front().weights.columns;
  auto* chunks = reinterpret_cast<InputChunk*>(inputs_.data());
  for (std::int64_t t = 0; t < rows; ++t) {
    kernels_.quantise_row(input + t * stride, columns, chunks + t * chunks_of(columns));
  }
  const std::int64_t item_rows = rows_of_item(products, threads_);
  ThreadPool::process().for_each(
      pieces_of(products, item_rows), threads_, [&](std::int64_t item, int) {
        const Piece piece = piece_at(products, item_rows, item);
        kernels_.multiply_rows(rows_of(piece), input, stride, chunks, rows, output_of(piece));
      });
}

}  // namespace whereof::linear
