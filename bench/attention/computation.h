// What a case computes, with its inputs and outputs.
#ifndef WHEREOF_BENCH_ATTENTION_COMPUTATION_H_
#define WHEREOF_BENCH_ATTENTION_COMPUTATION_H_

#include <memory>

#include "attention/bench_case.h"
#include "whereof/attention.h"

namespace whereof::bench {

class Computation {
 public:
  virtual ~Computation() = default;
  // Once, into the outputs that the constructor made and touched. `with_evidence` asks for the
  // evidence of all rows summed over 200 spans, where the computation has evidence.
  virtual void run(bool with_evidence) = 0;
};

std::unique_ptr<Computation> make_computation(const BenchCase& bench_case,
                                              const AttentionOptions& options);

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_COMPUTATION_H_
