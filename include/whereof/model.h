// A language model read from a GGUF file, and what runs on it.
#ifndef WHEREOF_MODEL_H_
#define WHEREOF_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/evidence.h"
#include "whereof/progress.h"
#include "whereof/span.h"
#include "whereof/tensor_view.h"
#include "whereof/tokenizer.h"

namespace whereof {

struct ModelDescription {
  std::string name;          // general.name of the file, or the file's stem
  std::string architecture;  // "qwen2", "gemma3"
  std::filesystem::path path;
  std::int64_t file_bytes = 0;
  std::int64_t layers = 0;
  std::int64_t width = 0;  // elements of one token's state
  std::int64_t feed_forward_width = 0;
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t vocabulary_size = 0;
  std::int64_t window_tokens = 0;  // the training window: positions 0 .. window_tokens - 1
  std::int64_t parameters = 0;
  double rope_base = 0;
  bool has_chat_template = false;  // without one it is a base model, which continues a text
};

struct ChatMessage {
  std::string role;  // "system", "user", "assistant"
  std::string content;
};

// Immutable; shared by any number of contexts and threads. Weights stay quantised and mapped.
class Model {
 public:
  // Throws Error: not_found, bad_model, unsupported (names the architecture, tensor type, tokenizer
  // or rope scaling that is not supported).
  static std::shared_ptr<const Model> open(const std::filesystem::path& path);
  virtual ~Model() = default;

  virtual const ModelDescription& description() const = 0;
  virtual const Tokenizer& tokenizer() const = 0;

  // The messages in the model's own chat format, with the opening of an assistant turn at the end.
  // Text that looks like a special token inside a message stays text: the result is made of pieces,
  // of which only those with is_template may be encoded with SpecialTokens::recognised.
  struct PromptPiece {
    std::string text;
    bool is_template = false;
  };
  // The file's template is run, within limits (src/chat_template/limits.h). Throws Error:
  // unsupported for a file without one, for one that goes over the limits, uses what is not known
  // or refuses the messages; bad_model for one that is wrong; the message names the line.
  virtual std::vector<PromptPiece> chat_prompt(std::span<const ChatMessage> messages) const = 0;
};

class KeptReading;

// What evidence to gather while tokens are read; every layer gives one Evidence.
struct ReadOptions {
  const EvidenceRequest* evidence = nullptr;        // rows count from the first token of this call;
                                                    // key spans count positions of the context
  std::vector<Evidence>* layer_evidence = nullptr;  // overwritten: [layers]
  bool wants_logits = true;                         // of the last token only
  bool wants_all_logits = false;                    // of every token: vocabulary_size floats each
  // Keys and values that are kept there for the first tokens of an empty context are taken from it,
  // those that are computed are kept. Only without evidence and logits, else
  // Error(invalid_argument).
  KeptReading* kept = nullptr;
  ProgressCallback progress;
  std::stop_token stop;  // checked between blocks and layers
};

// What a wrong implementation would do: injected by tests and by "whereof lab faults", and what the
// checks name when they find its symptoms.
enum class InjectedFault {
  none,
  rotary_table_too_short,       // positions in the second half of the capacity rotate as its middle
  decode_at_position_zero,      // a token that is read alone rotates as the first would
  decode_one_position_late,     // the offset of a token read alone is taken after its append
  positions_in_half_precision,  // past 2,048 neighbouring positions rotate alike
  left_padding,                 // blocks of several tokens stand eight positions late
  shifted_cache,                // keys and values are kept one place too early
  offset_restarts_at_depth,     // from position 256 on rows rotate as if positions began again
  mask_on_wrong_triangle,       // a row sees itself and the rows of its block behind it
  mask_after_softmax,           // weights behind a row are zeroed, but were counted in its sum
  no_scale,                     // scores are not divided at all
  scale_by_head_dim,            // scores are divided by head_dim
};
std::string_view name_of(InjectedFault fault) noexcept;

// What a context found of its own positions.
struct PositionCheck {
  bool holds = true;
  std::string alarm;  // names the position and the figure; empty when it holds
  // The known fault that what was found at all positions fits; none where it holds, or fits none.
  InjectedFault recognised = InjectedFault::none;
  std::int64_t positions = 0;     // how many were looked at
  double key_difference = 0;      // largest, of first-layer keys from what they should be, relative
  double decoded_difference = 0;  // largest over layers, of a decoded row from its prefilled one
};

// A continuation of what a context has read, beside others: it sees those tokens and its own.
struct BranchOptions {
  std::int64_t room_tokens = 0;  // how many it may read
  std::vector<Span> hidden;      // positions that its rows do not see, ascending and disjoint
};

// What one branch reads in a call of Context::read_branches.
struct BranchRead {
  std::int64_t branch = 0;
  std::span<const TokenId> tokens;
  const EvidenceRequest* evidence = nullptr;        // as in ReadOptions
  std::vector<Evidence>* layer_evidence = nullptr;  // overwritten: [layers]
  // If not null, overwritten: ln of the probability of each of the tokens from this one on, given
  // all before it; at least 1, since what comes before the first is not of this read.
  std::vector<double>* log_probabilities = nullptr;
  std::int64_t log_probabilities_from = 1;
  bool wants_logits = true;  // else branch_logits() are not those after these tokens
};

constexpr std::int64_t kBranchOverheadTokens = 512;

class SharedSteps;

struct ContextOptions {
  std::int64_t capacity_tokens = 0;  // 0: the model's window
  // Room for branches, in tokens, all together: each takes its own and less than
  // kBranchOverheadTokens more, since it begins and ends inside a page.
  std::int64_t branch_tokens = 0;
  int threads = 0;                // 0: all of the process's pool
  std::int64_t block_tokens = 0;  // prefill block; 0: chosen by the runtime
  // Of cached keys and values: bf16, or i8 with one scale for each token and head, which is about
  // half of the memory and the disk (docs/performance.md says what it costs).
  ElementType kv_type = ElementType::bf16;
  InjectedFault fault = InjectedFault::none;
  // What computes the tokens, together with other contexts of the model (whereof/shared_steps.h);
  // null: the context alone. `threads` is then what they have, and block_tokens at most theirs.
  std::shared_ptr<SharedSteps> shared_steps = nullptr;
};

// A sequence that has been read, with its KV cache. Not thread-safe.
class Context {
 public:
  // Throws Error(invalid_argument) for a capacity over the window, another kv_type than bf16 and
  // i8, or shared_steps of another model; Error(out_of_memory), before allocating, with the largest
  // capacity that fits.
  static std::unique_ptr<Context> create(std::shared_ptr<const Model> model,
                                         const ContextOptions& options = {});
  virtual ~Context() = default;

