// One case: its inputs, its first run (whose memory is watched), its rounds.
#ifndef WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_
#define WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_

#include <array>
#include <cstdint>
#include <optional>

#include "attention/bench_case.h"
#include "attention/machine_peak.h"
#include "memory/aligned_array.h"
#include "whereof/attention.h"

namespace whereof::bench {

struct Tensor {
  memory::AlignedArray<unsigned char> bytes;
  ElementType type;
  std::array<std::int64_t, 4> shape;

  // Filled evenly from -2 to 2.
  Tensor(ElementType type_in, std::array<std::int64_t, 4> shape_in, std::uint32_t seed);
  TensorView view() { return dense_view(bytes.data(), type, shape); }
  // Of [batch, heads, length, dim] as a cache holds it: [batch, length, heads, dim].
  TensorView cache_view();
};

struct Round {
  double seconds = 0;                   // with evidence
  std::optional<double> plain_seconds;  // without, where that is measured
  double peak = 0;                      // per second, measured just before
};

class Measurement {
 public:
  // Builds the inputs and runs once. Throws Error(unsupported) for a set that cannot run here.
  Measurement(const BenchCase& bench_case, std::optional<InstructionSet> set);

  // The peak, then the case without and with evidence in turn.
  Round round();

  const BenchCase& bench_case() const { return case_; }
  InstructionSet set() const { return set_; }
  int threads() const { return threads_; }
  Peak peak() const { return peak_; }
  // The run in the constructor, which touches its working memory for the first time.
  const Round& first() const { return first_; }
  // FLOPs, or bytes where read bandwidth is the peak.
  double work() const;
  // Resident memory of the first run at its highest, above inputs and outputs; the evidence counts
  // as extra. std::nullopt where the system does not say.
  std::optional<std::int64_t> extra_bytes() const { return extra_bytes_; }

 private:
  double run(bool with_evidence);

  BenchCase case_;
  AttentionOptions options_;
  int threads_;
  InstructionSet set_;
  Peak peak_;
  Tensor query_, key_, value_, output_;
  EvidenceRequest request_;
  Round first_;
  std::optional<std::int64_t> extra_bytes_;
  bool is_evidence_first_ = false;
};

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_MEASUREMENT_H_
