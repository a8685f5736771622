// Fills the table of a set with the algorithms of this folder.
#ifndef WHEREOF_KERNELS_FILL_KERNEL_SET_H_
#define WHEREOF_KERNELS_FILL_KERNEL_SET_H_

#include "kernels/additive_tile.h"
#include "kernels/kernel_set.h"
#include "kernels/row_products.h"
#include "kernels/row_softmax.h"
#include "kernels/score_search.h"
#include "kernels/softmax_gradient.h"
#include "kernels/softmax_tile.h"
#include "kernels/tile_products.h"
#include "kernels/tile_unit_products.h"
#include "kernels/word_packing.h"

namespace whereof::kernels {

template <typename Unit>
constexpr ProductKernels product_kernels_of(BlockShape block) {
  return {.elements_per_word = Unit::kElementsPerWord,
          .block = block,
          .score = score_tile<Unit>,
          .value = value_tile<Unit>,
          .gradient = gradient_tile<Unit>};
}

template <typename Cells>
constexpr RowProductKernels row_product_kernels_of() {
  return {.score = row_score_tile<Cells>,
          .value = row_value_tile<Cells>,
          .arrange = arrange<Cells>,
          .restore = restore<Cells>};
}

template <typename Pairs>
constexpr RowProductKernels row_pair_kernels_of(decltype(RowProductKernels::arrange) arrange) {
  return {.score = row_score_tile<PairCells<Pairs>>,
          .value = row_value_tile<PairValueCells<Pairs>>,
          .arrange = arrange,
          .restore = restore<PairValueCells<Pairs>>};
}

template <Simd S>
constexpr KernelSet kernel_set_of(InstructionSet instruction_set, BlockShape block) {
  return {.instruction_set = instruction_set,
          .lanes = S::kLanes,
          .floats = product_kernels_of<FloatUnit<S>>(block),
          .pairs = {},
          .pair_packing = {},
          .cap = cap_tile<S>,
          .mask = mask_tile<S>,
          .softmax = softmax_tile<S, FloatWeights<S>>,
          .row_softmax = row_softmax_tile<S>,
          .softmax_gradient = softmax_gradient_tile<S>,
          .rows_f32 = row_product_kernels_of<F32Cells<S>>(),
          .rows_bf16 = row_product_kernels_of<Bf16Cells<S>>(),
          .rows_f16 = row_product_kernels_of<F16Cells<S>>(),
          .rows_i8 = row_product_kernels_of<I8Cells<S>>(),
          .rows_bf16_pairs = {},
          .rows_i8_pairs = {},
          .add_to_bin = add_to_bin<S>,
          .mass_of_bin = mass_of_bin<S>,
          .find_above = find_above<S>,
          .row_find_above = row_find_above<S>,
          .additive = additive_tile<S>,
          .additive_gradient = additive_gradient_tile<S>,
          .widen_bf16 = widen<FromBf16<S>>,
          .widen_f16 = widen<FromF16<S>>,
          .widen_i8 = widen<FromI8<S>>,
          .scale_columns = scale_columns<S>};
}

template <PairSimd S>
constexpr KernelSet kernel_set_with_pairs(InstructionSet instruction_set, BlockShape block) {
  KernelSet set = kernel_set_of<S>(instruction_set, block);
  set.pairs = product_kernels_of<PairUnit<S>>(block);
  set.rows_bf16_pairs = row_pair_kernels_of<Bf16Pairs<S>>(arrange_bf16<S>);
  set.rows_i8_pairs = row_pair_kernels_of<IntegerPairs<S>>(arrange_integers<S>);
  set.pair_packing = {.softmax = softmax_tile<S, PairWeights<S>>,
                      .pack_rows = pack_rows<S>,
                      .pack_rows_as_integers = pack_rows_as_integers<S>,
                      .interleave = interleave_bf16<S>,
                      .softmax_gradient = softmax_gradient_pairs<S>};
  return set;
}

// `block` for floats; pairs take blocks that suit the tile unit.
template <TurningSimd S, TileUnit U>
constexpr KernelSet kernel_set_with_tiles(InstructionSet instruction_set, BlockShape block) {
  KernelSet set = kernel_set_with_pairs<S>(instruction_set, block);
  set.pairs.block = kTileUnitBlock;
  set.pairs.score = tile_unit_score<S, U>;
  set.pairs.value = tile_unit_value<S, U>;
  set.pairs.gradient = tile_unit_gradient<S, U>;
  return set;
}

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_FILL_KERNEL_SET_H_
