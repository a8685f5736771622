// What a question costs: FLOPs, bytes, seconds. Plain arithmetic; nothing here measures or guesses.
//
// For T tokens in one sequence, width D, L layers (a multiply-add is two FLOPs):
//   projections   2 * T * (parameters of the four projections), a layer
//   attention     4 * T^2 * query_heads * head_dim, a layer; half of it under a causal mask that
//                 skips hidden tiles
//   feed-forward  2 * T * (its parameters), a layer
//   KV cache      2 * T * kv_heads * head_dim * bytes of an element, a layer
#ifndef WHEREOF_BUDGET_H_
#define WHEREOF_BUDGET_H_

#include <cstdint>
#include <string>

namespace whereof {

// Sizes of a model as far as its cost depends on them.
struct ModelShape {
  std::int64_t layers = 0;
  std::int64_t width = 0;
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  double projection_parameters = 0;    // of one layer: query, key, value and output
  double feed_forward_parameters = 0;  // of one layer
  double head_parameters = 0;          // of the output head
  double weight_bytes = 0;             // of the whole model as stored
  double kv_element_bytes = 2;
  std::int64_t window_tokens = 0;
};

struct MachineSpeed {
  std::string name;
  double flops_per_second = 0;            // of matrix products
  double attention_flops_per_second = 0;  // 0: the same
  double bytes_per_second = 0;            // read bandwidth
  double memory_bytes = 0;
};

struct Cost {
  double tokens = 0;
  double projection_flops = 0;
  double attention_flops = 0;         // whole T^2 term, no mask
  double causal_attention_flops = 0;  // what is computed when hidden tiles are skipped
  double feed_forward_flops = 0;
  double head_flops = 0;       // of the one row of logits that follows the prompt
  double total_flops = 0;      // with the whole T^2 term
  double attention_share = 0;  // of total_flops
  double scores = 0;           // query_heads * T^2: elements of one layer's [heads, T, T]
  double kv_bytes_per_layer = 0;
  double kv_bytes = 0;
  double prefill_seconds = 0;            // total_flops over the machine's speed
  double causal_prefill_seconds = 0;     // the same with the causal half
  double decode_seconds_per_token = 0;   // (weights + KV cache) / bandwidth
  double kv_read_seconds_per_token = 0;  // KV cache alone / bandwidth
  double concurrent_requests = 0;        // (memory - weights) / kv_bytes, not rounded
};

// Pure. Throws Error(invalid_argument) for negative tokens or an empty shape or machine.
Cost cost_of_reading(const ModelShape& shape, const MachineSpeed& machine, double tokens);

// Q K^T of one head: scores [query_length, key_length], head_dim multiply-adds each.
struct ScoreCost {
  double scores = 0;
  double multiply_adds = 0;
  double flops = 0;
};
// Pure. Throws Error(invalid_argument) for negative lengths or head_dim <= 0.
ScoreCost cost_of_scores(double query_length, double key_length, double head_dim);

// One query against key_length keys and values of one head: every byte is read once and used for
// two FLOPs an element, so that the step is bound by memory.
struct DecodeStepCost {
  double flops = 0;
  double bytes = 0;
  double flops_per_byte = 0;
};
// Pure. Throws Error(invalid_argument) unless all are positive.
DecodeStepCost cost_of_decode_step(double key_length, double head_dim, double element_bytes = 2);

// Questions about one document, and what each of three ways to answer them costs.
struct QuestionLoad {
  double document_tokens = 0;
  double retrieved_tokens = 0;  // read for one question where not all is
  double question_tokens = 32;  // the question and the content-free question beside it
  double answer_tokens = 200;
};

struct StrategyCost {
  bool is_possible = false;     // within the model's window
  double once_seconds = 0;      // before the first question; kept for all of them
  double question_seconds = 0;  // reading for one question and writing its answer
  double kept_bytes = 0;        // keys and values kept for the document
  double at_once = 0;           // questions to different documents that memory holds, not rounded
  double seconds_for(double questions) const { return once_seconds + questions * question_seconds; }
};

struct StrategyComparison {
  // The whole document is read once and kept; each question reads itself and attends to all of it.
  StrategyCost full;
  // Each question reads its passages anew; nothing is kept.
  StrategyCost retrieval;
  // The document is read once in windows and kept; each question attends to the kept keys of its
  // passages only. Longer than the window is possible.
  StrategyCost hybrid;
  // From so many questions on the first is faster than retrieval; infinite: never.
  double full_breaks_even = 0;
  double hybrid_breaks_even = 0;
};

// Pure, causal (hidden tiles are skipped). window_tokens of the shape, where 0 means no limit, is
// the length of the hybrid's windows. Throws Error(invalid_argument) as cost_of_reading does, and
// for retrieved tokens over the document's.
StrategyComparison compare_strategies(const ModelShape& shape, const MachineSpeed& machine,
                                      const QuestionLoad& load);

// A named design case: its shape, machine, context, retrieval and answer length.
struct Profile {
  std::string name;
  ModelShape shape;
  MachineSpeed machine;
  double context_tokens = 0;
  double retrieved_tokens = 0;
  double answer_tokens = 0;
};
// "card80": B 1, T 131,072, D 4096, 32 heads, head_dim 128, 24 layers, feed-forward 8 D^2,
// 1000 TFLOP/s, 3 TB/s, 80 GB; weights in two bytes, no output head; retrieval of 8 blocks of
// 4,096 tokens; an answer of 200 tokens. Throws Error(not_found) for another name.
Profile profile_named(const std::string& name);

}  // namespace whereof

#endif  // WHEREOF_BUDGET_H_
