// Speeds of this machine with each model, measured once and corrected by what each run took.
#ifndef WHEREOF_WORKSPACE_MACHINE_FILE_H_
#define WHEREOF_WORKSPACE_MACHINE_FILE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "whereof/answer.h"
#include "whereof/budget.h"
#include "whereof/model.h"

namespace whereof::workspace {

// The speeds kept for this model, instruction set and thread count; measured now (about a second)
// when there are none or is_fresh asks for it. Attention is checked before (whereof/health.h):
// Error(failed_check), which names the fault, where it is not what its formula says. A file that
// cannot be read or written costs the measurement, nothing else.
MachineSpeed machine_speed(const std::shared_ptr<const Model>& model, int threads, bool is_fresh);

// Moves the kept speeds towards what reading this answer's prompt and writing the answer took, and
// notes prediction and time. is_alone: no other question was answered beside it.
void learn_speed(const Model& model, int threads, const MachineSpeed& used, const Answer& answer,
                 bool is_alone);

// A prompt that was read: what was predicted, and what it took.
struct PastRun {
  std::int64_t tokens = 0;
  double predicted_seconds = 0;
  double took_seconds = 0;
};
// The last ten with this model, instruction set and thread count, the latest last.
std::vector<PastRun> past_runs(const Model& model, int threads);

}  // namespace whereof::workspace

#endif  // WHEREOF_WORKSPACE_MACHINE_FILE_H_
