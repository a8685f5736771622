// attention_backward with a kernel set that the caller holds: it may be one that no registry knows.
#ifndef WHEREOF_ATTENTION_RUN_BACKWARD_H_
#define WHEREOF_ATTENTION_RUN_BACKWARD_H_

#include <stop_token>

#include "attention/backward_problem.h"
#include "kernels/kernel_set.h"

namespace whereof::attention {

// Error(cancelled) when stopped.
void run_backward(const BackwardProblem& problem, const kernels::KernelSet& kernels, int threads,
                  const std::stop_token& stop = {});

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_RUN_BACKWARD_H_
