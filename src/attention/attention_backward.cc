#include "whereof/attention_backward.h"

#include <algorithm>
#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

#include "attention/argument_checks.h"
#include "attention/backward_block.h"
#include "attention/backward_problem.h"
#include "attention/double_rows.h"
#include "attention/run_backward.h"
#include "attention/staged_rows.h"
#include "attention/tile_plan.h"
#include "attention/turn.h"
#include "kernels/kernel_set.h"
#include "memory/aligned_array.h"
#include "parallel/thread_pool.h"

namespace whereof {
namespace attention {
namespace {

// bf16 products where all operands are bf16.
const kernels::ProductKernels& products_for(const BackwardProblem& problem,
                                            const kernels::KernelSet& kernels) {
  const bool is_possible = kernels.pairs.elements_per_word == 2 &&
                           problem.forward.query.type == ElementType::bf16 &&
                           problem.forward.key.type == ElementType::bf16 &&
                           problem.grad_output.type == ElementType::bf16;
  return is_possible ? kernels.pairs : kernels.floats;
}

// One call on its way. Blocks of a head come one after the other and share its sums; the one that
// finishes last writes them out. Sums of a few heads exist at a time.
class Backward {
 public:
  Backward(const BackwardProblem& problem, const kernels::KernelSet& kernels, int threads,
           const std::stop_token& stop)
      : problem_(problem),
        stop_(stop),
        words_{kernels, products_for(problem, kernels)},
        plan_(problem.forward, backward_block_rows(problem.forward, words_.products)),
        heads_(problem.forward.batch * problem.forward.kv_heads),
        blocks_of_head_(heads_ == 0 ? 0 : plan_.blocks() / heads_),
        progress_(static_cast<std::size_t>(plan_.blocks())),
        running_(static_cast<std::size_t>(heads_)) {
    for (std::atomic<std::int64_t>& running : running_) running = blocks_of_head_;
    const int workers = parallel::ThreadPool::process().threads_for(threads);
    // Allocated before anything runs: a block that waits for one that failed would wait for ever.
    for (int i = 0; i < workers; ++i) {
      workers_.emplace_back(problem, words_);
    }
    const std::int64_t in_progress =
        blocks_of_head_ == 0 ? 1 : 1 + (2 * workers + blocks_of_head_ - 1) / blocks_of_head_;
    slots_ = std::min(heads_, in_progress);
    key_stride_ = words_.whole_vectors(problem.forward.head_dim);
    value_stride_ = words_.whole_vectors(problem.forward.value_dim);
    sums_ = memory::AlignedArray<float>(slots_ * floats_of_head());
  }

  void run(int threads) {
    if (blocks_of_head_ == 0) {
      for (std::int64_t head = 0; head < heads_; ++head) {
        clear_sums(head);
        write_sums(head);
      }
      return;
    }
    parallel::ThreadPool::process().for_each(
        plan_.blocks(), threads, [&](std::int64_t item, int worker) {
          run_block(item, workers_[static_cast<std::size_t>(worker)]);
        });
    check_stop(stop_);
  }

 private:
  static constexpr std::int64_t kWritten = -1;

  Progress& progress(std::int64_t item) { return progress_[static_cast<std::size_t>(item)]; }

  std::int64_t floats_of_head() const noexcept {
    return problem_.forward.key_length * (key_stride_ + value_stride_);
  }
  HeadGradients sums_of(std::int64_t head) noexcept {
    float* const key = sums_.data() + head % slots_ * floats_of_head();
    return {.key = key,
            .value = key + problem_.forward.key_length * key_stride_,
            .key_stride = key_stride_,
            .value_stride = value_stride_};
  }
  void clear_sums(std::int64_t head) noexcept {
    std::fill_n(sums_of(head).key, floats_of_head(), 0.0F);
  }

  void run_block(std::int64_t item, BackwardBlock& worker) {
    const std::int64_t head = item / blocks_of_head_;
    const bool is_first = item % blocks_of_head_ == 0;
    {
      Turn turn(is_first ? nullptr : &progress(item - 1), progress(item));
      if (is_first) {
        if (head >= slots_) wait_until_written(head - slots_);
        clear_sums(head);
      }
      // A block that is not to run any more still takes its turn: the next one waits for it.
      if (stop_.stop_requested()) {
        turn.wait_for_all();
      } else {
        worker.run(plan_.block(item), sums_of(head), turn);
      }
    }
    std::atomic<std::int64_t>& running = running_[static_cast<std::size_t>(head)];
    if (running.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    write_sums(head);
    running.store(kWritten, std::memory_order_release);
  }

  void wait_until_written(std::int64_t head) const noexcept {
    const std::atomic<std::int64_t>& running = running_[static_cast<std::size_t>(head)];
    while (running.load(std::memory_order_acquire) != kWritten) std::this_thread::yield();
  }

  void write_sums(std::int64_t head) noexcept {
    const Problem& forward = problem_.forward;
    const HeadGradients sums = sums_of(head);
    const std::int64_t batch = head / forward.kv_heads;
    const std::int64_t kv_head = head % forward.kv_heads;
    for (std::int64_t key = 0; key < forward.key_length; ++key) {
      store_row(sums.key + key * sums.key_stride, forward.scale, problem_.grad_key,
                problem_.grad_key.row_offset(batch, key, kv_head));
      store_row(sums.value + key * sums.value_stride, 1.0F, problem_.grad_value,
                problem_.grad_value.row_offset(batch, key, kv_head));
    }
  }

  const BackwardProblem& problem_;
  const std::stop_token& stop_;
  WordProducts words_;
  TilePlan plan_;
  std::int64_t heads_;  // batch * kv_heads
  std::int64_t blocks_of_head_;
  std::vector<Progress> progress_;                  // of a block
  std::vector<std::atomic<std::int64_t>> running_;  // blocks of a head that are not finished
  std::vector<BackwardBlock> workers_;
  std::int64_t slots_ = 0;  // heads that have sums at the same time
  std::int64_t key_stride_ = 0;
  std::int64_t value_stride_ = 0;
  memory::AlignedArray<float> sums_;  // [slots][key_length * (key_stride + value_stride)]
};

}  // namespace

void run_backward(const BackwardProblem& problem, const kernels::KernelSet& kernels, int threads,
                  const std::stop_token& stop) {
  if (problem.forward.query.type == ElementType::f64) {
    run_double_backward(problem, threads, stop);
    return;
  }
  Backward(problem, kernels, threads, stop).run(threads);
}

}  // namespace attention

void attention_backward(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const ConstTensorView& output,
                        const float* log_sum_exp, const ConstTensorView& grad_output,
                        const TensorView& grad_query, const TensorView& grad_key,
                        const TensorView& grad_value, const AttentionOptions& options) {
  const attention::BackwardProblem problem =
      attention::checked_backward_problem(query, key, value, output, log_sum_exp, grad_output,
                                          grad_query, grad_key, grad_value, options);
  const kernels::KernelSet& kernels = kernels::kernel_set_for(
      options.instruction_set ? *options.instruction_set : chosen_instruction_set());
  attention::run_backward(problem, kernels, options.threads, options.stop);
}

}  // namespace whereof
