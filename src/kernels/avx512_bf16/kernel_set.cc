#include "kernels/avx512_bf16/simd_avx512_bf16.h"
#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"

namespace whereof::kernels {

constinit const KernelSet kAvx512Bf16Kernels =
    kernel_set_with_pairs<Avx512Bf16>(InstructionSet::avx512_bf16, {.rows = 96, .keys = 64});

}  // namespace whereof::kernels
