// Compiled with the flags of avx512_bf16: nothing here may run before a caller has asked for that.
#include "emulated/emulated_kernel_set.h"
#include "emulated/emulated_tiles.h"
#include "kernels/amx/simd_amx.h"
#include "kernels/fill_kernel_set.h"

namespace whereof::kernels {
namespace {

constexpr KernelSet kTileKernels = kernel_set_with_tiles<AmxVectors, emulated::EmulatedTiles>(
    InstructionSet::amx, {.rows = 96, .keys = 64});

}  // namespace
}  // namespace whereof::kernels

namespace whereof::emulated {

const kernels::KernelSet* avx512_tile_kernels() { return &kernels::kTileKernels; }

}  // namespace whereof::emulated
