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

struct KernelSet {
  InstructionSet instruction_set;
  int lanes;
  int block_rows;  // query rows that a block holds at most, a multiple of the lanes
  void (*score)(const ScoreTile&) noexcept;
  void (*mask)(const MaskTile&) noexcept;
  void (*softmax)(const SoftmaxTile&) noexcept;
  void (*value)(const ValueTile&) noexcept;
  void (*add_to_bin)(const BinAddition&) noexcept;
  void (*mass_of_bin)(const BinMass&) noexcept;
  std::int64_t (*find_above)(const ScoreSearch&) noexcept;  // how many were found
  void (*widen_bf16)(const std::uint16_t* from, float* to, std::int64_t count) noexcept;
};

// All that this build holds, slowest first; some may not run here.
std::span<const KernelSet* const> built_kernel_sets() noexcept;

// Throws Error(unsupported) for a set that this build does not hold or this machine cannot run.
const KernelSet& kernel_set_for(InstructionSet set);

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_KERNEL_SET_H_
