#include "attention/double_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "attention/argument_checks.h"
#include "parallel/thread_pool.h"

namespace whereof::attention {
namespace {

const double* row_at(const ConstTensorView& view, std::int64_t at) noexcept {
  return static_cast<const double*>(view.data) + at;
}
double* row_at(const TensorView& view, std::int64_t at) noexcept {
  return static_cast<double*>(view.data) + at;
}

// In eight sums, which the compiler keeps in vectors.
double dot(const double* a, const double* b, std::int64_t count) noexcept {
  constexpr std::int64_t kSums = 8;
  double sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::int64_t j = 0; j < kSums; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < count; ++i) sums[i % kSums] += a[i] * b[i];
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

void add(double factor, const double* from, double* to, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

// One query row and what it scores.
class ScoredRow {
 public:
  explicit ScoredRow(const Problem& problem)
      : problem_(problem), scores_(static_cast<std::size_t>(problem.key_length)) {}

  void load(std::int64_t batch, std::int64_t kv_head, std::int64_t flat_row) {
    batch_ = batch;
    kv_head_ = kv_head;
    row_ = flat_row / problem_.group_size;
    head_ = kv_head * problem_.group_size + flat_row % problem_.group_size;
    problem_.visibility.runs_of(batch, row_, row_, {0, problem_.key_length}, runs_);
    const double* const query = row_at(problem_.query, offset_in(problem_.query));
    const double cap = problem_.soft_cap;
    largest_ = -std::numeric_limits<double>::infinity();
    for_each_key([&](std::int64_t key) {
      const double score = problem_.exact_scale * dot(query, key_at(key), problem_.head_dim);
      double& kept = scores_[static_cast<std::size_t>(key)];
      kept = cap > 0 ? cap * std::tanh(score / cap) : score;
      largest_ = std::max(largest_, kept);
    });
  }

  template <typename F>
  void for_each_key(F&& f) const {
    for (const Span run : runs_) {
      for (std::int64_t key = run.begin; key < run.end; ++key) f(key);
    }
  }
  const std::vector<Span>& runs() const noexcept { return runs_; }
  double score(std::int64_t key) const noexcept { return scores_[static_cast<std::size_t>(key)]; }
  double largest() const noexcept { return largest_; }
  // Where the row lies in a tensor of queries.
  std::int64_t offset_in(const ConstTensorView& view) const noexcept {
    return view.row_offset(batch_, row_, head_);
  }
  const double* key_at(std::int64_t key) const noexcept {
    return row_at(problem_.key, problem_.key_offset(problem_.key, batch_, key, kv_head_));
  }
  const double* value_at(std::int64_t key) const noexcept {
    return row_at(problem_.value, problem_.key_offset(problem_.value, batch_, key, kv_head_));
  }

 private:
  const Problem& problem_;
  std::int64_t batch_ = 0;
  std::int64_t kv_head_ = 0;
  std::int64_t row_ = 0;
  std::int64_t head_ = 0;
  std::vector<Span> runs_;  // of keys that the row sees
  std::vector<double> scores_;
  double largest_ = 0;
};

// The weight of each key before the sums are divided out, 2^(score - row_max), [key_length].
using Weights = std::vector<double>;

// Writes the output and, into `state`, the sums of row r.
void attend(const Problem& problem, const ScoredRow& row, Weights& weights, BlockState& state,
            std::int64_t r) {
  double* const output = row_at(problem.output, row.offset_in(problem.output));
  std::fill_n(output, problem.value_dim, 0.0);
  if (row.runs().empty()) return;
  state.row_max[r] = static_cast<float>(row.largest() * std::numbers::log2e);
  const double row_max = state.row_max[r];  // the float, so that what is left of it is in the sums
  double sum = 0;
  double sum_of_scores = 0;
  row.for_each_key([&](std::int64_t key) {
    const double below_max = row.score(key) * std::numbers::log2e - row_max;
    const double weight = std::exp2(below_max);
    weights[static_cast<std::size_t>(key)] = weight;
    sum += weight;
    sum_of_scores += weight * below_max;
    add(weight, row.value_at(key), output, problem.value_dim);
  });
  for (std::int64_t d = 0; d < problem.value_dim; ++d) output[d] /= sum;
  state.row_sum[r] = static_cast<float>(sum);
  state.row_dot[r] = static_cast<float>(sum_of_scores);
}

// `walk` stands before the first key.
void fill_bins(const ScoredRow& row, const Weights& weights, SpanWalk walk,
               std::vector<Segment>& segments, BlockState& state, std::int64_t r) {
  for (std::int64_t bin = 0; bin < state.bins; ++bin) {
    state.bin_max[bin * state.stride + r] = state.row_max[r];
  }
  for (const Span run : row.runs()) {
    walk.segments_of(run, segments);
    auto weight = weights.begin() + run.begin;
    for (const Segment& segment : segments) {
      double sum = 0;
      const auto end = weights.begin() + run.begin + segment.end;
      for (; weight != end; ++weight) sum += *weight;
      state.bin_sum[segment.bin * state.stride + r] += static_cast<float>(sum);
      if (segment.is_sink) state.bin_sum[kSinkBin * state.stride + r] += static_cast<float>(sum);
    }
  }
}

void keep_top(const ScoredRow& row, std::vector<std::int64_t>& keys, BlockState& state,
              std::int64_t r) {
  if (std::isnan(state.row_sum[r])) return;  // nothing is larger than a score that is no number
  keys.clear();
  row.for_each_key([&](std::int64_t key) { keys.push_back(key); });
  const std::int64_t count = std::min(state.top_keys, static_cast<std::int64_t>(keys.size()));
  std::partial_sort(keys.begin(), keys.begin() + count, keys.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      return row.score(a) != row.score(b) ? row.score(a) > row.score(b) : a < b;
                    });
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t key = keys[static_cast<std::size_t>(i)];
    const auto score = static_cast<float>(row.score(key) * std::numbers::log2e);
    state.top[static_cast<std::size_t>(r * state.top_keys + i)] = {score, key};
  }
}

// Adds what one row gives to the gradients of the keys that it sees, and writes its own.
void add_gradients(const BackwardProblem& problem, const ScoredRow& row, std::int64_t batch,
                   std::int64_t kv_head) {
  const Problem& forward = problem.forward;
  const double* const query = row_at(forward.query, row.offset_in(forward.query));
  const double* const grad_output = row_at(problem.grad_output, row.offset_in(problem.grad_output));
  double* const grad_query = row_at(problem.grad_query, row.offset_in(problem.grad_query));
  std::fill_n(grad_query, forward.head_dim, 0.0);
  double sum = 0;
  row.for_each_key([&](std::int64_t key) { sum += std::exp(row.score(key) - row.largest()); });
  const double of_row =
      dot(grad_output, row_at(problem.output, row.offset_in(problem.output)), forward.value_dim);
  row.for_each_key([&](std::int64_t key) {
    const double weight = std::exp(row.score(key) - row.largest()) / sum;
    const double grad_weight = dot(grad_output, row.value_at(key), forward.value_dim);
    const double capped = forward.soft_cap > 0 ? row.score(key) / forward.soft_cap : 0;
    const double grad_score =
        forward.exact_scale * weight * (grad_weight - of_row) * (1 - capped * capped);
    double* const grad_key =
        row_at(problem.grad_key, problem.grad_key.row_offset(batch, key, kv_head));
    double* const grad_value =
        row_at(problem.grad_value, problem.grad_value.row_offset(batch, key, kv_head));
    add(grad_score, row.key_at(key), grad_query, forward.head_dim);
    add(grad_score, query, grad_key, forward.head_dim);
    add(weight, grad_output, grad_value, forward.value_dim);
  });
}

}  // namespace

