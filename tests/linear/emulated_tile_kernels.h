// The kernels of AMX on the emulated tile unit, with the panels of AVX-512 where it runs here, else
// plain ones.
#ifndef WHEREOF_TESTS_LINEAR_EMULATED_TILE_KERNELS_H_
#define WHEREOF_TESTS_LINEAR_EMULATED_TILE_KERNELS_H_

#include "linear/linear_kernels.h"

namespace whereof::tests {

const linear::LinearKernels& emulated_tile_kernels();

// Null where this build has no panels of AVX-512.
const linear::LinearKernels* emulated_tile_kernels_avx512();

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_LINEAR_EMULATED_TILE_KERNELS_H_
