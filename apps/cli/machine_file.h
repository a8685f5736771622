// Speeds of this machine with each model, measured once and corrected by what each run took.
#ifndef WHEREOF_CLI_MACHINE_FILE_H_
#define WHEREOF_CLI_MACHINE_FILE_H_

#include <memory>

#include "whereof/answer.h"
#include "whereof/budget.h"
#include "whereof/model.h"

namespace whereof::cli {

// The speeds kept for this model, instruction set and thread count; measured now (about a second)
// when there are none or is_fresh asks for it. A file that cannot be read or written costs the
// measurement, nothing else.
MachineSpeed machine_speed(const std::shared_ptr<const Model>& model, int threads, bool is_fresh);

// Moves the kept speeds towards what this answer's prompt took.
void learn_speed(const Model& model, int threads, const MachineSpeed& used, const Answer& answer);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_MACHINE_FILE_H_
