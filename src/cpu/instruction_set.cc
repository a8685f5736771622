#include "whereof/instruction_set.h"

#include <array>
#include <cstdlib>
#include <string>

#include "cpu/tile_permission.h"
#include "whereof/error.h"

namespace whereof {
namespace {

constexpr std::array kAllSets = {InstructionSet::portable, InstructionSet::avx2,
                                 InstructionSet::avx512, InstructionSet::avx512_bf16,
                                 InstructionSet::amx};

bool ask_processor(InstructionSet set) noexcept {
#if defined(__x86_64__)
  // These also ask the operating system whether it saves the wide registers.
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool has_avx512_bf16 = has_avx2 && has_avx512 && __builtin_cpu_supports("avx512bf16") &&
                               __builtin_cpu_supports("avx512vnni");
  switch (set) {
    case InstructionSet::portable:
      return true;
    case InstructionSet::avx2:
      return has_avx2;
    case InstructionSet::avx512:
      return has_avx2 && has_avx512;
    case InstructionSet::avx512_bf16:
      return has_avx512_bf16;
    case InstructionSet::amx:
      return has_avx512_bf16 && cpu::may_use_tiles(cpu::TileSupport::of_this_machine());
  }
  return false;
#else
  return set == InstructionSet::portable;
#endif
}

}  // namespace

std::string_view name_of(InstructionSet set) noexcept {
  switch (set) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx512_bf16:
      return "avx512_bf16";
    case InstructionSet::amx:
      return "amx";
  }
  return "unknown";
}

std::optional<InstructionSet> instruction_set_named(std::string_view name) noexcept {
  for (const InstructionSet set : kAllSets) {
    if (name_of(set) == name) return set;
  }
  return std::nullopt;
}

bool can_run(InstructionSet set) noexcept {
  static const std::array<bool, kAllSets.size()> answers = [] {
    std::array<bool, kAllSets.size()> asked{};
    for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = ask_processor(kAllSets[i]);
    return asked;
  }();
  return answers[static_cast<std::size_t>(set)];
}

std::vector<InstructionSet> runnable_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : kAllSets) {
    if (can_run(set)) sets.push_back(set);
  }
  return sets;
}

InstructionSet chosen_instruction_set() {
  const char* forced = std::getenv("WHEREOF_ISA");
  if (forced == nullptr || *forced == '\0') return runnable_instruction_sets().back();
  const std::optional<InstructionSet> set = instruction_set_named(forced);
  std::string names;
  for (const InstructionSet runnable : runnable_instruction_sets()) {
    names += (names.empty() ? "" : ", ") + std::string(name_of(runnable));
  }
  if (!set) {
    throw Error(ErrorKind::unsupported, "WHEREOF_ISA names no instruction set: \"" +
                                            std::string(forced) + "\"; this machine runs " + names);
  }
  if (!can_run(*set)) {
    throw Error(ErrorKind::unsupported, "WHEREOF_ISA asks for " + std::string(forced) +
                                            ", which this machine cannot run; it runs " + names);
  }
  return *set;
}

}  // namespace whereof
