// What this machine can do at this minute: measured in turn with each case, because clock and
// neighbours change it within the hour.
#ifndef WHEREOF_BENCH_ATTENTION_MACHINE_PEAK_H_
#define WHEREOF_BENCH_ATTENTION_MACHINE_PEAK_H_

#include <string_view>

#include "attention/bench_case.h"

namespace whereof::bench {

enum class Peak {
  multiply_add_f32,  // FLOP/s of fused multiply-adds in registers, widest vectors of the machine
  bf16_dot,          // FLOP/s of vdpbf16ps in registers
  bf16_tiles,        // FLOP/s of AMX tile products in registers
  read_bandwidth,    // bytes/s of reading an array far larger than the caches, several streams
};

std::string_view name_of(Peak peak);

// The one that bounds a case when `set` computes it.
Peak peak_of(const BenchCase& bench_case, InstructionSet set);

// Per second, on that many threads of the process's pool, in one run of some 10 to 30 ms.
double measured(Peak peak, int threads);

}  // namespace whereof::bench

#endif  // WHEREOF_BENCH_ATTENTION_MACHINE_PEAK_H_
