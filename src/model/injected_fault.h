// Where injected faults take hold; nothing of this runs without one.
#ifndef WHEREOF_MODEL_INJECTED_FAULT_H_
#define WHEREOF_MODEL_INJECTED_FAULT_H_

#include <cstdint>

#include "whereof/attention.h"
#include "whereof/evidence.h"
#include "whereof/model.h"
#include "whereof/tensor_view.h"

namespace whereof::model {

// The position at which a row of a block of `rows` rows is rotated, given the one at which it
// stands. Below table_length.
std::int64_t rotated_position(InjectedFault fault, std::int64_t position, std::int64_t rows,
                              std::int64_t table_length) noexcept;

// How many positions the rotary table of a context of this capacity covers.
std::int64_t rotary_length_with(InjectedFault fault, std::int64_t capacity) noexcept;

// Where positions begin again (offset_restarts_at_depth).
constexpr std::int64_t kRestartDepth = 256;
// How far left_padding moves the rows of a block.
constexpr std::int64_t kPadding = 8;
// The position that is left of one which went through half precision.
std::int64_t in_half_precision(std::int64_t position) noexcept;

// What scores are multiplied by, where `scale` is right.
float scale_with(InjectedFault fault, float scale, std::int64_t head_dim) noexcept;

// The arguments of one call of attention_forward: rows of one sequence, batch 1.
struct AttentionCall {
  ConstTensorView query;  // [1, rows, query_heads, head_dim], dense
  ConstTensorView key;
  ConstTensorView value;
  TensorView output;         // [1, rows, query_heads, head_dim] of f32, dense
  AttentionOptions options;  // causal
  std::int64_t start = 0;    // position of the first row; the last sees the last key
  const EvidenceRequest* request = nullptr;  // both null or neither
  Evidence* evidence = nullptr;
};

// Runs the call, with the mask of the fault where it is one of masks. The evidence is that of the
// weights as the fault leaves them: after mask_after_softmax they do not sum to 1.
void attend(InjectedFault fault, const AttentionCall& call);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_INJECTED_FAULT_H_
