// Runs the steps of the contexts of one model: SharedSteps of those that share it, and what a
// context that shares nothing has for itself.
#ifndef WHEREOF_MODEL_STEP_RUNNER_H_
#define WHEREOF_MODEL_STEP_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/loaded_model.h"
#include "model/step.h"
#include "model/transformer.h"
#include "model/turns.h"
#include "whereof/shared_steps.h"

namespace whereof::model {

// What a StepRunner has room for; nothing of it is left to the runtime.
struct StepRoom {
  int threads = 0;
  std::int64_t block_tokens = 0;
  std::int64_t joined_rows = linear::Multiplier::kMostFewRows;  // or more
};

// What is meant by ContextOptions::block_tokens and SharedStepsOptions::block_tokens. Throws
// Error(invalid_argument) for a number that cannot be.
std::int64_t resolved_block_tokens(std::int64_t asked, std::int64_t capacity);

class StepRunner final : public SharedSteps {
 public:
  // `model` is what `owner` holds.
  StepRunner(std::shared_ptr<const Model> owner, const LoadedModel& model, const StepRoom& room);
  static std::int64_t bytes_needed(const LoadedModel& model, const StepRoom& room);

  // Runs all layers of the step, which the context `owner` wants: alone if its rows are many, else
  // with what else there is. Throws Error(cancelled) when it is stopped, and what its parts fail
  // with.
  void run(const void* owner, Step& step);
  // The context wants no more for now.
  void leave(const void* owner) { turns_.leave(owner); }

  const LoadedModel& model() const noexcept { return model_; }
  std::int64_t block_tokens() const noexcept { return room_.block_tokens; }
  StepCounts counts() const override;

 private:
  class JointRun;

  void run_block(Step& step);

  std::shared_ptr<const Model> owner_;
  const LoadedModel& model_;
  StepRoom room_;
  Transformer blocks_;
  Transformer joined_;  // of its own: a block that pauses has its rows in the other
  Turns turns_;
  std::atomic<std::int64_t> joined_tokens_{0};
};

// What SharedSteps::create made, null for null; Error(invalid_argument) for others.
StepRunner* step_runner_of(SharedSteps* steps);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_STEP_RUNNER_H_
