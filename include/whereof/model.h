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

struct ContextOptions {
  std::int64_t capacity_tokens = 0;  // 0: the model's window
  int threads = 0;                   // 0: all of the process's pool
  std::int64_t block_tokens = 0;     // prefill block; 0: chosen by the runtime
};

// A sequence that has been read, with its KV cache. Not thread-safe.
class Context {
 public:
  // Throws Error(invalid_argument) for a capacity over the window, Error(out_of_memory), before
  // allocating, with the largest capacity that fits.
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