  // Bytes that a context of this capacity allocates.
  static std::int64_t bytes_needed(const Model& model, const ContextOptions& options);

  // Appends tokens at positions length() .. length() + n - 1 and computes them, in blocks. Throws
  // Error(over_window) before any work if they do not fit, Error(cancelled) when stopped: length()
  // then counts whole blocks that were read. The evidence of several blocks is put together.
  virtual void read(std::span<const TokenId> tokens, const ReadOptions& options = {}) = 0;

  virtual std::int64_t length() const = 0;
  virtual std::int64_t capacity() const = 0;
  virtual void truncate(std::int64_t length) = 0;  // forgets the positions from length on
  // Stacks a text that was read alone on what this context has read: keys and values of the first
  // of these tokens that are kept come to stand at positions length(), length() + 1, ..., as if
  // they had been read there without seeing what is before. Exact but for a second rounding of the
  // keys, which are rotated on. Returns how many tokens were appended; the rest is for read().
  // With a part, only those of the tokens are appended that lie in it, as they were read after all
  // that is before them in `tokens`. Throws Error(over_window) when the kept ones do not fit,
  // Error(invalid_argument) for a reading of another model or kv_type, and for a part that is not
  // within the tokens.
  virtual std::int64_t append_kept(KeptReading& kept, std::span<const TokenId> tokens,
                                   std::optional<Span> part = std::nullopt) = 0;
  // The same with positions [part.begin, part.end) of what another context has read, all of them.
  // Throws Error(over_window) when they do not fit; Error(invalid_argument) for a context of
  // another model or kv_type, one whose capacity makes it rotate otherwise, or itself, and for a
  // part that is not within what it has read.
  virtual void append_part_of(const Context& other, Span part) = 0;

  // Branches go on from length(), which stays as it is while there are any; their positions count
  // on from there. Many rows of several branches run together: the weights are read once for all.
  // Returns a number that is valid until close_branches(). Throws Error(invalid_argument) for a
  // window or hidden spans that do not fit, Error(over_window) when branch_tokens is used up.
  virtual std::int64_t open_branch(const BranchOptions& options) = 0;
  // Throws Error(invalid_argument) for a branch that is not open or named twice, Error(over_window)
  // for more tokens than its room, Error(cancelled) when stopped: some branches may then have read
  // whole blocks.
  virtual void read_branches(std::span<const BranchRead> reads, std::stop_token stop = {}) = 0;
  // Of the last token that the branch has read; [vocabulary_size]. Valid until its next read.
  virtual std::span<const float> branch_logits(std::int64_t branch) const = 0;
  virtual void close_branches() = 0;

  // Whether keys stand where they belong, at `count` depths up to length() - 1: a key in the cache
  // and the key of the same token read alone against that key computed apart in double, and each
  // layer's row read alone against its row in the cache; and whether the rotary table covers the
  // capacity. Costs a decode step for each depth and leaves what was read as it is. Throws
  // Error(invalid_argument) for a negative count.
  virtual PositionCheck check_positions(std::int64_t count = 4) = 0;
  // Of the last token read; [vocabulary_size]. Valid until the next read.
  virtual std::span<const float> logits() const = 0;
  // [tokens of the last read, vocabulary_size] when wants_all_logits was set.
  virtual std::span<const float> all_logits() const = 0;
};

struct SamplerOptions {
  float temperature = 0;    // 0: greedy
  std::int64_t top_k = 40;  // 0: all
  float top_p = 0.95F;      // 1: all
  std::uint64_t seed = 0;
};

// Chooses the next token. The same seed and logits give the same choice on every machine.
class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);  // Error(invalid_argument) for NaN or negatives
  TokenId choose(std::span<const float> logits);

 private:
  SamplerOptions options_;
  std::uint64_t state_;
  std::vector<std::pair<float, TokenId>> candidates_;
};

}  // namespace whereof

#endif  // WHEREOF_MODEL_H_
