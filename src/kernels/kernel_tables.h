// The tables that the folders of this one define.
#ifndef WHEREOF_KERNELS_KERNEL_TABLES_H_
#define WHEREOF_KERNELS_KERNEL_TABLES_H_

#include "kernels/kernel_set.h"

namespace whereof::kernels {

extern const KernelSet kPortableKernels;
extern const KernelSet kAvx2Kernels;
extern const KernelSet kAvx512Kernels;
extern const KernelSet kAvx512Bf16Kernels;
extern const KernelSet kAmxKernels;

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_KERNEL_TABLES_H_
