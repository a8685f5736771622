// The whole document, or passages of it: decided by the window and by the time allowed.
#ifndef WHEREOF_ANSWERING_ROUTE_H_
#define WHEREOF_ANSWERING_ROUTE_H_

#include <memory>
#include <string_view>
#include <vector>

#include "answering/language.h"
#include "answering/prompt.h"
#include "answering/windows.h"
#include "whereof/answer.h"
#include "whereof/kv_store.h"

namespace whereof::answering {

// Seconds that reading so many tokens takes on this machine, the causal half skipped.
double seconds_to_read(const ModelShape& shape, const MachineSpeed& machine, std::int64_t tokens);

// The largest number of tokens, at most most, that is read within the seconds; found by halving.
std::int64_t tokens_within(const ModelShape& shape, const MachineSpeed& machine, double seconds,
                           std::int64_t most);

struct ChosenRoute {
  RoutePlan plan;
  std::vector<Passage> passages;              // to be read, in document order
  Prompt prompt;                              // of these passages and the question
  std::shared_ptr<WindowedDocument> windows;  // hybrid: where the passages are taken from
};

// The whole document when its prompt and the answer fit the window and the predicted seconds fit
// options.budget_seconds. Of a longer document, passages as its windows hold them (Route::hybrid)
// where those windows are kept or can be read in time, until the model's window is full. Else
// passages that are read, until the window or the time is full. First those of the
// clauses that the question names, then those that full text ranks highest, then the rest. At least
// one passage is read, however little time there is. With options.ranks_by_attention, and where
// the question names no clauses, attention ranks the candidates first (candidate_ranking.h), of a
// document in windows where those that hold them are kept. What
// is kept of the whole document costs no time; kept may be null. Throws Error(over_window) when the
// question leaves no room in the window for any passage, naming both numbers.
ChosenRoute choose_route(const Document& document, Library& library,
                         const std::shared_ptr<const Model>& model, std::string_view question,
                         const Manner& manner, const AskOptions& options, const KeptReading* kept);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_ROUTE_H_
