// The table that an instruction set fills, and how one is found.
//
// Kernels are noexcept, allocate nothing, know no tensor shapes beyond their tile, and touch
// nothing outside it.
#ifndef WHEREOF_KERNELS_KERNEL_SET_H_
#define WHEREOF_KERNELS_KERNEL_SET_H_

#include <cstdint>
#include <span>

#include "kernels/tile_arguments.h"
#include "whereof/instruction_set.h"

namespace whereof::kernels {

// How a block of many rows meets its keys: its scores fit the second-level cache beside its queries
// and output.
struct BlockShape {
  int rows = 0;  // query rows that a block holds at most, a multiple of the lanes
  int keys = 0;  // of a tile
};

// The products of many rows over one kind of word.
struct ProductKernels {
  int elements_per_word = 0;  // 1: float; 2: pair of bf16; 0: the set has none of these
  BlockShape block = {};
  void (*score)(const ScoreTile&) noexcept = nullptr;
  void (*value)(const ValueTile&) noexcept = nullptr;
  void (*gradient)(const GradientTile&) noexcept = nullptr;
};

// The products of few rows over keys and values as they are stored. Queries and outputs are in the
// order of the cells: `arrange` brings `count` floats there and returns the unit of their words (1
// but for integers), `restore` brings floats back in place; both write whole cells.
struct RowProductKernels {
  void (*score)(const RowScoreTile&) noexcept = nullptr;
  void (*value)(const RowValueTile&) noexcept = nullptr;
  float (*arrange)(const float* from, float* to, std::int64_t count) noexcept = nullptr;
  void (*restore)(float* row, std::int64_t count) noexcept = nullptr;
};

// What pairs of bf16 need beside their products; all null where the set has none.
struct PairKernels {
  // Leaves words [pair of keys][row], from the tile's first row on; an odd key's partner is zero.
  void (*softmax)(const SoftmaxTile&) noexcept = nullptr;
  // Weights [row][key] become words [row][pair of keys] in place; keys in whole vectors.
  void (*pack_rows)(float* weights, std::int64_t rows, std::int64_t columns,
                    std::int64_t stride) noexcept = nullptr;
  // Likewise as 16-bit integers, in units of a 32,767th of the row's largest weight.
  void (*pack_rows_as_integers)(float* weights, float* units, std::int64_t rows,
                                std::int64_t columns, std::int64_t stride) noexcept = nullptr;
  // to[i] = pair of (low[i], high[i]); high may be null for zeros.
  void (*interleave)(const std::uint16_t* low, const std::uint16_t* high, float* to,
                     std::int64_t count) noexcept = nullptr;
  void (*softmax_gradient)(const SoftmaxGradientTile&) noexcept = nullptr;  // into words
};

struct KernelSet {
  InstructionSet instruction_set;
  int lanes;
  ProductKernels floats;
  ProductKernels pairs;
  PairKernels pair_packing;
  void (*cap)(const CapTile&) noexcept;
  void (*mask)(const MaskTile&) noexcept;
  void (*softmax)(const SoftmaxTile&) noexcept;
  void (*row_softmax)(const RowSoftmaxTile&) noexcept;
  void (*softmax_gradient)(const SoftmaxGradientTile&) noexcept;
  RowProductKernels rows_f32;  // f32 queries and weights; stored as f32, bf16, f16, i8
  RowProductKernels rows_bf16;
  RowProductKernels rows_f16;
  RowProductKernels rows_i8;
  // Null where the set multiplies no pairs.
  RowProductKernels rows_bf16_pairs;  // bf16 queries and weights
  RowProductKernels rows_i8_pairs;    // queries and weights as 16-bit integers
  void (*add_to_bin)(const BinAddition&) noexcept;
  void (*mass_of_bin)(const BinMass&) noexcept;
  std::int64_t (*find_above)(const ScoreSearch&) noexcept;      // [key][row]; how many were found
  std::int64_t (*row_find_above)(const ScoreSearch&) noexcept;  // [row][key]
  void (*additive)(const AdditiveTile&) noexcept;
  void (*additive_gradient)(const AdditiveGradientTile&) noexcept;
  void (*widen_bf16)(const std::uint16_t* from, float* to, std::int64_t count) noexcept;
  void (*widen_f16)(const std::uint16_t* from, float* to, std::int64_t count) noexcept;
  void (*widen_i8)(const std::int8_t* from, float* to, std::int64_t count) noexcept;
  void (*scale_columns)(const ColumnScaling&) noexcept;
};

// All that this build holds, slowest first; some may not run here.
std::span<const KernelSet* const> built_kernel_sets() noexcept;

// Throws Error(unsupported) for a set that this build does not hold or this machine cannot run.
const KernelSet& kernel_set_for(InstructionSet set);

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_KERNEL_SET_H_
