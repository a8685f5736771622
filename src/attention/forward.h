// attention_forward with a kernel set that the caller holds: it may be one that no registry knows.
#ifndef WHEREOF_ATTENTION_FORWARD_H_
#define WHEREOF_ATTENTION_FORWARD_H_

#include <stop_token>

#include "attention/problem.h"
#include "kernels/kernel_set.h"
#include "whereof/attention.h"

namespace whereof::attention {

// log_sum_exp, and request with evidence, may be null. Error(cancelled) when stopped.
void run_forward(const Problem& problem, const kernels::KernelSet& kernels, int threads,
                 float* log_sum_exp, const EvidenceRequest* request, Evidence* evidence,
                 const std::stop_token& stop = {});

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_FORWARD_H_
