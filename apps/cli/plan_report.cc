#include "plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "svg_plot.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr double kLeastPlotted = 1024;  // tokens

std::string bytes_text(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.1f} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.0f} MB", bytes / 1e6);
}

void print_strategy(const char* name, const StrategyCost& cost) {
  if (!cost.is_possible) {
    fmt::print("  {:<17} over the window\n", name);
    return;
  }
  fmt::print("  {:<17} once {}, then {} a question; {} kept; {:.1f} at once\n", name,
             seconds_text(cost.once_seconds), seconds_text(cost.question_seconds),
             bytes_text(cost.kept_bytes), cost.at_once);
}

void print_break_even(const char* name, const StrategyCost& cost, double questions) {
  if (!cost.is_possible) return;
  if (std::isfinite(questions)) {
    fmt::print("  {:<17} faster than passages from question {:.0f} on\n", name, questions);
  } else {
    fmt::print("  {:<17} never faster than passages\n", name);
  }
}

}  // namespace

std::string seconds_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.0f} ms", 1e3 * seconds);
  return seconds < 10 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

void print_cost(const ModelShape& shape, const Cost& cost) {
  fmt::print("  projections       {:.1e} FLOPs   2 T x {:.4g} M parameters x {} layers\n",
             cost.projection_flops, shape.projection_parameters / 1e6, shape.layers);
  fmt::print("  QK^T and AV       {:.1e} FLOPs   4 T^2 x {} heads x {} x {} layers\n",
             cost.attention_flops, shape.query_heads, shape.head_dim, shape.layers);
  fmt::print("  feed-forward      {:.1e} FLOPs   2 T x {:.4g} M parameters x {} layers\n",
             cost.feed_forward_flops, shape.feed_forward_parameters / 1e6, shape.layers);
  fmt::print("  total             {:.1e} FLOPs   the T^2 term is {:.0f} %; {}\n", cost.total_flops,
             100 * cost.attention_share, seconds_text(cost.prefill_seconds));
  fmt::print(
      "  causal            {:.1e} FLOPs   of the T^2 term when hidden tiles are skipped; {} "
      "in all\n",
      cost.causal_attention_flops, seconds_text(cost.causal_prefill_seconds));
  fmt::print("  scores            {:.1e} a layer, {} in fp16 if they were held (they are not)\n",
             cost.scores, bytes_text(2 * cost.scores));
  fmt::print("  KV cache          {} a layer, {} in all\n", bytes_text(cost.kv_bytes_per_layer),
             bytes_text(cost.kv_bytes));
  fmt::print("  decode            the KV cache is read in {} a token; with the weights {}\n",
             seconds_text(cost.kv_read_seconds_per_token),
             seconds_text(cost.decode_seconds_per_token));
}

void print_strategies(const StrategyComparison& comparison, const QuestionLoad& load) {
  fmt::print("\n{}\n", bold(fmt::format(
                           "Many questions of {:.0f} tokens, answers of {:.0f}, passages of {:.0f}",
                           load.question_tokens, load.answer_tokens, load.retrieved_tokens)));
  print_strategy("whole document", comparison.full);
  print_strategy("passages", comparison.retrieval);
  print_strategy("hybrid", comparison.hybrid);
  print_break_even("whole document", comparison.full, comparison.full_breaks_even);
  print_break_even("hybrid", comparison.hybrid, comparison.hybrid_breaks_even);
}

std::string plan_picture(const std::string& title, const ModelShape& shape,
                         const MachineSpeed& machine, const QuestionLoad& load,
                         double most_tokens) {
  Plot plot;
  plot.title = title;
  plot.x = {"tokens of the document", true, 2};
  plot.y = {"seconds of a question", true, 10};
  Curve first{"whole, first question", {}};
  Curve further{"whole, kept", {}};
  Curve passages{"passages", {}};
  Curve hybrid{"hybrid, kept", {}};
  // The picture shows what lengths would cost; the window is a limit of its own.
  ModelShape unlimited = shape;
  unlimited.window_tokens = 0;
  for (double tokens = kLeastPlotted; tokens <= most_tokens; tokens *= 2) {
    QuestionLoad at = load;
    at.document_tokens = tokens;
    at.retrieved_tokens = std::min(load.retrieved_tokens, tokens);
    const StrategyComparison cost = compare_strategies(unlimited, machine, at);
    first.points.emplace_back(tokens, cost.full.seconds_for(1));
    further.points.emplace_back(tokens, cost.full.question_seconds);
    passages.points.emplace_back(tokens, cost.retrieval.question_seconds);
    hybrid.points.emplace_back(tokens, cost.hybrid.question_seconds);
  }
  plot.curves = {std::move(first), std::move(further), std::move(passages), std::move(hybrid)};
  return svg_of(plot);
}

}  // namespace whereof::cli
