#include "attention/backward_block.h"

#include <algorithm>
#include <cmath>

namespace whereof::attention {
namespace {

constexpr double kLog2E = 1.44269504088896340736;
// Of a tile, at least: sums of grad_query are loaded and stored once for so many.
constexpr std::int64_t kLeastTileKeys = 128;
constexpr std::int64_t kPadding = 16;  // keeps rows from lying a power of two apart
// As log_sum_exp: every weight of the row is 2^-huge, that is 0.
constexpr float kSeesNothing = 3.0e38F;

memory::AlignedArray<float> zeros(std::int64_t size) {
  memory::AlignedArray<float> array(size);
  std::fill_n(array.data(), size, 0.0F);
  return array;
}

// In sixteen sums, which the compiler keeps in vectors.
float dot_of(const float* a, const float* b, std::int64_t count) noexcept {
  constexpr std::int64_t kSums = 16;
  float sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::int64_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < count; ++i) sums[i % kSums] += a[i] * b[i];
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

bool is_finite(const float* row, std::int64_t count) noexcept {
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += row[i] * 0.0F;
  return sum == 0.0F;
}

}  // namespace

std::int64_t backward_block_rows(const Problem& problem, const kernels::ProductKernels& products) {
  constexpr std::int64_t kLargeBlock = 128;
  const std::int64_t rows = products.block.rows;
  const bool is_long = problem.query_length * problem.group_size >= 16 * rows;
  return is_long && rows < kLargeBlock ? 2 * rows : rows;
}

BackwardBlock::Operand::Operand(const WordProducts& words, std::int64_t row_count,
                                std::int64_t elements_in, std::int64_t panel_stride)
    : elements(elements_in),
      value_stride(words.whole_vectors(elements) + kPadding),
      row_stride(words.has_pairs() ? words.words(elements) : value_stride),
      rows(zeros(row_count * row_stride)),
      panel(zeros(words.words(elements) * panel_stride)) {
  if (words.has_pairs()) values = zeros(words.words(row_count) * value_stride);
}

void BackwardBlock::Operand::transpose(const WordProducts& words, std::int64_t row_count,
                                       std::int64_t panel_stride) {
  const std::int64_t depth = words.words(elements);
  std::fill_n(panel.data(), depth * panel_stride, 0.0F);
  transpose_rows(rows.data(), row_stride, row_count, depth, panel.data(), panel_stride);
}

void BackwardBlock::Operand::make_values(const WordProducts& words, std::int64_t row_count) {
  if (!words.has_pairs()) return;  // the rows are values as they lie
  pair_rows(words, rows.data(), row_stride, row_count, elements, values.data(), value_stride);
}

BackwardBlock::BackwardBlock(const BackwardProblem& problem, const WordProducts& words)
    : problem_(problem),
      words_(words),
      block_rows_(backward_block_rows(problem.forward, words.products)),
      tile_keys_(std::max<std::int64_t>(kLeastTileKeys, words.products.block.keys)),
      query_(words, block_rows_, problem.forward.head_dim, block_rows_),
      grad_output_(words, block_rows_, problem.forward.value_dim, block_rows_),
      key_(words, tile_keys_, problem.forward.head_dim, 0),
      value_(words, tile_keys_, problem.forward.value_dim, 0),
      scores_(zeros(tile_keys_ * block_rows_)),
      gradients_(zeros(tile_keys_ * block_rows_)),
      gradient_columns_(zeros((tile_keys_ + 1) / 2 * block_rows_)),
      grad_query_(zeros(problem.forward.head_dim * block_rows_)),
      log_sum_exp_(zeros(block_rows_)),
      rest_(zeros(block_rows_)),
      dot_(zeros(block_rows_)),
      visible_(zeros(4 * block_rows_)),
      ones_(block_rows_) {
  std::fill_n(ones_.data(), ones_.size(), 1.0F);
  const std::int64_t widest = std::max(problem.forward.head_dim, problem.forward.value_dim);
  for (auto& row : wide_) row = zeros(widest);
}

bool BackwardBlock::load_row(const WorkBlock& block, std::int64_t r) {
  const Problem& forward = problem_.forward;
  const std::int64_t flat = block.first_row + r;
  const std::int64_t head = block.kv_head * forward.group_size + flat % forward.group_size;
  const std::int64_t row = flat / forward.group_size;
  float* const grad = wide_[0].data();
  float* const other = wide_[1].data();
  const std::int64_t query_at = row_offset(forward, forward.query, block, r);
  const std::int64_t grad_at = row_offset(forward, problem_.grad_output, block, r);
  stage_row(words_, forward.query, query_at, query_.rows.data() + r * query_.row_stride);
  stage_row(words_, problem_.grad_output, grad_at,
            grad_output_.rows.data() + r * grad_output_.row_stride);
  widen_row(words_, problem_.grad_output, grad_at, grad);
  widen_row(words_, problem_.output, row_offset(forward, problem_.output, block, r), other);
  dot_[r] = dot_of(grad, other, forward.value_dim);
  widen_row(words_, forward.query, query_at, other);
  const bool is_clean = is_finite(grad, forward.value_dim) && is_finite(other, forward.head_dim) &&
                        std::isfinite(dot_[r]);
  const float natural =
      problem_.log_sum_exp[(block.batch * forward.query_heads + head) * forward.query_length + row];
  const bool sees_nothing = std::isinf(natural) && natural < 0 && is_clean;
  const double exact = natural * kLog2E;
  log_sum_exp_[r] = sees_nothing ? kSeesNothing : static_cast<float>(exact);
  const bool is_whole = is_clean && std::isfinite(log_sum_exp_[r]);
  rest_[r] = is_whole && !sees_nothing
                 ? static_cast<float>(exact - static_cast<double>(log_sum_exp_[r]))
                 : 0.0F;
  return is_whole;
}

// Brings the block's rows in. False where one of them is not finite.
bool BackwardBlock::load(const WorkBlock& block) {
  rows_ = block.rows;
  stride_ = words_.whole_vectors(rows_);
  bool is_clean = true;
  for (std::int64_t r = 0; r < rows_; ++r) is_clean = load_row(block, r) && is_clean;
  std::fill(log_sum_exp_.data() + rows_, log_sum_exp_.data() + stride_, kSeesNothing);
  std::fill(rest_.data() + rows_, rest_.data() + stride_, 0.0F);
  std::fill(dot_.data() + rows_, dot_.data() + stride_, 0.0F);
  std::fill_n(grad_query_.data(), problem_.forward.head_dim * stride_, 0.0F);
  for (Operand* operand : {&query_, &grad_output_}) {
    operand->transpose(words_, rows_, stride_);
    operand->make_values(words_, rows_);
  }
  return is_clean;
}

void BackwardBlock::run(const WorkBlock& block, const HeadGradients& sums, Turn& turn) {
  if (load(block)) {
    run_rows(block, sums, turn);
    return;
  }
  // In a product over the rows of a tile 0 * NaN would reach keys that the row does not see. Alone,
  // a row meets no other keys than its own.
  turn.hold();
  for (std::int64_t r = 0; r < block.rows; ++r) {
    WorkBlock alone = block;
    alone.first_row += r;
    alone.rows = 1;
    load(alone);
    run_rows(alone, sums, turn);
  }
}

void BackwardBlock::run_rows(const WorkBlock& block, const HeadGradients& sums, Turn& turn) {
  const Problem& forward = problem_.forward;
  const std::int64_t first_row = block.first_row / forward.group_size;
  const std::int64_t last_row = (block.first_row + block.rows - 1) / forward.group_size;
  const Visibility& visibility = forward.visibility;
  visibility.runs_of(block.batch, first_row, last_row, {0, forward.key_length}, runs_);
  for (const Span keys : runs_) {
    for (Span tile{keys.begin, 0}; tile.begin < keys.end; tile.begin = tile.end) {
      tile.end = std::min(tile.begin + tile_keys_, keys.end);
      stage_keys(block, tile);
      compute_scores(tile);
      if (!visibility.is_full(block.batch, first_row, last_row, tile)) mask(block, tile);
      compute_gradients(tile);
      add_to_query(tile);
      turn.wait(tile.end);
      add_to_keys(sums, tile);
      turn.pass(tile.end);
    }
  }
  if (runs_.empty()) turn.wait_for_all();
  write_grad_query(block);
}

void BackwardBlock::stage_keys(const WorkBlock& block, Span tile) {
  const Problem& forward = problem_.forward;
  for (std::int64_t i = 0; i < tile.length(); ++i) {
    stage_row(words_, forward.key,
              forward.key.row_offset(block.batch, tile.begin + i, block.kv_head),
              key_.rows.data() + i * key_.row_stride);
    stage_row(words_, forward.value,
              forward.value.row_offset(block.batch, tile.begin + i, block.kv_head),
              value_.rows.data() + i * value_.row_stride);
  }
  key_.make_values(words_, tile.length());
}

void BackwardBlock::compute_scores(Span tile) {
  const auto product = [&](const Operand& panel, const Operand& rows, float factor, float* to) {
    words_.products.score({.panel = panel.panel.data(),
                           .rows = rows.rows.data(),
                           .scores = to,
                           .row_stride = rows.row_stride,
                           .row_count = tile.length(),
                           .depth = words_.words(rows.elements),
                           .columns = stride_,
                           .stride = stride_,
                           .factor = factor});
  };
  const Problem& forward = problem_.forward;
  const auto log2e = static_cast<float>(kLog2E);
  const bool is_capped = forward.soft_cap > 0;
  product(query_, key_, is_capped ? forward.scale / forward.soft_cap : forward.scale * log2e,
          scores_.data());
  if (is_capped) {
    words_.kernels.cap({.scores = scores_.data(),
                        .lines = tile.length(),
                        .columns = stride_,
                        .stride = stride_,
                        .factor = forward.soft_cap * log2e});
  }
  product(grad_output_, value_, 1.0F, gradients_.data());
}

void BackwardBlock::mask(const WorkBlock& block, Span tile) {
  const Problem& forward = problem_.forward;
  float* const bounds[4] = {visible_.data(), visible_.data() + stride_,
                            visible_.data() + 2 * stride_, visible_.data() + 3 * stride_};
  const auto inside = [&](std::int64_t key) {
    return static_cast<float>(std::clamp<std::int64_t>(key - tile.begin, 0, tile.length()));
  };
  for (std::int64_t r = 0; r < rows_; ++r) {
    const VisibleKeys seen =
        forward.visibility.of_row(block.batch, (block.first_row + r) / forward.group_size);
    bounds[0][r] = inside(seen.sinks.begin);
    bounds[1][r] = inside(seen.sinks.end);
    bounds[2][r] = inside(seen.keys.begin);
    bounds[3][r] = inside(seen.keys.end);
  }
  words_.kernels.mask({.scores = scores_.data(),
                       .sinks_begin = bounds[0],
                       .sinks_end = bounds[1],
                       .begin = bounds[2],
                       .end = bounds[3],
                       .key_count = tile.length(),
                       .columns = stride_,
                       .stride = stride_});
}

void BackwardBlock::compute_gradients(Span tile) {
  const float soft_cap = problem_.forward.soft_cap;
  const auto compute = words_.has_pairs() ? words_.kernels.pair_packing.softmax_gradient
                                          : words_.kernels.softmax_gradient;
  compute({.scores = scores_.data(),
           .gradients = gradients_.data(),
           .gradient_columns = gradient_columns_.data(),
           .log_sum_exp = log_sum_exp_.data(),
           .rest = rest_.data(),
           .dot = dot_.data(),
           .inverse_cap = soft_cap > 0 ? 1.0F / (soft_cap * static_cast<float>(kLog2E)) : 0.0F,
           .key_count = tile.length(),
           .columns = stride_,
           .stride = stride_});
}

void BackwardBlock::add_to_query(Span tile) {
  words_.products.value(
      {.weights = words_.has_pairs() ? gradient_columns_.data() : gradients_.data(),
       .values = key_.as_values(),
       .output = grad_query_.data(),
       .rescale = ones_.data(),
       .value_stride = key_.value_stride,
       .key_count = words_.words(tile.length()),
       .value_dim = problem_.forward.head_dim,
       .columns = stride_,
       .stride = stride_});
}

void BackwardBlock::add_to_keys(const HeadGradients& sums, Span tile) {
  const auto product = [&](const float* weights, const Operand& rows, float* to,
                           std::int64_t to_stride) {
    words_.products.gradient({.weights = weights,
                              .rows = rows.as_values(),
                              .sums = to + tile.begin * to_stride,
                              .weight_stride = stride_,
                              .row_stride = rows.value_stride,
                              .sum_stride = to_stride,
                              .row_count = words_.words(rows_),
                              .key_count = tile.length(),
                              .columns = words_.whole_vectors(rows.elements)});
  };
  product(scores_.data(), grad_output_, sums.value, sums.value_stride);
  product(gradients_.data(), query_, sums.key, sums.key_stride);
}

void BackwardBlock::write_grad_query(const WorkBlock& block) {
  const Problem& forward = problem_.forward;
  float* const row = wide_[0].data();
  for (std::int64_t r = 0; r < rows_; ++r) {
    for (std::int64_t d = 0; d < forward.head_dim; ++d) row[d] = grad_query_[d * stride_ + r];
    store_row(row, forward.scale, problem_.grad_query,
              row_offset(forward, problem_.grad_query, block, r));
  }
}

}  // namespace whereof::attention