void run_double_block(const Problem& problem, std::int64_t lanes, const EvidenceRequest* request,
                      const WorkBlock& block, BlockState& state) {
  SpanWalk walk;
  if (request != nullptr) {
    walk = SpanWalk(request->key_spans, request->sink_length, {0, problem.key_length});
  }
  state.reset({.rows = block.rows,
               .lanes = lanes,
               .value_dim = 0,
               .bins = walk.bins(),
               .top_keys = request != nullptr ? request->top_keys : 0});
  state.first_span = walk.first_span();
  ScoredRow row(problem);
  Weights weights(static_cast<std::size_t>(problem.key_length));
  std::vector<Segment> segments;
  std::vector<std::int64_t> keys;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    row.load(block.batch, block.kv_head, block.first_row + r);
    attend(problem, row, weights, state, r);
    if (row.runs().empty()) continue;
    if (state.bins > 0) fill_bins(row, weights, walk, segments, state, r);
    if (state.top_keys > 0) keep_top(row, keys, state, r);
  }
}

void run_double_backward(const BackwardProblem& problem, int threads, const std::stop_token& stop) {
  const Problem& forward = problem.forward;
  const std::int64_t heads = forward.batch * forward.kv_heads;
  parallel::ThreadPool::process().for_each(heads, threads, [&](std::int64_t item, int) {
    const std::int64_t batch = item / forward.kv_heads;
    const std::int64_t kv_head = item % forward.kv_heads;
    for (std::int64_t key = 0; key < forward.key_length; ++key) {
      const TensorView& grad_key = problem.grad_key;
      const TensorView& grad_value = problem.grad_value;
      std::fill_n(row_at(grad_key, grad_key.row_offset(batch, key, kv_head)), forward.head_dim,
                  0.0);
      std::fill_n(row_at(grad_value, grad_value.row_offset(batch, key, kv_head)), forward.value_dim,
                  0.0);
    }
    ScoredRow row(forward);
    for (std::int64_t flat = 0; flat < forward.query_length * forward.group_size; ++flat) {
      check_stop(stop);
      row.load(batch, kv_head, flat);
      add_gradients(problem, row, batch, kv_head);
    }
  });
}

}  // namespace whereof::attention
