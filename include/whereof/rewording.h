// A question in the words of documents. People ask in everyday words, statutes and contracts use
// others: 房东 against 出租人. The model knows both, so it is asked, in one short reply, for terms
// that belong to the question; full text then looks for these beside the question's own words
// (Library::search, more_words).
//
// after query expansion by a language model's words (Wang et al. 2023, arXiv 2303.07678; Jagerman
// et al. 2023, arXiv 2305.03653).
#ifndef WHEREOF_REWORDING_H_
#define WHEREOF_REWORDING_H_

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/model.h"
#include "whereof/progress.h"

namespace whereof {

constexpr std::int64_t kMostRewordingTokens = 40;  // of the model's reply

struct Rewording {
  std::vector<std::string> words;  // distinct, in the order of the reply; what the model made up
  std::int64_t prompt_tokens = 0;
  std::int64_t reply_tokens = 0;
  double seconds = 0;
};

struct RewordingOptions {
  int threads = 0;                                      // 0: all processors
  std::shared_ptr<SharedSteps> shared_steps = nullptr;  // ContextOptions::shared_steps
  ProgressCallback progress;
  std::stop_token stop;
};

// Asks the model, greedily and without the document, in the question's language. Words are at most
// 16, none longer than 48 bytes: a longer piece of the reply is a sentence and no term. Throws what
// chat() throws.
Rewording reword(const std::shared_ptr<const Model>& model, std::string_view question,
                 const RewordingOptions& options);

// The words as Library::search takes them: no pair of characters reaches from one into the next.
std::string searched_words(const Rewording& rewording);

}  // namespace whereof

#endif  // WHEREOF_REWORDING_H_
