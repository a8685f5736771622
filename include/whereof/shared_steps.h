// Contexts of one model that compute together.
//
// Threads that each read a few tokens of a context of their own (a token of an answer, say) and
// come while others are computed are computed together: the weights are read once for all, each
// row attends to its own cache. Blocks of many tokens run one at a time, the contexts taking turns;
// a block pauses between two items of work where few tokens are waiting, and then goes on for as
// long as those took, so that neither starves.
//
// What a context reads has the same bits as without others. What is wrong with one context's
// tokens is an error of that context alone.
#ifndef WHEREOF_SHARED_STEPS_H_
#define WHEREOF_SHARED_STEPS_H_

#include <cstdint>
#include <memory>

#include "whereof/model.h"

namespace whereof {

struct SharedStepsOptions {
  int threads = 0;                // 0: all of the process's pool
  std::int64_t block_tokens = 0;  // largest block of the contexts; 0: chosen by the runtime
  std::int64_t joined_rows = 32;  // most tokens that are computed together
};

struct StepCounts {
  std::int64_t joined_steps = 0;   // few tokens, of one or several contexts
  std::int64_t joined_tokens = 0;  // of all those steps
  std::int64_t blocks = 0;
  std::int64_t pauses = 0;  // of blocks, for a joined step
};

// Thread-safe; lives as long as a context that it was given to.
class SharedSteps {
 public:
  // Throws Error: invalid_argument for a model of other making, negative options, joined_rows
  // under 4 or over 1,024; out_of_memory, before allocating.
  static std::shared_ptr<SharedSteps> create(std::shared_ptr<const Model> model,
                                             const SharedStepsOptions& options = {});
  virtual ~SharedSteps() = default;

  // Since the beginning.
  virtual StepCounts counts() const = 0;
};

}  // namespace whereof

#endif  // WHEREOF_SHARED_STEPS_H_
