// The messages are read once; then a token is chosen, its bytes go through the stop strings and
// the stream of whole characters, and it is read in its turn.
#include "whereof/chat.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "answering/prompt_pieces.h"
#include "answering/stop_strings.h"
#include "answering/text_stream.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::invalid_argument, message);
}

void check(std::span<const ChatMessage> messages, const ChatOptions& options) {
  if (messages.empty()) refuse("no messages were given, wanted at least one");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!text::is_valid(messages[i].content) || !text::is_valid(messages[i].role)) {
      refuse("message " + std::to_string(i) + " is not valid UTF-8");
    }
  }
  if (options.max_tokens < 1) {
    refuse("max_tokens is " + std::to_string(options.max_tokens) + ", wanted at least 1");
  }
  if (options.top_log_probabilities < 0 ||
      options.top_log_probabilities > kMostTopLogProbabilities) {
    refuse("top_log_probabilities is " + std::to_string(options.top_log_probabilities) +
           ", wanted 0 to " + std::to_string(kMostTopLogProbabilities));
  }
}

// ln of softmax(logits)[i] is logits[i] less this.
double log_sum_exp(std::span<const float> logits) {
  const double largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return largest + std::log(sum);
}

ChosenToken chances_of(TokenId chosen, std::span<const float> logits, const Tokenizer& tokenizer,
                       std::int64_t top) {
  const double normaliser = log_sum_exp(logits);
  const auto chance = [&](TokenId id) {
    return TokenChance{id, std::string(tokenizer.bytes_of_token(id)),
                       static_cast<double>(logits[static_cast<std::size_t>(id)]) - normaliser};
  };
  ChosenToken token{chance(chosen), {}};
  std::vector<TokenId> best(static_cast<std::size_t>(
      std::min<std::int64_t>(top, static_cast<std::int64_t>(logits.size()))));
  std::vector<TokenId> all(logits.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<TokenId>(i);
  std::partial_sort_copy(all.begin(), all.end(), best.begin(), best.end(),
                         [&](TokenId a, TokenId b) {
                           const float of_a = logits[static_cast<std::size_t>(a)];
                           const float of_b = logits[static_cast<std::size_t>(b)];
                           return of_a != of_b ? of_a > of_b : a < b;
                         });
  for (const TokenId id : best) token.likeliest.push_back(chance(id));
  return token;
}

// The reply as it grows.
class Reply {
 public:
  Reply(const ChatOptions& options, ChatReply& reply)
      : options_(options),
        reply_(reply),
        stops_(options.stops),
        stream_([this](auto text) { fresh_ += text; }) {}

  // True where a stop string has come to its end.
  bool append(std::string_view bytes, std::optional<ChosenToken> token) {
    const bool is_stopped = stops_.append(bytes);
    held_ += bytes;
    written_ += bytes.size();
    if (token) waiting_.emplace_back(written_ - bytes.size(), std::move(*token));
    give(stops_.certain_bytes(), false);
    return is_stopped;
  }
  // Without a stop string, what could have been the begin of one is text after all.
  void end(bool is_stopped) {
    give(is_stopped ? stops_.certain_bytes() : written_, true);
    reply_.text = stream_.whole_text();
  }

 private:
  void give(std::size_t certain, bool is_end) {
    const std::size_t count = certain - given_;
    stream_.append(std::string_view(held_).substr(0, count));
    held_.erase(0, count);
    given_ = certain;
    // At the end a token counts of which some bytes were given, before only those all given.
    std::size_t taken = 0;
    while (taken < waiting_.size() &&
           (is_end ? waiting_[taken].first < certain : end_of(taken) <= certain)) {
      fresh_tokens_.push_back(std::move(waiting_[taken++].second));
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
    if (fresh_.empty() && !(is_end && !fresh_tokens_.empty())) return;
    if (options_.on_text) options_.on_text({fresh_, fresh_tokens_});
    fresh_.clear();
    std::move(fresh_tokens_.begin(), fresh_tokens_.end(), std::back_inserter(reply_.tokens));
    fresh_tokens_.clear();
  }
  std::size_t end_of(std::size_t i) const {
    return waiting_[i].first + waiting_[i].second.chosen.bytes.size();
  }

  const ChatOptions& options_;
  ChatReply& reply_;
  answering::StopStrings stops_;
  std::string fresh_;
  answering::TextStream stream_;
  std::string held_;  // bytes that may begin a stop string
  std::size_t written_ = 0;
  std::size_t given_ = 0;
  std::vector<std::pair<std::size_t, ChosenToken>> waiting_;  // with their first bytes
  std::vector<ChosenToken> fresh_tokens_;
};

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(ErrorKind::cancelled, "the reply was stopped");
}

void write_reply(Context& context, const Model& model, std::int64_t most_tokens,
                 const ChatOptions& options, ChatReply& reply) {
  const Tokenizer& tokenizer = model.tokenizer();
  Sampler sampler(options.sampler);
  Reply text(options, reply);
  reply.finish = FinishReason::length;
  bool is_stopped = false;
  for (;;) {
    check_stop(options.stop);
    const TokenId token = sampler.choose(context.logits());
    if (tokenizer.ends_generation(token)) {
      reply.finish = FinishReason::stop;
      break;
    }
    ++reply.reply_tokens;
    std::optional<ChosenToken> chances;
    if (options.wants_log_probabilities) {
      chances = chances_of(token, context.logits(), tokenizer, options.top_log_probabilities);
    }
    is_stopped = text.append(tokenizer.bytes_of_token(token), std::move(chances));
    if (is_stopped) {
      reply.finish = FinishReason::stop;
      break;
    }
    if (reply.reply_tokens == most_tokens) break;
    context.read({&token, 1});
  }
  text.end(is_stopped);
}

}  // namespace

std::string_view name_of(FinishReason reason) noexcept {
  return reason == FinishReason::stop ? "stop" : "length";
}

ChatReply chat(std::shared_ptr<const Model> model, std::span<const ChatMessage> messages,
               const ChatOptions& options) {
  check(messages, options);
  const std::vector<TokenId> prompt =
      answering::tokens_of_pieces(model->chat_prompt(messages), model->tokenizer());
  const std::int64_t window = model->description().window_tokens;
  ChatReply reply;
  reply.prompt_tokens = std::ssize(prompt);
  if (reply.prompt_tokens >= window) {
    throw Error(ErrorKind::over_window, "the messages are " + std::to_string(reply.prompt_tokens) +
                                            " tokens, which leaves no room for a reply in the " +
                                            std::to_string(window) + " of the model's window");
  }
  const std::int64_t most_tokens = std::min(options.max_tokens, window - reply.prompt_tokens);
  ContextOptions context_options;
  context_options.capacity_tokens = reply.prompt_tokens + most_tokens;
  context_options.threads = options.threads;
  context_options.kv_type = options.kv_type;
  context_options.shared_steps = options.shared_steps;
  const std::unique_ptr<Context> context = Context::create(model, context_options);
  const Clock::time_point begin = Clock::now();
  ReadOptions read;
  read.progress = options.progress;
  read.stop = options.stop;
  context->read(prompt, read);
  reply.prefill_seconds = seconds_since(begin);
  const Clock::time_point decode_begin = Clock::now();
  write_reply(*context, *model, most_tokens, options, reply);
  reply.decode_seconds = seconds_since(decode_begin);
  return reply;
}

}  // namespace whereof
