// What the benches of a model measure with: clocks, and tokens of no meaning.
#ifndef WHEREOF_BENCH_TIMING_MODEL_WORK_H_
#define WHEREOF_BENCH_TIMING_MODEL_WORK_H_

#include <chrono>
#include <cstdint>
#include <ctime>
#include <vector>

#include "whereof/model.h"

namespace whereof::bench {

struct Times {
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <typename Work>
Times time_of(Work work) {
  const double begin = now();
  const double cpu_begin = processor_time();
  work();
  return {now() - begin, processor_time() - cpu_begin};
}

// The same for the same seed.
inline std::vector<TokenId> some_tokens(const Model& model, std::int64_t count,
                                        std::uint64_t seed) {
  std::vector<TokenId> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    tokens.push_back(static_cast<TokenId>(
        (seed >> 33) % static_cast<std::uint64_t>(model.description().vocabulary_size)));
  }
  return tokens;
}

// Evidence as a document of clauses asks for it: spans of 64 keys.
inline EvidenceRequest clause_request(std::int64_t tokens) {
  EvidenceRequest request;
  for (std::int64_t begin = 1; begin + 64 <= tokens; begin += 64) {
    request.key_spans.push_back({begin, begin + 64});
  }
  return request;
}

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_TIMING_MODEL_WORK_H_
