// Which instruction sets this build has kernels for, and which of them this machine runs.
#ifndef WHEREOF_INSTRUCTION_SET_H_
#define WHEREOF_INSTRUCTION_SET_H_

#include <optional>
#include <string_view>
#include <vector>

namespace whereof {

enum class InstructionSet {
  portable,     // plain C++, any processor
  avx2,         // AVX2, FMA, F16C
  avx512,       // AVX-512 F, BW, DQ, VL
  avx512_bf16,  // avx512 and AVX512_BF16, AVX512_VNNI
  amx,          // avx512_bf16 and AMX-TILE, AMX-BF16, with the kernel's permission
};

std::string_view name_of(InstructionSet set) noexcept;
std::optional<InstructionSet> instruction_set_named(std::string_view name) noexcept;

// True when processor and operating system both allow it. Asked once, then remembered; where the
// processor has AMX the first question asks Linux for the permission that its tiles need, which
// holds for the process from then on.
bool can_run(InstructionSet set) noexcept;

// All that this machine can run, slowest first; never empty.
std::vector<InstructionSet> runnable_instruction_sets();

// The one to use: the best that runs here, or the one that the environment variable WHEREOF_ISA
// names. Throws Error(unsupported) when WHEREOF_ISA names none, or one that cannot run here.
InstructionSet chosen_instruction_set();

}  // namespace whereof

#endif  // WHEREOF_INSTRUCTION_SET_H_
