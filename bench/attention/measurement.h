// One case measured: its first run, whose memory is watched, and its rounds.
#ifndef WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_
#define WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "attention/bench_case.h"
#include "attention/computation.h"
#include "attention/machine_peak.h"

namespace whereof::bench {

struct Seconds {
  double median = 0;
  double fastest = 0;
};

struct Round {
  Seconds timed;                 // with evidence, where the case has evidence
  std::optional<Seconds> plain;  // without, where that is measured too
  double peak = 0;               // per second, measured in turn with the runs
};

class Measurement {
 public:
  // Builds the inputs and runs once: with `set`, else with the set that the case forces, else with
  // the one that is chosen here. Throws Error(unsupported) for a set that cannot run here.
  Measurement(const BenchCase& bench_case, std::optional<InstructionSet> set);

  // The peak and the case without and with evidence, in turn.
  Round round();

  const BenchCase& bench_case() const { return case_; }
  InstructionSet set() const { return set_; }
  int threads() const { return threads_; }
  Peak peak() const { return peak_; }
  // FLOPs, or bytes where read bandwidth is the peak.
  double work() const;
  // The run in the constructor, which touches its working memory for the first time.
  const Round& first() const { return first_; }
  // What that run took of all processors together.
  double first_processor_seconds() const { return first_processor_seconds_; }
  // Resident memory of the first run at its highest, above inputs and outputs; the evidence counts
  // as extra. std::nullopt where the system does not say.
  std::optional<std::int64_t> extra_bytes() const { return extra_bytes_; }

 private:
  double run(bool with_evidence);

  BenchCase case_;
  int threads_;
  InstructionSet set_;
  Peak peak_;
  std::unique_ptr<Computation> computation_;
  Round first_;
  double first_processor_seconds_ = 0;
  std::optional<std::int64_t> extra_bytes_;
  bool is_evidence_first_ = false;
};

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_
