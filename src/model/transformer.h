// The forward pass of one block of tokens.
//
//   x = embedding[token]
//   for each layer:  x += W_o attention(rope(W_q n), rope(W_k n), W_v n)   with n = rms_norm(x)
//                    x += W_down (silu(W_gate m) * W_up m)                 with m = rms_norm(x)
//   logits = W_head rms_norm(x)
//
// Where the family asks for it: x = sqrt(width) * embedding[token]; head norms before rope; gelu
// for silu; a norm of what is added to x; windows, soft caps and rope bases of single layers;
// soft-capped logits.
#ifndef WHEREOF_MODEL_TRANSFORMER_H_
#define WHEREOF_MODEL_TRANSFORMER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linear/multiply.h"
#include "memory/aligned_array.h"
#include "model/kv_cache.h"
#include "model/loaded_model.h"
#include "whereof/evidence.h"
#include "whereof/rotary.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

// Rows of a block that follow each other in one sequence. What it points to outlives the block.
struct BlockPart {
  std::span<const TokenId> tokens;
  std::int64_t start = 0;  // position of the first
  // Where its sequence lies: the pages of its positions, all up to the last; null: the context's.
  const std::int32_t* pages = nullptr;
  const std::vector<Span>* hidden = nullptr;  // positions that the rows do not see, or null
  const EvidenceRequest* request = nullptr;   // both null or neither
  Evidence* evidence = nullptr;               // overwritten by each layer
};

// Working memory for blocks of at most block_tokens tokens. Not thread-safe.
class Transformer {
 public:
  Transformer(const LoadedModel& model, InstructionSet set, int threads, std::int64_t block_tokens,
              std::int64_t capacity, InjectedFault fault = InjectedFault::none);

  static std::int64_t bytes_needed(const LoadedModel& model, InstructionSet set, int threads,
                                   std::int64_t block_tokens, std::int64_t capacity);

  // Positions that the rotary tables cover.
  std::int64_t rotary_length() const noexcept { return rotary_.length(); }

  // What rotates a key of a layer on by so many positions, as position 1 of the table.
  RotaryTable rotation_by(std::int64_t layer, std::int64_t positions) const;

  // Begins a block: the rows of its parts, one part after the other, of different sequences.
  void embed(std::span<const BlockPart> parts);

  // Runs one layer of the block, writing its keys and values to the cache.
  void run_layer(std::int64_t layer, KvCache& cache);

  // Of the layer that ran last, for checks: [rows of the block, query_heads, head_dim]; queries as
  // attention took them, rotated, in bf16, and what it gave.
  const std::uint16_t* queries() const noexcept { return query_bf16_.data(); }
  const float* attended() const noexcept { return attended_.data(); }

  // After all layers: the logits of `rows` of the block's rows from row `first` on, to
  // [rows, vocabulary_size] floats.
  void write_logits(std::int64_t first, std::int64_t rows, float* logits);

 private:
  void normalise(const std::vector<float>& weight, std::int64_t first, std::int64_t rows);
  // Adds change_ to the state, normalised first unless post_norm is empty.
  void add_to_state(const std::vector<float>& post_norm);
  // Queries, keys and values of the block: projected, normalised, rotated, the latter two cached.
  void project(std::int64_t layer, KvCache& cache);
  // Keys and values of the block's rows [begin, end).
  // Rows begin .. end - 1, by the units of the keys that they will meet.
  void multiply_queries(const float* key_units, std::int64_t begin, std::int64_t end);
  void write_cache(std::int64_t layer, KvCache& cache, std::int64_t begin, std::int64_t end) const;
  void shift_cache(std::int64_t layer, KvCache& cache) const;  // an injected fault
  // attended_ of the part whose first row is `first`.
  void attend(std::int64_t layer, const KvCache& cache, const BlockPart& part, std::int64_t first);
  const RotaryTable& rotary(std::int64_t layer) const;
  bool has_window(std::int64_t layer) const {
    return sizes_.has_window[static_cast<std::size_t>(layer)];
  }
  // Rows [begin, end) of the block, as [1, rows, heads, head_dim].
  TensorView heads_of(memory::AlignedArray<float>& rows, std::int64_t heads, std::int64_t begin,
                      std::int64_t end) const;
  void feed_forward(const LayerWeights& weights);

  // Calls body(begin, end) for pieces of the block's rows, on all threads where that pays.
  template <typename Body>
  void for_rows(std::int64_t rows, Body body) const;

  const Hyperparameters& sizes_;
  const TransformerWeights& weights_;
  InstructionSet instruction_set_;
  linear::Multiplier multiplier_;
  RotaryTable rotary_;
  std::optional<RotaryTable> window_rotary_;  // of layers with a window, if they rotate otherwise
  InjectedFault fault_;
  std::vector<BlockPart> parts_;
  std::int64_t rows_ = 0;
  std::vector<std::int64_t> positions_;
  memory::AlignedArray<float> state_;               // [block, width]
  memory::AlignedArray<float> normalised_;          // [block, width]
  memory::AlignedArray<float> query_;               // [block, query_heads, head_dim]
  memory::AlignedArray<std::uint16_t> query_bf16_;  // rounded, as attention takes them
  memory::AlignedArray<float> key_;                 // [block, kv_heads, head_dim]
  memory::AlignedArray<float> value_;               // [block, kv_heads, head_dim]
  memory::AlignedArray<float> attended_;            // [block, query_heads, head_dim]
  memory::AlignedArray<float> change_;              // [block, width]
  memory::AlignedArray<float> gate_;                // [block, feed_forward_width]
  memory::AlignedArray<float> up_;                  // [block, feed_forward_width]
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_TRANSFORMER_H_
