#include "answering/reading.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "answering/prompt.h"
#include "answering/windows.h"
#include "whereof/answer.h"
#include "whereof/error.h"

namespace whereof {
namespace answering {
namespace {

// Of a prompt with a question that asks nothing, the tokens that all questions of this manner begin
// with: what prompts of different questions share.
std::vector<TokenId> tokens_before_questions(const Document& document, std::span<const Passage> all,
                                             const Prompt& whole, const Model& model,
                                             const Manner& manner) {
  const Prompt other = compose_prompt(document, all, "?", manner, model);
  std::vector<TokenId> tokens = whole.tokens;
  tokens.resize(static_cast<std::size_t>(shared_prefix(tokens, other.tokens)));
  return tokens;
}

}  // namespace

std::unique_ptr<KeptReading> kept_reading(KvStore& store, const Document& document,
                                          const Model& model, const Manner& manner,
                                          ElementType kv_type, ReadingPart part) {
  std::string key = document.content_hash + (manner.language == Language::chinese ? " zh" : " en") +
                    (manner.offers_declining ? " declining" : "");
  std::string name = document.name;
  if (part.count > 1) {
    key += " window " + std::to_string(part.number);
    name += ", part " + std::to_string(part.number) + " of " + std::to_string(part.count);
  }
  return store.reading(model, key, name, kv_type);
}

void require_sound_positions(Context& context, const Model& model, std::int64_t count) {
  const PositionCheck check = context.check_positions(count);
  if (check.holds) return;
  throw Error(ErrorKind::failed_check,
              "position check of " + model.description().name + ": " + check.alarm);
}

}  // namespace answering

ReadAhead read_ahead(const Document& document, std::shared_ptr<const Model> model,
                     const AskOptions& options) {
  if (!options.store) throw Error(ErrorKind::invalid_argument, "read_ahead needs a store");
  const answering::Manner manner{answering::language_of(document.text), true};
  const std::vector<Passage> all = split_passages(document);
  const answering::Prompt whole = answering::compose_prompt(
      document, all, answering::phrases_in(manner.language).content_free, manner, *model);
  const std::vector<TokenId> tokens =
      answering::tokens_before_questions(document, all, whole, *model, manner);
  if (!all.empty() && std::ssize(tokens) > model->description().window_tokens) {
    return answering::WindowedDocument(document, all, whole, manner, *model, options)
        .read_all(model);
  }
  const std::unique_ptr<KeptReading> kept =
      answering::kept_reading(*options.store, document, *model, manner, options.kv_type);
  ReadAhead result;
  result.tokens = static_cast<std::int64_t>(tokens.size());
  result.kept_before = kept->matching(tokens);
  if (result.kept_before == result.tokens) return result;
  const auto begin = std::chrono::steady_clock::now();
  ContextOptions context_options;
  context_options.threads = options.threads;
  context_options.shared_steps = options.shared_steps;
  context_options.capacity_tokens = result.tokens;
  context_options.kv_type = options.kv_type;
  const std::unique_ptr<Context> context = Context::create(model, context_options);
  ReadOptions read;
  read.wants_logits = false;
  read.kept = kept.get();
  read.progress = options.progress;
  read.stop = options.stop;
  context->read(tokens, read);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.trouble = kept->trouble();
  return result;
}

}  // namespace whereof
