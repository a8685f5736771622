// Fills the table of a set with the algorithms of this folder.
#ifndef WHEREOF_KERNELS_FILL_KERNEL_SET_H_
#define WHEREOF_KERNELS_FILL_KERNEL_SET_H_

#include "kernels/kernel_set.h"
#include "kernels/softmax_tile.h"
#include "kernels/tile_products.h"

namespace whereof::kernels {

template <Simd S>
constexpr KernelSet kernel_set_of(InstructionSet instruction_set, int block_rows) {
  return {.instruction_set = instruction_set,
          .lanes = S::kLanes,
          .block_rows = block_rows,
          .score = score_tile<FloatUnit<S>>,
          .mask = mask_tile<S>,
          .softmax = softmax_tile<S>,
          .value = value_tile<FloatUnit<S>>,
          .add_to_bin = add_to_bin<S>,
          .mass_of_bin = mass_of_bin<S>,
          .find_above = find_above<S>,
          .widen_bf16 = widen_bf16<S>};
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_FILL_KERNEL_SET_H_
