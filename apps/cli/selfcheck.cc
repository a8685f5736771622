// whereof selfcheck MODEL
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/health.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

struct SelfcheckArguments {
  std::string model = workspace::kDefaultModel;
  HealthOptions options;
  bool is_json = false;
};

double largest(const Health& health, double LayerHealth::*figure) {
  double most = 0;
  for (const LayerHealth& layer : health.layers) most = std::max(most, layer.*figure);
  return most;
}

void print_json(const Health& health, const Model& model) {
  ordered_json layers = ordered_json::array();
  for (const LayerHealth& layer : health.layers) {
    layers.push_back({{"difference", layer.difference},
                      {"evidence_difference", layer.evidence_difference},
                      {"row_sum", layer.row_sum},
                      {"entropy_share", layer.entropy_share},
                      {"sink_mass", layer.sink_mass},
                      {"max_weight", layer.max_weight},
                      {"log_sum_exp", layer.log_sum_exp}});
  }
  const ordered_json json = {
      {"model", model.description().name},
      {"holds", health.holds},
      {"recognised", health.holds ? ordered_json(nullptr)
                                  : ordered_json(std::string(name_of(health.recognised)))},
      {"alarm", health.alarm},
      {"positions", health.positions.positions},
      {"key_difference", health.positions.key_difference},
      {"decoded_difference", health.positions.decoded_difference},
      {"attention_seconds", health.attention_seconds},
      {"position_seconds", health.position_seconds},
      {"layers", std::move(layers)}};
  fmt::print("{}\n", json.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

void print_text(const Health& health, const Model& model) {
  fmt::print(
      "{}\n\n  layer  from the formula  evidence, nats  row sum  entropy/ln T  sink  "
      "largest weight  log sum exp\n",
      bold(shown(model.description().name)));
  for (std::size_t i = 0; i < health.layers.size(); ++i) {
    const LayerHealth& layer = health.layers[i];
    fmt::print(
        "  {:>5}  {:>14.2f} %  {:>14.4f}  {:>7.4f}  {:>12.3f}  {:>4.2f}  {:>14.2f}  {:>11.1f}\n", i,
        100 * layer.difference, layer.evidence_difference, layer.row_sum, layer.entropy_share,
        layer.sink_mass, layer.max_weight, layer.log_sum_exp);
  }
  fmt::print(
      "\n  attention: at most {:.2f} % from its formula in double, over {} layers, {:.2f} s\n",
      100 * largest(health, &LayerHealth::difference), health.layers.size(),
      health.attention_seconds);
  if (health.positions.positions > 0) {
    fmt::print(
        "  positions: {} depths, keys at most {:.2f} % from those computed apart, {:.2f} s\n",
        health.positions.positions, 100 * health.positions.key_difference, health.position_seconds);
  }
  if (health.holds) {
    fmt::print("\nno alarm\n");
  } else {
    fmt::print("\n{}: {}\n", bold(name_of(health.recognised)), health.alarm);
  }
}

int run(const SelfcheckArguments& arguments) {
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const Health health = check_health(model, arguments.options);
  if (arguments.is_json) {
    print_json(health, *model);
  } else {
    print_text(health, *model);
  }
  return health.holds ? kAnswered : kFailed;
}

}  // namespace

void add_selfcheck(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<SelfcheckArguments>();
  CLI::App* command = program.add_subcommand(
      "selfcheck", "Check a model's attention and positions against their formulas");
  command->add_option("MODEL", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command
      ->add_option("--depth", arguments->options.depth_tokens,
                   "Tokens that are read for the check of positions; 0: attention alone")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 20))
      ->capture_default_str();
  command->add_option("--threads", arguments->options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer(
      "\nExit codes: 0 no alarm, 1 an alarm, which names the fault (whereof lab faults shows "
      "them).\n");
  command->callback([arguments, &chosen] { chosen.run = [arguments] { return run(*arguments); }; });
}

}  // namespace whereof::cli
