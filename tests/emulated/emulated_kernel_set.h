// Kernel sets that take the same way as `amx`, its algorithms, its packing and its block shapes,
// with the tile unit in plain C++. They say that they are `amx`.
#ifndef WHEREOF_TESTS_EMULATED_EMULATED_KERNEL_SET_H_
#define WHEREOF_TESTS_EMULATED_EMULATED_KERNEL_SET_H_

#include "kernels/kernel_set.h"

namespace whereof::emulated {

// Vectors of four and products of bf16 pairs in plain C++ too: runs everywhere.
const kernels::KernelSet& portable_tile_kernels();

// The vectors of AVX-512, as the set `amx` has them: only where avx512_bf16 runs. Null in a build
// for another processor.
const kernels::KernelSet* avx512_tile_kernels();

// The one of these that runs here and is nearest to `amx`.
const kernels::KernelSet& tile_kernels();

}  // namespace whereof::emulated

#endif  // WHEREOF_TESTS_EMULATED_EMULATED_KERNEL_SET_H_
