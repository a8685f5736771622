#include "answering/reading.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "answering/prompt.h"
#include "whereof/answer.h"
#include "whereof/error.h"

namespace whereof {
namespace answering {
namespace {

// The tokens that all questions of this manner begin with: what prompts of different questions
// share.
std::vector<TokenId> tokens_before_questions(const Document& document, const Model& model,
                                             Manner manner) {
  const std::vector<Passage> all = split_passages(document);
  std::vector<TokenId> tokens =
      compose_prompt(document, all, phrases_in(manner.language).content_free, manner, model).tokens;
  const Prompt other = compose_prompt(document, all, "?", manner, model);
  tokens.resize(static_cast<std::size_t>(shared_prefix(tokens, other.tokens)));
  return tokens;
}

}  // namespace

std::unique_ptr<KeptReading> kept_reading(KvStore& store, const Document& document,
                                          const Model& model, Manner manner) {
  const std::string key = document.content_hash +
                          (manner.language == Language::chinese ? " zh" : " en") +
                          (manner.offers_declining ? " declining" : "");
  return store.reading(model, key, document.name);
}

}  // namespace answering

ReadAhead read_ahead(const Document& document, std::shared_ptr<const Model> model,
                     const AskOptions& options) {
  if (!options.store) throw Error(ErrorKind::invalid_argument, "read_ahead needs a store");
  const answering::Manner manner{answering::language_of(document.text), true};
  const std::vector<TokenId> tokens = answering::tokens_before_questions(document, *model, manner);
  const std::unique_ptr<KeptReading> kept =
      answering::kept_reading(*options.store, document, *model, manner);
  ReadAhead result;
  result.tokens = static_cast<std::int64_t>(tokens.size());
  result.kept_before = kept->matching(tokens);
  if (result.tokens > model->description().window_tokens) {
    throw Error(ErrorKind::over_window, document.name + " has " + std::to_string(result.tokens) +
                                            " tokens and the window of " +
                                            model->description().name + " is " +
                                            std::to_string(model->description().window_tokens) +
                                            ": questions about it are answered from passages");
  }
  if (result.kept_before == result.tokens) return result;
  const auto begin = std::chrono::steady_clock::now();
  ContextOptions context_options;
  context_options.threads = options.threads;
  context_options.capacity_tokens = result.tokens;
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
