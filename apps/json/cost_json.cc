#include "json/cost_json.h"

#include <cmath>

namespace whereof::json {

using nlohmann::ordered_json;

namespace {

ordered_json strategy_json(const StrategyCost& cost) {
  return {{"is_possible", cost.is_possible},
          {"once_seconds", cost.once_seconds},
          {"question_seconds", cost.question_seconds},
          {"kept_bytes", cost.kept_bytes},
          {"at_once", cost.at_once}};
}

// JSON knows no infinity.
ordered_json questions_json(double questions) {
  return std::isfinite(questions) ? ordered_json(questions) : ordered_json(nullptr);
}

}  // namespace

ordered_json cost_json(const Cost& cost) {
  return {{"tokens", cost.tokens},
          {"projection_flops", cost.projection_flops},
          {"attention_flops", cost.attention_flops},
          {"causal_attention_flops", cost.causal_attention_flops},
          {"feed_forward_flops", cost.feed_forward_flops},
          {"total_flops", cost.total_flops},
          {"attention_share", cost.attention_share},
          {"scores_per_layer", cost.scores},
          {"kv_bytes_per_layer", cost.kv_bytes_per_layer},
          {"kv_bytes", cost.kv_bytes},
          {"prefill_seconds", cost.prefill_seconds},
          {"causal_prefill_seconds", cost.causal_prefill_seconds},
          {"decode_seconds_per_token", cost.decode_seconds_per_token},
          {"kv_read_seconds_per_token", cost.kv_read_seconds_per_token},
          {"concurrent_requests", cost.concurrent_requests}};
}

ordered_json strategies_json(const StrategyComparison& comparison, const QuestionLoad& load) {
  return {{"document_tokens", load.document_tokens},
          {"retrieved_tokens", load.retrieved_tokens},
          {"question_tokens", load.question_tokens},
          {"answer_tokens", load.answer_tokens},
          {"full", strategy_json(comparison.full)},
          {"retrieval", strategy_json(comparison.retrieval)},
          {"hybrid", strategy_json(comparison.hybrid)},
          {"full_breaks_even", questions_json(comparison.full_breaks_even)},
          {"hybrid_breaks_even", questions_json(comparison.hybrid_breaks_even)}};
}

}  // namespace whereof::json
