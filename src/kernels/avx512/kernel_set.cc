#include "kernels/avx512/simd_avx512.h"
#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"

namespace whereof::kernels {

constinit const KernelSet kAvx512Kernels =
    kernel_set_of<Avx512>(InstructionSet::avx512, {.rows = 96, .keys = 64});

}  // namespace whereof::kernels
