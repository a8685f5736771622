// The cases of attention_bench: what is computed, on which shapes, against whom.
#ifndef WHEREOF_BENCH_ATTENTION_BENCH_CASE_H_
#define WHEREOF_BENCH_ATTENTION_BENCH_CASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/instruction_set.h"
#include "whereof/tensor_view.h"

namespace whereof::bench {

enum class Work {
  prefill,        // causal forward, without and with evidence
  decode,         // one query row over a cache, without and with evidence
  evidence_only,  // causal forward with evidence: where running it twice costs minutes
  backward,       // the gradients alone
};

struct BenchCase {
  std::string_view name;
  Work work;
  ElementType query_type;
  ElementType kv_type;
  std::int64_t query_length;
  std::int64_t key_length;
  std::int64_t query_heads;
  std::int64_t kv_heads;
  std::int64_t head_dim;
  // Whom it is measured against: "sdpa" and "eager" are variants of torch_attention.py, another
  // name is a case of this list, empty is nobody.
  std::string_view peer = "";
  std::string_view forced_set = "";  // as WHEREOF_ISA takes it
  int threads = 0;                   // 0: all
  std::int64_t window = 0;           // keys that a row sees at most; 0: all before it

  bool is_decode() const { return work == Work::decode; }
  // Whether it is timed without evidence too.
  bool has_plain_runs() const { return work == Work::prefill || work == Work::decode; }
  std::string_view dtype() const;
  std::int64_t visible_pairs() const;  // (query row, key) of one head
  double flops() const;  // for each visible pair and query head: forward 4 head_dim, backward 10
  double cache_bytes() const;  // keys and values (and their scales), each read once
};

// All cases whose name holds `part` and whose forced set runs here, in the order of the table.
std::vector<BenchCase> cases_named(std::string_view part);

// One line of JSON: what the peer needs to know to build the same inputs.
std::string describe(const BenchCase& bench_case);

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_BENCH_CASE_H_
