#include <cmath>
#include <limits>
#include <optional>

#include "attention/argument_checks.h"
#include "attention/block_output.h"
#include "attention/evidence_table.h"
#include "attention/forward.h"
#include "attention/problem.h"
#include "attention/row_block.h"
#include "attention/tile_plan.h"
#include "kernels/kernel_set.h"
#include "parallel/thread_pool.h"
#include "whereof/attention.h"

namespace whereof {
namespace attention {
namespace {

constexpr double kLn2 = 0.693147180559945309417;

// One call on its way.
class Forward {
 public:
  Forward(const Problem& problem, const kernels::KernelSet& kernels, const EvidenceRequest* request,
          float* log_sum_exp, const std::stop_token& stop)
      : problem_(problem),
        kernels_(kernels),
        request_(request),
        plan_(problem, products_for(problem, kernels).block.rows),
        log_sum_exp_(log_sum_exp),
        stop_(stop) {
    if (request == nullptr) return;
    table_.emplace(problem, *request);
    if (log_sum_exp_ != nullptr) return;
    const std::int64_t rows = problem.batch * problem.query_heads * problem.query_length;
    own_log_sum_exp_.resize(static_cast<std::size_t>(rows));
    log_sum_exp_ = own_log_sum_exp_.data();
  }

  void run(int threads) {
    parallel::ThreadPool& pool = parallel::ThreadPool::process();
    if (plan_.pieces() == 1) {
      pool.for_each(plan_.blocks(), threads, [&](std::int64_t item, int) {
        check_stop(stop_);
        Workspace& workspace = workspace_of_thread();
        const WorkBlock block = plan_.block(item);
        run_block(problem_, kernels_, request_, block, plan_.keys_of_piece(0), workspace,
                  workspace.state);
        finish(block, std::span(&workspace.state, 1));
      });
      return;
    }
    std::vector<BlockState> states(static_cast<std::size_t>(plan_.blocks() * plan_.pieces()));
    const auto items = static_cast<std::int64_t>(states.size());
    pool.for_each(items, threads, [&](std::int64_t item, int) {
      check_stop(stop_);
      run_block(problem_, kernels_, request_, plan_.block(item / plan_.pieces()),
                plan_.keys_of_piece(item % plan_.pieces()), workspace_of_thread(),
                states[static_cast<std::size_t>(item)]);
    });
    pool.for_each(plan_.blocks(), threads, [&](std::int64_t index, int) {
      const std::span<BlockState> pieces(states.data() + index * plan_.pieces(),
                                         static_cast<std::size_t>(plan_.pieces()));
      for (std::size_t i = 1; i < pieces.size(); ++i) pieces[0].merge(pieces[i]);
      finish(plan_.block(index), pieces);
    });
  }

  void write_evidence(Evidence& evidence) const { table_->write(log_sum_exp_, evidence); }

 private:
  Workspace& workspace_of_thread() const {
    thread_local Workspace workspace;
    workspace.reserve(problem_, kernels_);
    return workspace;
  }

  // pieces[0] holds the merged state.
  void finish(const WorkBlock& block, std::span<const BlockState> pieces) {
    const BlockState& state = pieces[0];
    std::vector<float> row_log_sum_exp;
    for (std::int64_t r = 0; r < block.rows; ++r) {
      const std::int64_t flat = block.first_row + r;
      const std::int64_t row = flat / problem_.group_size;
      const std::int64_t head = block.kv_head * problem_.group_size + flat % problem_.group_size;
      const float sum = state.row_sum[r];
      const double exact =
          (static_cast<double>(state.row_max[r]) + std::log2(static_cast<double>(sum))) * kLn2;
      const float figure =
          sum == 0.0F ? -std::numeric_limits<float>::infinity() : static_cast<float>(exact);
      row_log_sum_exp.push_back(figure);
      if (log_sum_exp_ == nullptr) continue;
      log_sum_exp_[(block.batch * problem_.query_heads + head) * problem_.query_length + row] =
          figure;
    }
    // Rows of f64 have been written where they were computed (double_rows.h).
    if (problem_.output.type != ElementType::f64) write_block_output(problem_, block, state);
    if (table_) table_->add(kernels_, block, {&state, pieces, row_log_sum_exp.data()});
  }

  const Problem& problem_;
  const kernels::KernelSet& kernels_;
  const EvidenceRequest* request_;
  TilePlan plan_;
  std::optional<EvidenceTable> table_;
  float* log_sum_exp_;
  std::vector<float> own_log_sum_exp_;
  const std::stop_token& stop_;
};

}  // namespace

void run_forward(const Problem& problem, const kernels::KernelSet& kernels, int threads,
                 float* log_sum_exp, const EvidenceRequest* request, Evidence* evidence,
                 const std::stop_token& stop) {
  check_request(problem, request, evidence);
  Forward forward(problem, kernels, request, log_sum_exp, stop);
  forward.run(threads);
  if (evidence != nullptr) forward.write_evidence(*evidence);
}

}  // namespace attention

void attention_forward(const ConstTensorView& query, const ConstTensorView& key,
                       const ConstTensorView& value, const TensorView& output,
                       const AttentionOptions& options, float* log_sum_exp,
                       const EvidenceRequest* evidence_request, Evidence* evidence) {
  const attention::Problem problem = attention::checked_problem(query, key, value, output, options);
  const kernels::KernelSet& kernels = kernels::kernel_set_for(
      options.instruction_set ? *options.instruction_set : chosen_instruction_set());
  attention::run_forward(problem, kernels, options.threads, log_sum_exp, evidence_request, evidence,
                         options.stop);
}

}  // namespace whereof
