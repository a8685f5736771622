#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"
#include "kernels/portable/simd_portable.h"

namespace whereof::kernels {

constinit const KernelSet kPortableKernels =
    kernel_set_of<Portable>(InstructionSet::portable, {.rows = 32, .keys = 64});

}  // namespace whereof::kernels
