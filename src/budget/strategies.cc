// With P(T) the seconds of reading T tokens causally, D(T) those of writing one token after T, and
// w = the linear part of P, which does not depend on what was read before:
//
//   full        once P(T);        a question  P(T + q) - P(T) + a D(T)
//   retrieval   once 0;           a question  P(R + q) + a D(R)
//   hybrid      once (T/W) P(W);  a question  P(R + q) - P(R) + a D(R) + R's keys read once
//
// and way X breaks even with retrieval at n = once(X) / (question(retrieval) - question(X)).
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "whereof/budget.h"
#include "whereof/error.h"

namespace whereof {
namespace {

double reading_seconds(const ModelShape& shape, const MachineSpeed& machine, double tokens) {
  return cost_of_reading(shape, machine, tokens).causal_prefill_seconds;
}

double answer_seconds(const ModelShape& shape, const MachineSpeed& machine, double tokens_before,
                      double answer_tokens) {
  const double middle = tokens_before + answer_tokens / 2;
  return answer_tokens * cost_of_reading(shape, machine, middle).decode_seconds_per_token;
}

StrategyCost with_memory(StrategyCost cost, const ModelShape& shape, const MachineSpeed& machine,
                         double tokens_in_memory) {
  cost.at_once = cost_of_reading(shape, machine, tokens_in_memory).concurrent_requests;
  return cost;
}

double break_even(const StrategyCost& kept, const StrategyCost& retrieval) {
  const double saved = retrieval.question_seconds - kept.question_seconds;
  if (!kept.is_possible || saved <= 0) return std::numeric_limits<double>::infinity();
  return std::max(1.0, std::ceil(kept.once_seconds / saved));
}

}  // namespace

StrategyComparison compare_strategies(const ModelShape& shape, const MachineSpeed& machine,
                                      const QuestionLoad& load) {
  if (!(load.retrieved_tokens <= load.document_tokens)) {
    throw Error(ErrorKind::invalid_argument, "retrieved_tokens must not exceed the document's " +
                                                 std::to_string(load.document_tokens) + ", found " +
                                                 std::to_string(load.retrieved_tokens));
  }
  const auto read = [&](double tokens) { return reading_seconds(shape, machine, tokens); };
  const auto answer = [&](double before) {
    return answer_seconds(shape, machine, before, load.answer_tokens);
  };
  const double own = load.question_tokens + load.answer_tokens;
  const double window = shape.window_tokens > 0 ? static_cast<double>(shape.window_tokens)
                                                : std::numeric_limits<double>::infinity();
  const double whole = load.document_tokens;
  const double part = load.retrieved_tokens;
  StrategyComparison result;

  StrategyCost& full = result.full;
  full.is_possible = whole + own <= window;
  full.once_seconds = read(whole);
  full.question_seconds = read(whole + load.question_tokens) - full.once_seconds + answer(whole);
  full.kept_bytes = cost_of_reading(shape, machine, whole).kv_bytes;
  full = with_memory(full, shape, machine, whole + own);

  StrategyCost& retrieval = result.retrieval;
  retrieval.is_possible = part + own <= window;
  retrieval.question_seconds = read(part + load.question_tokens) + answer(part);
  retrieval = with_memory(retrieval, shape, machine, part + own);

  StrategyCost& hybrid = result.hybrid;
  hybrid.is_possible = retrieval.is_possible;
  const double one_window = std::min(whole, window);
  hybrid.once_seconds = one_window > 0 ? whole / one_window * read(one_window) : 0;
  const Cost picked = cost_of_reading(shape, machine, part);
  hybrid.question_seconds = read(part + load.question_tokens) - picked.causal_prefill_seconds +
                            picked.kv_read_seconds_per_token + answer(part);
  hybrid.kept_bytes = full.kept_bytes;
  hybrid = with_memory(hybrid, shape, machine, part + own);

  result.full_breaks_even = break_even(full, retrieval);
  result.hybrid_breaks_even = break_even(hybrid, retrieval);
  return result;
}

}  // namespace whereof
