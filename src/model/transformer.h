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
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "linear/multiply.h"
#include "memory/aligned_array.h"
#include "model/loaded_model.h"
#include "model/sequence.h"
#include "whereof/evidence.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

// Rows of a block that follow each other in one sequence. What it points to outlives the block.
struct BlockPart {
  Sequence* sequence = nullptr;  // whose cache takes their keys and values
  std::span<const TokenId> tokens;
  std::int64_t start = 0;  // position of the first
  // Where its sequence lies: the pages of its positions, all up to the last; null: the context's.
  const std::int32_t* pages = nullptr;
  const std::vector<Span>* hidden = nullptr;  // positions that the rows do not see, or null
  const EvidenceRequest* request = nullptr;   // both null or neither
  Evidence* evidence = nullptr;               // overwritten by each layer
};

// A row of a block whose logits are wanted as if it were alone.
struct LogitRow {
  std::int64_t row = 0;
  float* to = nullptr;  // [vocabulary_size]
};

// A token that follows a row of a block, and where ln of its probability there is wanted.
struct FollowingToken {
  std::int64_t row = 0;
  TokenId token = 0;
  double* log_probability = nullptr;
};

// Working memory for blocks of at most block_tokens tokens. Not thread-safe.
class Transformer {
 public:
  // Logits of so many single rows are computed at a time.
  static constexpr std::int64_t kLogitRows = 16;

  Transformer(const LoadedModel& model, InstructionSet set, int threads, std::int64_t block_tokens);

  static std::int64_t bytes_needed(const LoadedModel& model, InstructionSet set, int threads,
                                   std::int64_t block_tokens);

  // Begins a block: the rows of its parts, one part after the other, of different sequences. What a
  // row gives has the same bits whatever other rows are there, so long as the way is the same.
  void embed(std::span<const BlockPart> parts, linear::ProductWay way);

  // Runs one layer of the block, writing its keys and values to the caches. What a part alone is
  // the cause of becomes its failure(); all else is thrown.
  void run_layer(std::int64_t layer);

  // Of a part, counted as embed() got them less those that were removed: what went wrong in the
  // layers so far, or null.
  const std::exception_ptr& failure(std::size_t part) const { return failures_[part]; }
  // Between layers: its rows are no longer there, those of later parts move up.
  void remove_part(std::size_t part);

  // Of the layer that ran last, for checks: [rows of the block, query_heads, head_dim]; queries as
  // attention took them, rotated, in bf16, and what it gave.
  const std::uint16_t* queries() const noexcept { return query_bf16_.data(); }
  const float* attended() const noexcept { return attended_.data(); }

  // After all layers: the logits of `rows` of the block's rows from row `first` on, to
  // [rows, vocabulary_size] floats, as their number has them multiplied.
  void write_logits(std::int64_t first, std::int64_t rows, float* logits);
  // Of single rows, which may be of different sequences.
  void write_logits(std::span<const LogitRow> rows);
  // After all layers, of rows of any sequences. The vocabulary passes in panels, so that no row's
  // logits are ever there as a whole; a row's bits are the same in any company.
  void write_log_probabilities(std::span<const FollowingToken> wanted);

 private:
  // normalised_ row i of the state's row first + i.
  void normalise(const std::vector<float>& weight, std::int64_t first, std::int64_t rows);
  // Adds change_ to the state, normalised first unless post_norm is empty.
  void add_to_state(const std::vector<float>& post_norm);
  // Queries, keys and values of the block: projected, normalised, rotated, the latter two cached.
  void project(std::int64_t layer);
  // What project() does with rows begin .. end - 1 of one part.
  struct PartRows {
    std::size_t part = 0;
    std::int64_t first = 0;  // row of the block that is the part's first
    std::int64_t begin = 0;  // rows of the block
    std::int64_t end = 0;
  };
  void place(std::int64_t layer, const PartRows& rows);
  // By the units of the keys that they will meet.
  void multiply_queries(const float* key_units, std::int64_t begin, std::int64_t end);
  void shift_cache(std::int64_t layer, const PartRows& rows) const;  // an injected fault
  // attended_ of all parts.
  void attend_all(std::int64_t layer);
  void attend(std::int64_t layer, const BlockPart& part, std::int64_t first);
  // Runs work of one part; what it throws becomes the part's failure.
  template <typename Work>
  void guard(std::size_t part, Work work);
  bool has_window(std::int64_t layer) const {
    return sizes_.has_window[static_cast<std::size_t>(layer)];
  }
  // Rows [begin, end) of the block, as [1, rows, heads, head_dim].
  TensorView heads_of(memory::AlignedArray<float>& rows, std::int64_t heads, std::int64_t begin,
                      std::int64_t end) const;
  void feed_forward(const LayerWeights& weights);
  // Row `to` of normalised_ from one row of the state, as the head takes it.
  void normalise_for_head(std::int64_t row, std::int64_t to) noexcept;
  // Logits of the first rows of normalised_.
  void multiply_head(std::int64_t rows, linear::ProductWay way, float* logits);
  // Of so many rows that their logits of so many tokens fit logits_.
  void write_some_log_probabilities(std::span<const FollowingToken> wanted, std::int64_t panel);

  // Calls body(PartRows) for the parts of rows [begin, end).
  template <typename Body>
  void for_parts(std::int64_t begin, std::int64_t end, Body body);
  // Calls body(begin, end) for pieces of the block's rows, on all threads where that pays.
  template <typename Body>
  void for_rows(std::int64_t rows, Body body) const;

  const Hyperparameters& sizes_;
  const TransformerWeights& weights_;
  InstructionSet instruction_set_;
  linear::Multiplier multiplier_;
  linear::ProductWay way_ = linear::ProductWay::many_rows;
  std::vector<BlockPart> parts_;
  std::mutex failure_mutex_;
  std::vector<std::exception_ptr> failures_;  // [parts]
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
  memory::AlignedArray<float> logits_;              // [kLogitRows, vocabulary_size]
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_TRANSFORMER_H_
