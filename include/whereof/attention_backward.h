// Gradients of exact attention, from its output and log_sum_exp.
//
// With dO the gradient of the loss by the output, rows i and keys j, and everything else as in
// attention.h:
//
//   weights    P_ij  = exp(scores_ij - log_sum_exp_i)          rebuilt tile by tile
//   grad_value dV_j  = sum_i P_ij dO_i
//   grad_weights dP_ij = dO_i . value_j
//   D_i              = dO_i . output_i                         = sum_j P_ij dP_ij
//   grad_scores dS_ij = P_ij (dP_ij - D_i)
//   grad_query dQ_i  = scale * sum_j dS_ij key_j
//   grad_key   dK_j  = scale * sum_i dS_ij query_i
//
// (Dao 2023, FlashAttention-2, arXiv 2307.08691, algorithm 2.) Exact up to rounding;
// [query_length, key_length] is never held, and a tile that the mask hides is never touched.
#ifndef WHEREOF_ATTENTION_BACKWARD_H_
#define WHEREOF_ATTENTION_BACKWARD_H_

#include "whereof/attention.h"

namespace whereof {

// query, key, value, options: as they were given to attention_forward, but f32, bf16 or f64 only,
// and without key_pages. f64 goes with f64 alone, in inputs and gradients.
// output       [batch, query_length, query_heads, value_dim]   f32, bf16 or f64, what forward wrote
// log_sum_exp  [batch, query_heads, query_length] floats, dense, what forward wrote
// grad_output  [batch, query_length, query_heads, value_dim]   f32, bf16 or f64, rows contiguous
// grad_query   the shape of query, grad_key of key, grad_value of value; each f32 or the type of
// the tensor that it is the gradient of. Overwritten, not added to; they must overlap no input and
// not each other. Heads that share a kv head are summed in grad_key and grad_value.
//
// Numerics: f32 sums; f64 is computed row by row in double, log_sum_exp anew, a thread for each kv
// head. Where query, key, value and grad_output are all bf16 and the instruction set
// multiplies bf16, the products take bf16 and the weights and their gradients are rounded to bf16
// before they are multiplied; elsewhere everything is f32. A row that sees no key has gradient
// zero and adds nothing. A row of query, output or grad_output that is not finite makes its own
// grad_query, and grad_key and grad_value of the keys that it sees, not a number where the
// equations do, and nothing else. NaN in a key or value reaches the rows that see it and, within a
// tile that the mask crosses, may reach rows beside them. The same bits for any number of threads:
// a key's gradient takes its rows in one fixed order. Memory above inputs and outputs: some hundred
// KiB a thread and 4 * key_length * (head_dim + value_dim) bytes, dimensions rounded up to whole
// vectors, for each kv head in progress, of which there are two, or up to twice as many as threads
// where a head has fewer rows than fill the threads. Threads: uses the process's pool; calls from
// several threads are safe and run one after another. Throws Error(invalid_argument) naming the
// tensor, the shape found and the shape wanted, Error(unsupported) for a type or an instruction set
// that cannot be had, and Error(cancelled) when stopped.
void attention_backward(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const ConstTensorView& output,
                        const float* log_sum_exp, const ConstTensorView& grad_output,
                        const TensorView& grad_query, const TensorView& grad_key,
                        const TensorView& grad_value, const AttentionOptions& options = {});

}  // namespace whereof

#endif  // WHEREOF_ATTENTION_BACKWARD_H_
