// The clock of the benches.
#ifndef WHEREOF_BENCH_ATTENTION_STOPWATCH_H_
#define WHEREOF_BENCH_ATTENTION_STOPWATCH_H_

#include <chrono>
#include <ctime>

namespace whereof::bench {

// Processor time of the process divided by its threads instead of wall time: on a machine that
// others use too, the figure that repeats. It sees no imbalance between the threads.
inline bool uses_processor_time = false;

inline double seconds_now(int threads) {
  if (uses_processor_time) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC / threads;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_STOPWATCH_H_
