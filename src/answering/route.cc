#include "answering/route.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "answering/candidate_ranking.h"
#include "answering/earlier_questions.h"
#include "answering/named_clauses.h"
#include "answering/passages_in_room.h"
#include "answering/searched_question.h"
#include "whereof/error.h"

namespace whereof {

std::string_view name_of(Route route) noexcept {
  switch (route) {
    case Route::whole_document:
      return "whole_document";
    case Route::passages:
      return "passages";
    case Route::hybrid:
      return "hybrid";
  }
  return "unknown";
}

namespace answering {
namespace {

// A question attends to so much of a document in windows: a part of the model's window, since small
// models find less among more, but no less than so many tokens where there is room.
constexpr std::int64_t kShareOfWindow = 4;
constexpr std::int64_t kEnoughOfWindows = 2048;
constexpr std::int64_t kMostHits = 1000;
constexpr std::size_t kNamedBytes = 2000;  // of a named clause's text, as a question of its own

std::string format(const char* pattern, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

// Passage indices in the order in which they should be read, best first: those of the clauses that
// the question names, then in turn the best by the words of the question and of those before it,
// and the best by the words of the named clauses, which bring the definitions that those clauses
// live on; then the rest.
std::vector<std::size_t> ranked_passages(const Document& document, Library& library,
                                         const SearchedQuestion& question,
                                         const std::vector<Passage>& all,
                                         const AskOptions& options) {
  std::vector<std::size_t> order;
  std::vector<bool> is_taken(all.size(), false);
  const auto take = [&](std::size_t i) {
    if (i < all.size() && !is_taken[i]) {
      is_taken[i] = true;
      order.push_back(i);
    }
  };
  std::string words_of_named;
  for (const std::int32_t clause : clauses_named_in(question.text, document)) {
    const Span named = document.clauses[static_cast<std::size_t>(clause)].text;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].text.overlaps(named)) take(i);
    }
    words_of_named += document.slice(named).substr(0, kNamedBytes);
    words_of_named += '\n';
  }
  const std::vector<Hit> hits =
      search(library, question.text, options.earlier, kMostHits, document.content_hash,
             kMostEarlierShare, question.more_words);
  std::vector<Hit> of_named;
  if (!words_of_named.empty()) {
    of_named = library.search(words_of_named, kMostHits, document.content_hash);
  }
  for (std::size_t rank = 0; rank < std::max(hits.size(), of_named.size()); ++rank) {
    if (rank < of_named.size()) take(static_cast<std::size_t>(of_named[rank].passage));
    if (rank < hits.size()) take(static_cast<std::size_t>(hits[rank].passage));
  }
  for (std::size_t i = 0; i < all.size(); ++i) take(i);  // time that is left goes to the rest
  return order;
}

// What is read in passages, in the order of choice, and what choosing costs.
struct ReadingOrder {
  std::vector<std::size_t> passages;
  std::int64_t ranked = 0;  // by attention
  double seconds = 0;       // of that
};

// What attention ranked comes first.
void put_first(const RankedCandidates& ranked, ReadingOrder& order) {
  order.ranked = std::ssize(ranked.order);
  std::vector<bool> is_ranked(order.passages.size(), false);
  for (const std::size_t i : ranked.order) is_ranked[i] = true;
  std::erase_if(order.passages, [&](std::size_t i) { return is_ranked[i]; });
  order.passages.insert(order.passages.begin(), ranked.order.begin(), ranked.order.end());
}

ReadingOrder reading_order(const Document& document, Library& library,
                           const std::shared_ptr<const Model>& model,
                           const SearchedQuestion& question, const std::vector<Passage>& all,
                           const Manner& manner, double seconds, const AskOptions& options) {
  ReadingOrder order{ranked_passages(document, library, question, all, options), 0, 0};
  if (!options.ranks_by_attention || !manner.offers_declining) return order;
  const ModelShape shape = shape_of(model->description());
  const std::int64_t most = tokens_within(shape, options.machine, seconds * 2 / 3,
                                          model->description().window_tokens / 2);
  const auto ranked = rank_candidates(document, all, library, question, model, most, options);
  if (!ranked) return order;
  order.seconds = seconds_to_read(shape, options.machine, ranked->tokens);
  put_first(*ranked, order);
  return order;
}

// The same where windows are kept: only the question is read to rank what they hold.
ReadingOrder order_in_windows(const Document& document, Library& library,
                              const std::shared_ptr<const Model>& model,
                              const SearchedQuestion& question, const std::vector<Passage>& all,
                              const Manner& manner, const AskOptions& options, std::int64_t beside,
                              std::int64_t most, WindowedDocument& windows) {
  ReadingOrder order{ranked_passages(document, library, question, all, options), 0, 0};
  if (!options.ranks_by_attention || !manner.offers_declining) return order;
  const ModelShape shape = shape_of(model->description());
  const auto ranked =
      rank_candidates(document, all, library, question, model, most, options, &windows);
  if (!ranked) return order;
  order.seconds = seconds_to_read(shape, options.machine, ranked->tokens + beside) -
                  seconds_to_read(shape, options.machine, ranked->tokens);
  put_first(*ranked, order);
  return order;
}

void state_search(RoutePlan& plan) {
  plan.reason += added_words_clause(plan);
  if (plan.passages_ranked == 0) return;
  plan.reason += format("; %lld were ranked by attention before, in about %.0f s",
                        static_cast<long long>(plan.passages_ranked), plan.ranking_seconds);
}

void state_reason(RoutePlan& plan, std::int64_t answer_tokens) {
  if (plan.route == Route::whole_document) {
    const std::string kept =
        plan.kept_tokens == 0
            ? std::string()
            : format(", %lld of them kept from before,", static_cast<long long>(plan.kept_tokens));
    plan.reason = format(
        "reading the whole document: %lld tokens%s in about %.0f s "
        "(allowed %.0f s)",
        static_cast<long long>(plan.prompt_tokens), kept.c_str(), plan.predicted_seconds,
        plan.budget_seconds);
    return;
  }
  if (plan.route == Route::hybrid) {
    plan.reason = format(
        "attending to %lld of %lld passages, %lld tokens, as they were read in %lld windows (%lld "
        "tokens of these still to be read) in about %.0f s: its %lld tokens exceed the window of "
        "%lld",
        static_cast<long long>(plan.passages_read),
        static_cast<long long>(plan.passages_in_document),
        static_cast<long long>(plan.prompt_tokens), static_cast<long long>(plan.windows),
        static_cast<long long>(plan.window_tokens_read), plan.predicted_seconds,
        static_cast<long long>(plan.document_tokens), static_cast<long long>(plan.window_tokens));
    state_search(plan);
    return;
  }
  const bool is_over_window = plan.document_tokens + answer_tokens > plan.window_tokens;
  const std::string why =
      is_over_window ? format("its %lld tokens exceed the window of %lld",
                              static_cast<long long>(plan.document_tokens),
                              static_cast<long long>(plan.window_tokens))
                     : format("all %lld tokens would take about %.0f s, allowed are %.0f s",
                              static_cast<long long>(plan.document_tokens), plan.whole_seconds,
                              plan.budget_seconds);
  plan.reason = format("reading %lld of %lld passages, %lld tokens in about %.0f s: ",
                       static_cast<long long>(plan.passages_read),
                       static_cast<long long>(plan.passages_in_document),
                       static_cast<long long>(plan.prompt_tokens), plan.predicted_seconds) +
                why;
  state_search(plan);
}

std::vector<ChosenPassage> passages_within(const Document& document, const Model& model,
                                           std::string_view question,
                                           const std::vector<std::size_t>& order,
                                           const std::vector<Passage>& all, std::int64_t room,
                                           double closure_share = ChoiceOptions{}.closure_share) {
  std::vector<Passage> ranked;
  ranked.reserve(order.size());
  for (const std::size_t i : order) {
    ranked.push_back(all[i]);
  }
  return passages_in_room(document, model, question, ranked, room, closure_share);
}

// Passages as the windows of the document hold them; false where that would take too long, where
// not even one passage fits beside the question, or where one fits no window.
bool choose_from_windows(const Document& document, Library& library,
                         const std::shared_ptr<const Model>& model, const Manner& manner,
                         const AskOptions& options, const std::vector<Passage>& all,
                         const SearchedQuestion& question, ChosenRoute& chosen) {
  RoutePlan& plan = chosen.plan;
  const std::vector<Span>& places = chosen.prompt.passages;
  const bool fits = std::all_of(places.begin(), places.end(), [&](Span passage) {
    return passage.length() <= plan.window_tokens - places.front().begin;
  });
  if (places.empty() || !fits) return false;
  const auto windows =
      std::make_shared<WindowedDocument>(document, all, chosen.prompt, manner, *model, options);
  const std::int64_t beside = std::ssize(windows->prompt_for(question.text).tokens);
  const std::int64_t most =
      std::min(plan.window_tokens - options.max_answer_tokens - beside,
               std::max(plan.window_tokens / kShareOfWindow, kEnoughOfWindows));
  const ReadingOrder order = order_in_windows(document, library, model, question, all, manner,
                                              options, beside, most, *windows);
  for (std::int64_t room = most; room > 0; room -= windows->chosen_tokens() - most) {
    // Windows hold whole passages only.
    chosen.passages =
        places_of(passages_within(document, *model, question.text, order.passages, all, room, 0));
    windows->choose(chosen.passages);
    if (windows->chosen_tokens() <= most) break;
  }
  if (chosen.passages.empty() || windows->chosen_tokens() > most) return false;
  Prompt prompt = windows->prompt_for(question.text);
  plan.prompt_tokens = std::ssize(prompt.tokens);
  plan.kept_tokens = prompt.passages.back().end;
  plan.passages_ranked = order.ranked;
  plan.ranking_seconds = order.seconds;
  const ModelShape shape = shape_of(model->description());
  plan.predicted_seconds = seconds_to_read(shape, options.machine, plan.prompt_tokens) -
                           seconds_to_read(shape, options.machine, plan.kept_tokens);
  for (const WindowedDocument::WindowState& window : windows->chosen_windows()) {
    ++plan.windows;
    plan.window_tokens_read += window.tokens - window.kept;
    plan.predicted_seconds += seconds_to_read(shape, options.machine, window.tokens) -
                              seconds_to_read(shape, options.machine, window.kept);
  }
  if (plan.rewording_seconds + plan.ranking_seconds + plan.predicted_seconds >
      plan.budget_seconds) {
    return false;
  }
  chosen.prompt = std::move(prompt);
  chosen.windows = windows;
  plan.route = Route::hybrid;
  return true;
}

// Passages that are read anew, until the window of most tokens or the time is full.
void choose_to_read(const Document& document, Library& library,
                    const std::shared_ptr<const Model>& model, const Manner& manner,
                    const AskOptions& options, const std::vector<Passage>& all,
                    const SearchedQuestion& question, std::int64_t most, ChosenRoute& chosen) {
  RoutePlan& plan = chosen.plan;
  plan.route = Route::passages;
  plan.kept_tokens = plan.windows = plan.window_tokens_read = 0;
  const ModelShape shape = shape_of(model->description());
  const auto frame = static_cast<std::int64_t>(
      compose_prompt(document, {}, question.text, manner, *model).tokens.size());
  const double seconds = plan.budget_seconds - plan.rewording_seconds;
  const ReadingOrder order =
      reading_order(document, library, model, question, all, manner, seconds, options);
  plan.passages_ranked = order.ranked;
  plan.ranking_seconds = order.seconds;
  const std::int64_t room = tokens_within(shape, options.machine, seconds - order.seconds,
                                          std::max<std::int64_t>(most, 0));
  plan.chosen = passages_within(document, *model, question.text, order.passages, all, room - frame);
  chosen.passages = places_of(plan.chosen);
  chosen.prompt = compose_prompt(document, chosen.passages, question.text, manner, *model);
  plan.prompt_tokens = static_cast<std::int64_t>(chosen.prompt.tokens.size());
  plan.predicted_seconds = seconds_to_read(shape, options.machine, plan.prompt_tokens);
}

}  // namespace

