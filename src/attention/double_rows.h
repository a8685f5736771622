// Attention of f64: the equations of attention.h and attention_backward.h row by row, in double,
// whatever the instruction set. For checks: gradients held against differences need more digits
// than the tiles have, and nothing else needs them. Exact up to rounding; memory O(key_length).
#ifndef WHEREOF_ATTENTION_DOUBLE_ROWS_H_
#define WHEREOF_ATTENTION_DOUBLE_ROWS_H_

#include <cstdint>
#include <stop_token>

#include "attention/backward_problem.h"
#include "attention/block_state.h"
#include "attention/problem.h"
#include "attention/tile_plan.h"
#include "whereof/evidence.h"

namespace whereof::attention {

// Writes the block's rows of the output, finished, and leaves in `state` what log_sum_exp and the
// evidence are made of, as floats: no output. `lanes` of what reads the state; `request` may be
// null.
void run_double_block(const Problem& problem, std::int64_t lanes, const EvidenceRequest* request,
                      const WorkBlock& block, BlockState& state);

// Writes all gradients. A row's log_sum_exp is computed anew: the caller's has a float's digits.
void run_double_backward(const BackwardProblem& problem, int threads, const std::stop_token& stop);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_DOUBLE_ROWS_H_
