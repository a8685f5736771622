#include "answering/searched_question.h"

#include "whereof/rewording.h"

namespace whereof::answering {
namespace {

constexpr double kPromptTokens = 256;  // about, of the request for other words
constexpr double kShareOfTime = 0.25;

double seconds_to_reword(const ModelShape& shape, const MachineSpeed& machine) {
  const Cost cost = cost_of_reading(shape, machine, kPromptTokens);
  return cost.causal_prefill_seconds +
         static_cast<double>(kMostRewordingTokens) * cost.decode_seconds_per_token;
}

}  // namespace

SearchedQuestion searched_question(const std::shared_ptr<const Model>& model,
                                   std::string_view question, const AskOptions& options,
                                   RoutePlan& plan) {
  SearchedQuestion searched{std::string(question), ""};
  if (!options.rewords) return searched;
  const double seconds = seconds_to_reword(shape_of(model->description()), options.machine);
  if (seconds > options.budget_seconds * kShareOfTime) return searched;
  RewordingOptions rewording;
  rewording.threads = options.threads;
  rewording.shared_steps = options.shared_steps;
  rewording.progress = options.progress;
  rewording.stop = options.stop;
  const Rewording reworded = reword(model, question, rewording);
  searched.more_words = searched_words(reworded);
  plan.added_words = reworded.words;
  plan.rewording_seconds = seconds;
  return searched;
}

std::string added_words_clause(const RoutePlan& plan) {
  if (plan.added_words.empty()) return {};
  std::string clause = "; also looked for:";
  for (const std::string& word : plan.added_words) {
    clause += (&word == plan.added_words.data() ? " " : ", ") + word;
  }
  return clause;
}

}  // namespace whereof::answering
