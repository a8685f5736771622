// The table of an instruction set from its product of panels and its product of rows: all that the
// sets differ in. Everything is static: compiled once for each set, with its flags.
#ifndef WHEREOF_LINEAR_FILL_LINEAR_KERNELS_H_
#define WHEREOF_LINEAR_FILL_LINEAR_KERNELS_H_

#include "linear/linear_kernels.h"
#include "linear/row_functions.h"
#include "linear/row_product.h"

namespace whereof::linear {

// Product: a PanelProduct.
template <typename Product>
static constexpr LinearKernels linear_kernels_with(
    InstructionSet set, decltype(LinearKernels::multiply_rows) multiply_rows) {
  return {
      .set = set,
      .group_rows = Product::kGroup,
      .group_bytes = Product::group_bytes,
      .pack_group = Product::pack_group,
      .panel_scratch_bytes = Product::panel_scratch_bytes,
      .multiply_panel = Product::multiply_panel,
      .quantise_row = quantise_row_plain,
      .multiply_rows = multiply_rows,
      .rms_norm = rms_norm_plain,
      .swiglu = swiglu_plain,
      .geglu = geglu_plain,
      .soft_cap = soft_cap_plain,
      .exp_sum = exp_sum_plain,
  };
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_FILL_LINEAR_KERNELS_H_
