#include <algorithm>
#include <chrono>

#include "model/attention_check.h"
#include "whereof/health.h"
#include "whereof/instruction_set.h"

namespace whereof {
namespace {

constexpr std::int64_t kProbeTokens = 48;  // read as a block; one more is read alone
constexpr std::int64_t kRowStep = 4;
constexpr std::int64_t kDepths = 8;
constexpr std::int64_t kSpareTokens = 64;  // of a context's capacity, behind what is read

constexpr std::string_view kProbeText =
    "The Seller shall indemnify the Buyer against all Losses that arise from a breach of clause 7, "
    "but such compensation shall not exceed the Purchase Price. "
    "卖方应当赔偿买方因违约而遭受的损失。 "
    "Notices take effect 3 days after they are sent, unless the other party objects in writing. ";

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The text over and over, each time with another number so that it doesn't repeat itself.
std::vector<TokenId> probe_tokens(const Model& model, std::int64_t count) {
  std::vector<TokenId> tokens;
  if (const auto begin = model.tokenizer().begin_of_text()) tokens.push_back(*begin);
  for (int round = 1; std::ssize(tokens) < count; ++round) {
    const std::string text = std::string(kProbeText) + std::to_string(round) + ". ";
    const std::vector<TokenId> ids = model.tokenizer().encode(text).ids;
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  }
  tokens.resize(static_cast<std::size_t>(count));
  return tokens;
}

void check_attention(const model::LoadedModel& model, const HealthOptions& options,
                     Health& health) {
  const Stopwatch watch;
  const model::Hyperparameters& sizes = model.hyperparameters();
  const std::int64_t tokens = std::min(kProbeTokens + 1, sizes.window_tokens);
  model::Sequence sequence{model::KvCache(sizes, {.capacity = tokens}),
                           model::LayerRotations(sizes, tokens, options.fault), options.fault};
  model::Transformer transformer(model, chosen_instruction_set(), options.threads, tokens);
  model::AttentionCheck check(model, transformer, sequence);
  const std::vector<TokenId> probe = probe_tokens(model, tokens);
  const std::span<const TokenId> all(probe);
  check.run(all.first(all.size() - 1), 0, kRowStep);
  check.run(all.last(1), tokens - 1, 1);
  check.report(health);
  health.attention_seconds = watch.seconds();
}

void check_positions(const std::shared_ptr<const Model>& model, const HealthOptions& options,
                     Health& health) {
  const Stopwatch watch;
  const std::int64_t window = model->description().window_tokens;
  const std::int64_t depth = std::min(options.depth_tokens, window);
  ContextOptions context_options;
  context_options.threads = options.threads;
  context_options.fault = options.fault;
  context_options.capacity_tokens = std::min(window, depth + kSpareTokens);
  const std::unique_ptr<Context> context = Context::create(model, context_options);
  ReadOptions read;
  read.wants_logits = false;
  context->read(probe_tokens(*model, depth), read);
  health.positions = context->check_positions(kDepths);
  health.position_seconds = watch.seconds();
}

}  // namespace

Health check_health(const std::shared_ptr<const Model>& model, const HealthOptions& options) {
  Health health;
  check_attention(model::loaded(*model, "check_health"), options, health);
  if (!health.holds || options.depth_tokens == 0) return health;
  check_positions(model, options, health);
  if (health.positions.holds) return health;
  health.holds = false;
  health.alarm = health.positions.alarm;
  health.recognised = health.positions.recognised;
  return health;
}

}  // namespace whereof
