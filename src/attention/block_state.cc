#include "attention/block_state.h"

#include <algorithm>
#include <cmath>

#include "kernels/tile_arguments.h"

namespace whereof::attention {

void BlockState::reset(const Shape& shape) {
  const auto whole_vectors = [&](std::int64_t count) {
    return (count + shape.lanes - 1) / shape.lanes * shape.lanes;
  };
  rows = shape.rows;
  stride = whole_vectors(rows);
  value_dim = shape.value_dim;
  value_stride = kernels::whole_cells(value_dim, shape.lanes);
  bins = shape.bins;
  top_keys = shape.top_keys;
  row_step = shape.has_rows_in_lanes ? 1 : value_stride;
  dim_step = shape.has_rows_in_lanes ? stride : 1;
  const std::int64_t outputs = shape.has_rows_in_lanes ? value_dim * stride : rows * value_stride;
  const std::int64_t size = outputs + (4 + 2 * bins) * stride;
  if (memory_.size() < size) memory_ = memory::AlignedArray<float>(size);
  output = memory_.data();
  row_max = output + outputs;
  row_sum = row_max + stride;
  row_dot = row_sum + stride;
  threshold = row_dot + stride;
  bin_sum = threshold + stride;
  bin_max = bin_sum + bins * stride;
  std::fill_n(output, outputs, 0.0F);
  std::fill_n(row_max, stride, kernels::kNoMaximum);
  std::fill_n(row_sum, 2 * stride, 0.0F);
  std::fill_n(threshold, rows, kernels::kNoMaximum);
  std::fill(threshold + rows, threshold + stride, HUGE_VALF);
  std::fill_n(bin_sum, bins * stride, 0.0F);
  std::fill_n(bin_max, bins * stride, kernels::kNoMaximum);
  top.assign(static_cast<std::size_t>(rows * top_keys), ScoredKey{});
}

void BlockState::merge_output(const BlockState& other, const std::vector<float>& mine,
                              const std::vector<float>& theirs) {
  const bool has_rows_in_lanes = row_step == 1;
  for (std::int64_t j = 0; j < value_dim && has_rows_in_lanes; ++j) {
    float* to = output + j * dim_step;
    const float* from = other.output + j * dim_step;
    for (std::int64_t r = 0; r < rows; ++r) to[r] = to[r] * mine[r] + from[r] * theirs[r];
  }
  for (std::int64_t r = 0; r < rows && !has_rows_in_lanes; ++r) {
    float* to = output + r * row_step;
    const float* from = other.output + r * row_step;
    for (std::int64_t j = 0; j < value_dim; ++j) to[j] = to[j] * mine[r] + from[j] * theirs[r];
  }
}

void BlockState::merge_top(const BlockState& other) {
  for (std::int64_t r = 0; r < rows && top_keys > 0; ++r) {
    const auto begin = top.begin() + r * top_keys;
    std::vector<ScoredKey> both(begin, begin + top_keys);
    both.insert(both.end(), other.top.begin() + r * top_keys,
                other.top.begin() + (r + 1) * top_keys);
    std::stable_sort(both.begin(), both.end(), [](const ScoredKey& x, const ScoredKey& y) {
      if ((x.key < 0) != (y.key < 0)) return y.key < 0;
      return x.score > y.score;
    });
    std::copy_n(both.begin(), top_keys, begin);
  }
}

void BlockState::merge(const BlockState& other) {
  std::vector<float> mine(static_cast<std::size_t>(rows), 1.0F);
  std::vector<float> theirs(static_cast<std::size_t>(rows), 0.0F);
  for (std::int64_t r = 0; r < rows; ++r) {
    if (other.row_sum[r] == 0.0F) continue;
    const float merged_max = std::max(row_max[r], other.row_max[r]);
    const float a = row_sum[r] == 0.0F ? 0.0F : std::exp2(row_max[r] - merged_max);
    const float b = std::exp2(other.row_max[r] - merged_max);
    const float my_dot = a == 0.0F ? 0.0F : row_dot[r] + row_sum[r] * (row_max[r] - merged_max);
    const float their_dot = other.row_dot[r] + other.row_sum[r] * (other.row_max[r] - merged_max);
    row_dot[r] = a * my_dot + (b == 0.0F ? 0.0F : b * their_dot);
    row_sum[r] = a * row_sum[r] + b * other.row_sum[r];
    row_max[r] = merged_max;
    mine[static_cast<std::size_t>(r)] = a;
    theirs[static_cast<std::size_t>(r)] = b;
  }
  merge_output(other, mine, theirs);
  merge_top(other);
}

}  // namespace whereof::attention
