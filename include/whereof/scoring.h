// Scoring forms beside the scaled dot product, on the same online softmax over tiles, forward and
// backward:
//
//   | form     | score of q and k      | weight W                | key_weight U  | score_vector v |
//   |----------|-----------------------|-------------------------|---------------|----------------|
//   | dot      | q . k                 |                         |               |                |
//   | general  | (W q) . k             | key_dim, query_dim      |               |                |
//   | concat   | v . tanh(W [q; k])    | width, query_dim+key_dim |              | width          |
//   | additive | v . tanh(W q + U k)   | width, query_dim        | width, key_dim | width         |
//
//   weights = softmax(scores), a row at a time;  output = weights . value
//
// dot, general and concat are Luong, Pham and Manning 2015 (arXiv 1508.04025; their W_a of general
// is the transpose of W here); additive is Bahdanau, Cho and Bengio 2014 (arXiv 1409.0473). Scores
// are not scaled, as in the papers. Queries and keys may differ in length: cross-attention.
#ifndef WHEREOF_SCORING_H_
#define WHEREOF_SCORING_H_

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

#include "whereof/instruction_set.h"
#include "whereof/tensor_view.h"

namespace whereof {

enum class ScoringForm : std::uint8_t { dot, general, concat, additive };

// "dot" and so on; never empty.
std::string_view name_of(ScoringForm form) noexcept;

// All f32, rows contiguous, any other strides. Each head has parameters of its own; a weight that
// heads share is passed with stride 0 in dimension 1. Those that the form does not take stay empty.
template <typename View>
struct ScoringTensors {
  View query;         // [batch, query_length, heads, query_dim]
  View key;           // [batch, key_length, heads, key_dim]; dot: key_dim = query_dim
  View value;         // [batch, key_length, heads, value_dim]
  View weight;        // [1, heads, rows and columns of the table above]
  View key_weight;    // [1, heads, width, key_dim]
  View score_vector;  // [1, heads, 1, width]
};
using ScoringInputs = ScoringTensors<ConstTensorView>;
using ScoringGradients = ScoringTensors<TensorView>;  // each of the shape of its input

struct ScoringOptions {
  // Query row i sees the keys 0 .. key_length - query_length + i.
  bool is_causal = false;
  int threads = 0;                                // 0: all of the process's pool
  std::optional<InstructionSet> instruction_set;  // std::nullopt: chosen_instruction_set()
  // Asked before each block of query rows: Error(cancelled), what the call writes left unfinished.
  std::stop_token stop;
};

// output       [batch, query_length, heads, value_dim] f32; must overlap no input
// log_sum_exp  if not null: [batch, heads, query_length] floats, dense; ln of the sum of exp(score)
//
// Numerics: f32 throughout; tanh by a rational function, relative error under 4e-7. A row that sees
// no key gives zeros and log_sum_exp -infinity. The same bits for any number of threads. Memory:
// O((query_length + key_length) * width) for the projected queries and keys of all heads, and
// tiles; never [query_length, key_length]. Time: one tanh for each (query, key, width) in concat
// and additive. Threads: the process's pool. Throws Error(invalid_argument) naming the tensor, the
// shape found and the shape wanted, and Error(unsupported) for a type or an instruction set that
// cannot be had.
void scoring_forward(ScoringForm form, const ScoringInputs& inputs, const TensorView& output,
                     const ScoringOptions& options = {}, float* log_sum_exp = nullptr);

// Given output and log_sum_exp of scoring_forward with the same inputs and options, and the
// gradient of a loss with respect to the output, writes the gradients with respect to every input
// that the form takes. With w the weights, dO the output's gradient and s the scores:
//
//   ds = w (dO . value - dO . output),  d value = w^T dO,
//
// and from ds the chain rule of the form's score. Weights are rebuilt tile by tile.
//
// grad_output and every gradient: f32, the shape of what it is the gradient of; gradients are
// overwritten and must overlap no input. Numerics, threads and errors as above; a weight is rebuilt
// from log_sum_exp, so it has a relative error of up to 2^-24 |log_sum_exp|. Memory: that of the
// forward call for the gradients too; where batch * heads < 8, up to 8 / (batch * heads) times the
// projected queries.
void scoring_backward(ScoringForm form, const ScoringInputs& inputs, const ConstTensorView& output,
                      const float* log_sum_exp, const ConstTensorView& grad_output,
                      const ScoringGradients& gradients, const ScoringOptions& options = {});

}  // namespace whereof

#endif  // WHEREOF_SCORING_H_
