// Wrong ways to compute attention and positions, injected into a real model: what it then says,
// what its evidence looks like, and that the health check names each without being told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab.h"
#include "terminal.h"
#include "whereof/health.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

constexpr std::int64_t kAnswerTokens = 24;
constexpr std::int64_t kDepthTokens = 320;
constexpr std::size_t kShownBytes = 150;

constexpr std::array kFaults = {
    InjectedFault::none,
    InjectedFault::mask_on_wrong_triangle,
    InjectedFault::mask_after_softmax,
    InjectedFault::no_scale,
    InjectedFault::scale_by_head_dim,
    InjectedFault::offset_restarts_at_depth,
    InjectedFault::rotary_table_too_short,
};

constexpr const char* kDocument =
    "SUPPLY AGREEMENT\n"
    "1. Parties. Northwind Mills sells and Harbour Bakery buys wheat flour under this Agreement.\n"
    "2. Losses means every cost, fine and fee that a party bears because of a breach.\n"
    "3. Liability. Compensation for Losses shall not exceed 40,000 euros in a calendar year.\n"
    "4. Quantity. The Buyer orders at least 12 tonnes each month, in lots of 500 kilograms.\n"
    "5. Price. The Buyer pays 610 euros a tonne, delivered, without value added tax.\n"
    "6. Payment. Invoices fall due 30 days after delivery; late sums bear 6 percent a year.\n"
    "7. Delivery. The Seller delivers to the Buyer's mill in Rostock on working days before noon.\n"
    "8. Quality. Flour must keep a protein content of 11 percent and moisture below 15 percent.\n"
    "9. Inspection. The Buyer inspects each lot within 5 days and reports defects in writing.\n"
    "10. Confidentiality. Neither party discloses prices to others for 3 years after the end.\n"
    "11. Termination. Either party may end this Agreement by giving 90 days' notice in writing.\n"
    "12. Assignment. Rights under this Agreement pass to others only with written consent.\n"
    "13. Force majeure. A party is excused while flood, fire or strike keeps it from performing.\n"
    "14. Governing law. This Agreement is governed by the law of Denmark.\n";

constexpr const char* kQuestion = "Which law governs this Agreement? Answer in one sentence.";

struct Run {
  Health health;
  std::string text;
  double repetition = 0;  // share of the answer's tokens that are its most frequent one
};

std::vector<TokenId> prompt_of(const Model& model) {
  const std::string text = std::string(kDocument) + "\n" + kQuestion;
  std::vector<TokenId> tokens;
  const auto append = [&](std::string_view piece, SpecialTokens special) {
    const std::vector<TokenId> ids = model.tokenizer().encode(piece, special).ids;
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  };
  if (model.description().has_chat_template) {
    const ChatMessage message{"user", text};
    for (const Model::PromptPiece& piece : model.chat_prompt({&message, 1})) {
      append(piece.text, piece.is_template ? SpecialTokens::recognised : SpecialTokens::as_text);
    }
  } else {
    if (const auto begin = model.tokenizer().begin_of_text()) tokens.push_back(*begin);
    append(text + "\nAnswer:", SpecialTokens::as_text);
  }
  return tokens;
}

void generate(const std::shared_ptr<const Model>& model, InjectedFault fault, Run& run) {
  const std::vector<TokenId> prompt = prompt_of(*model);
  ContextOptions options;
  options.capacity_tokens = std::ssize(prompt) + kAnswerTokens;
  options.fault = fault;
  const std::unique_ptr<Context> context = Context::create(model, options);
  context->read(prompt);
  Sampler sampler({});
  std::vector<TokenId> answer;
  while (std::ssize(answer) < kAnswerTokens) {
    const TokenId token = sampler.choose(context->logits());
    if (model->tokenizer().ends_generation(token)) break;
    answer.push_back(token);
    if (std::ssize(answer) < kAnswerTokens) context->read({&token, 1});
  }
  run.text = model->tokenizer().decode(answer);
  std::int64_t most = 0;
  for (const TokenId token : answer)
    most = std::max(most, std::count(answer.begin(), answer.end(), token));
  if (!answer.empty())
    run.repetition = static_cast<double>(most) / static_cast<double>(answer.size());
}

double mean(const Health& health, double LayerHealth::*figure) {
  double sum = 0;
  for (const LayerHealth& layer : health.layers) sum += layer.*figure;
  return sum / static_cast<double>(health.layers.size());
}

