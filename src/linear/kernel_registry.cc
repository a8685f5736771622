#include <string>

#include "linear/linear_kernels.h"
#include "whereof/error.h"

namespace whereof::linear {
namespace {

const LinearKernels* find(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return &kPortableKernels;
#if defined(__x86_64__)
    case InstructionSet::avx2:
      return &kAvx2Kernels;
    case InstructionSet::avx512:
      return &kAvx512Kernels;
    case InstructionSet::avx512_bf16:
      return &kAvx512Bf16Kernels;
    case InstructionSet::amx:
      return &kAmxKernels;
#else
    default:
      break;
#endif
  }
  return nullptr;
}

}  // namespace

const LinearKernels& kernels_for(InstructionSet set) {
  const LinearKernels* kernels = find(set);
  if (kernels == nullptr || !can_run(set)) {
    throw Error(ErrorKind::unsupported, "instruction set " + std::string(name_of(set)) +
                                            " cannot run here: no products with its kernels");
  }
  return *kernels;
}

}  // namespace whereof::linear
