// A conversation with a model, without a document: what the model says next.
#ifndef WHEREOF_CHAT_H_
#define WHEREOF_CHAT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/model.h"
#include "whereof/progress.h"

namespace whereof {

constexpr std::int64_t kMostTopLogProbabilities = 20;

// A token and how likely it was: the logarithm of softmax(logits)[token], before temperature and
// cuts.
struct TokenChance {
  TokenId token = 0;
  std::string bytes;  // as they stand in text: a part of a UTF-8 character, maybe
  double log_probability = 0;
};

struct ChosenToken {
  TokenChance chosen;
  std::vector<TokenChance> likeliest;  // ChatOptions::top_log_probabilities, the likeliest first
};

enum class FinishReason {
  stop,    // the model ended its turn, or came to a stop string
  length,  // max_tokens, or the model's window, was full
};
std::string_view name_of(FinishReason reason) noexcept;

// A piece of a reply, given while it is written. Valid during the call.
struct ChatDelta {
  std::string_view text;                // whole UTF-8 characters
  std::span<const ChosenToken> tokens;  // since the last delta; empty unless asked for
};

struct ChatOptions {
  std::int64_t max_tokens = 1024;  // of the reply; at least 1
  SamplerOptions sampler;
  // The reply ends before the first of these; none of its bytes are given, also where it begins
  // in one token and ends in another. None may be empty.
  std::vector<std::string> stops;
  bool wants_log_probabilities = false;
  std::int64_t top_log_probabilities = 0;  // of each token, at most kMostTopLogProbabilities
  int threads = 0;                         // 0: all processors
  ElementType kv_type = ElementType::bf16;
  std::shared_ptr<SharedSteps> shared_steps;  // ContextOptions::shared_steps
  std::function<void(const ChatDelta&)> on_text;
  ProgressCallback progress;  // of reading the messages
  std::stop_token stop;
};

struct ChatReply {
  std::string text;  // valid UTF-8: the texts of all deltas together
  FinishReason finish = FinishReason::stop;
  std::int64_t prompt_tokens = 0;
  std::int64_t reply_tokens = 0;    // that were written, those of a stop string included
  std::vector<ChosenToken> tokens;  // whose text was given; empty unless asked for
  double prefill_seconds = 0;
  double decode_seconds = 0;
};

// Puts the messages into the model's chat format and writes what the assistant says next. Nothing
// in a message is read as a special token. Greedy replies have the same bits for any number of
// threads. Throws what Model::chat_prompt, Sampler and Context throw; Error(over_window), with both
// numbers, where the messages leave no room for a token; Error(invalid_argument) for no messages,
// text that is not UTF-8 and options out of range; Error(cancelled) when stopped.
ChatReply chat(std::shared_ptr<const Model> model, std::span<const ChatMessage> messages,
               const ChatOptions& options);

}  // namespace whereof

#endif  // WHEREOF_CHAT_H_
