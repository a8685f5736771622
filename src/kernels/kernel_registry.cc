#include <string>

#include "kernels/kernel_tables.h"
#include "whereof/error.h"

namespace whereof::kernels {
namespace {

constexpr const KernelSet* kBuilt[] = {
#if defined(WHEREOF_HAS_portable)
    &kPortableKernels,
#endif
#if defined(WHEREOF_HAS_avx2)
    &kAvx2Kernels,
#endif
#if defined(WHEREOF_HAS_avx512)
    &kAvx512Kernels,
#endif
#if defined(WHEREOF_HAS_avx512_bf16)
    &kAvx512Bf16Kernels,
#endif
#if defined(WHEREOF_HAS_amx)
    &kAmxKernels,
#endif
};

}  // namespace

std::span<const KernelSet* const> built_kernel_sets() noexcept { return kBuilt; }

const KernelSet& kernel_set_for(InstructionSet set) {
  if (!can_run(set)) {
    throw Error(ErrorKind::unsupported,
                "this machine cannot run the instruction set " + std::string(name_of(set)));
  }
  for (const KernelSet* built : kBuilt) {
    if (built->instruction_set == set) return *built;
  }
  throw Error(ErrorKind::unsupported,
              "this build has no attention kernels for " + std::string(name_of(set)));
}

}  // namespace whereof::kernels
