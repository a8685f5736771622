// The output of a block, from what it has gathered.
#ifndef WHEREOF_ATTENTION_BLOCK_OUTPUT_H_
#define WHEREOF_ATTENTION_BLOCK_OUTPUT_H_

#include "attention/block_state.h"
#include "attention/problem.h"
#include "attention/tile_plan.h"

namespace whereof::attention {

// Divides by the sums of weights, rounds to the output's type and stores; rows that saw no key are
// zeros.
void write_block_output(const Problem& problem, const WorkBlock& block, const BlockState& state);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_BLOCK_OUTPUT_H_
