// AVX-512 with bf16, and the products of many-row blocks on the tiles of AMX.
#include "kernels/amx/simd_amx.h"
#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"
#include "tiles/amx_tiles.h"

namespace whereof::kernels {

constinit const KernelSet kAmxKernels = kernel_set_with_tiles<AmxVectors, tiles::AmxTiles>(
    InstructionSet::amx, {.rows = 96, .keys = 64});

}  // namespace whereof::kernels