double seconds_to_read(const ModelShape& shape, const MachineSpeed& machine, std::int64_t tokens) {
  return cost_of_reading(shape, machine, static_cast<double>(tokens)).causal_prefill_seconds;
}

std::int64_t tokens_within(const ModelShape& shape, const MachineSpeed& machine, double seconds,
                           std::int64_t most) {
  std::int64_t low = 0;
  std::int64_t high = most;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (seconds_to_read(shape, machine, middle) <= seconds) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

ChosenRoute choose_route(const Document& document, Library& library,
                         const std::shared_ptr<const Model>& model, std::string_view question,
                         const Manner& manner, const AskOptions& options, const KeptReading* kept) {
  const std::vector<Passage> all = split_passages(document);
  const ModelShape shape = shape_of(model->description());
  ChosenRoute chosen;
  RoutePlan& plan = chosen.plan;
  plan.window_tokens = model->description().window_tokens;
  plan.budget_seconds = options.budget_seconds;
  plan.passages_in_document = static_cast<std::int64_t>(all.size());
  chosen.prompt = compose_prompt(document, all, question, manner, *model);
  plan.document_tokens = static_cast<std::int64_t>(chosen.prompt.tokens.size());
  const std::int64_t kept_tokens = kept != nullptr ? kept->matching(chosen.prompt.tokens) : 0;
  plan.whole_seconds = seconds_to_read(shape, options.machine, plan.document_tokens) -
                       seconds_to_read(shape, options.machine, kept_tokens);

  const std::int64_t most = plan.window_tokens - options.max_answer_tokens;
  if (plan.document_tokens <= most && plan.whole_seconds <= plan.budget_seconds) {
    plan.route = Route::whole_document;
    chosen.passages = all;
    plan.prompt_tokens = plan.document_tokens;
    plan.kept_tokens = kept_tokens;
    plan.predicted_seconds = plan.whole_seconds;
  } else {
    const SearchedQuestion searched = manner.offers_declining
                                          ? searched_question(model, question, options, plan)
                                          : SearchedQuestion{std::string(question), ""};
    const bool is_over_window = plan.document_tokens > most;
    if (!is_over_window ||
        !choose_from_windows(document, library, model, manner, options, all, searched, chosen)) {
      choose_to_read(document, library, model, manner, options, all, searched, most, chosen);
    }
  }
  if (plan.prompt_tokens > most) {
    throw Error(ErrorKind::over_window,
                format("the question and one passage take %lld tokens and the answer up to %lld, "
                       "the model's window is %lld",
                       static_cast<long long>(plan.prompt_tokens),
                       static_cast<long long>(options.max_answer_tokens),
                       static_cast<long long>(plan.window_tokens)));
  }
  plan.passages_read = static_cast<std::int64_t>(chosen.passages.size());
  state_reason(plan, options.max_answer_tokens);
  return chosen;
}

}  // namespace answering
}  // namespace whereof