double largest_difference(const Health& health) {
  double most = health.positions.key_difference;
  for (const LayerHealth& layer : health.layers) most = std::max(most, layer.difference);
  return most;
}

LabLine recognised(InjectedFault fault, const Health& health) {
  const std::string name(name_of(fault));
  const bool is_clean = fault == InjectedFault::none;
  return {.name = name,
          .what = is_clean ? "clean: attention and keys differ from their formulas by"
                           : name + ": they differ by",
          .measured = largest_difference(health),
          .expected = is_clean ? "no alarm" : "named " + std::string(name_of(health.recognised)),
          .matches = health.recognised == fault && health.holds == is_clean};
}

// What each fault does to the evidence, beside the clean model's.
void add_symptoms(std::vector<LabLine>& lines, const std::vector<Run>& runs) {
  const auto of = [&](InjectedFault fault) -> const Health& {
    return runs[static_cast<std::size_t>(std::find(kFaults.begin(), kFaults.end(), fault) -
                                         kFaults.begin())]
        .health;
  };
  const double entropy = mean(of(InjectedFault::none), &LayerHealth::entropy_share);
  lines.push_back(near("row_sum", "clean: mean sum of a row's weights",
                       mean(of(InjectedFault::none), &LayerHealth::row_sum), 1, 1e-3));
  lines.push_back(at_most("late_row_sum", "mask_after_softmax: mean sum of a row's weights",
                          mean(of(InjectedFault::mask_after_softmax), &LayerHealth::row_sum),
                          0.95));
  lines.push_back(at_most("wrong_sink", "mask_on_wrong_triangle: weight on the first position",
                          mean(of(InjectedFault::mask_on_wrong_triangle), &LayerHealth::sink_mass),
                          0.01));
  lines.push_back(at_most("unscaled_entropy", "no_scale: entropy, share of ln T",
                          mean(of(InjectedFault::no_scale), &LayerHealth::entropy_share), entropy));
  lines.push_back(at_least("overscaled_entropy", "scale_by_head_dim: entropy, share of ln T",
                           mean(of(InjectedFault::scale_by_head_dim), &LayerHealth::entropy_share),
                           entropy));
}

std::string drawing_of(const std::vector<Run>& runs) {
  std::string text = fmt::format("  The question: {}\n", kQuestion);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    text += fmt::format("\n  {}\n    says: {}\n    most frequent token: {:.0f} % of the answer\n",
                        bold(i == 0 ? "clean" : name_of(kFaults[i])),
                        shortened(shown(run.text), kShownBytes), 100 * run.repetition);
    if (!run.health.alarm.empty()) text += fmt::format("    alarm: {}\n", run.health.alarm);
  }
  text += "\n  Entropy by layer, share of ln T; means of sink mass and row sums\n\n    layer   ";
  for (std::size_t i = 0; i < runs.size(); ++i)
    text += fmt::format(" {:>6}", i == 0 ? "clean" : fmt::format("({})", i));
  for (std::size_t layer = 0; layer < runs[0].health.layers.size(); ++layer) {
    text += fmt::format("\n    {:<8}", layer);
    for (const Run& run : runs)
      text += fmt::format(" {:>6.3f}", run.health.layers[layer].entropy_share);
  }
  text += "\n    sink    ";
  for (const Run& run : runs)
    text += fmt::format(" {:>6.3f}", mean(run.health, &LayerHealth::sink_mass));
  text += "\n    row sum ";
  for (const Run& run : runs)
    text += fmt::format(" {:>6.3f}", mean(run.health, &LayerHealth::row_sum));
  text += "\n\n   ";
  for (std::size_t i = 1; i < runs.size(); ++i)
    text += fmt::format(" ({}) {}", i, name_of(kFaults[i]));
  return text + "\n";
}

}  // namespace

LabReport lab_faults(const LabOptions& options) {
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(options.model));
  LabReport report{.title = "Faults of attention and positions, in " + model->description().name,
                   .lines = {},
                   .drawing = {},
                   .plot = {}};
  std::vector<Run> runs;
  for (const InjectedFault fault : kFaults) {
    Run& run = runs.emplace_back();
    run.health = check_health(
        model, {.depth_tokens = kDepthTokens, .threads = options.threads, .fault = fault});
    generate(model, fault, run);
    report.lines.push_back(recognised(fault, run.health));
  }
  add_symptoms(report.lines, runs);
  report.drawing = drawing_of(runs);
  return report;
}

}  // namespace whereof::cli
