// whereof plan: what reading costs, for a file or a length, a model, and a machine.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "json/cost_json.h"
#include "plan_report.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kPassageTokens = 4096;   // read for a question where nothing else is said
constexpr double kMostPlotted = 131'072;  // tokens

// Numbers of one's own, in place of measured ones or a profile's; 0: not given.
struct OwnMachine {
  double tflops = 0;
  double attention_tflops = 0;
  double gb_per_second = 0;
  double memory_gb = 0;

  bool is_enough() const { return tflops > 0 && gb_per_second > 0; }
  void apply(MachineSpeed& machine) const {
    if (tflops > 0) {
      machine.flops_per_second = 1e12 * tflops;
      machine.attention_flops_per_second = 0;
    }
    if (attention_tflops > 0) machine.attention_flops_per_second = 1e12 * attention_tflops;
    if (gb_per_second > 0) machine.bytes_per_second = 1e9 * gb_per_second;
    if (memory_gb > 0) machine.memory_bytes = 1e9 * memory_gb;
    if (tflops > 0 || gb_per_second > 0) machine.name += " with numbers as given";
  }
};

struct PlanArguments {
  std::string file;
  std::string profile;
  std::string model = workspace::kDefaultModel;
  std::string picture;
  double tokens = 0;
  double retrieved = 0;
  double answer = 0;
  double budget_seconds = AskOptions{}.budget_seconds;
  OwnMachine own;
  int threads = 0;
  bool is_measured = false;
  bool is_json = false;
};

void write_picture(const PlanArguments& arguments, const std::string& title,
                   const ModelShape& shape, const MachineSpeed& machine, const QuestionLoad& load) {
  if (arguments.picture.empty()) return;
  std::ofstream stream(arguments.picture, std::ios::binary);
  stream << plan_picture(title, shape, machine, load, std::max(kMostPlotted, load.document_tokens));
  stream.close();
  if (!stream) {
    throw Error(errno == ENOSPC ? ErrorKind::out_of_space : ErrorKind::input_output,
                arguments.picture + ": cannot be written: " + std::strerror(errno));
  }
}

void print_json(const ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int plan_profile(const PlanArguments& arguments) {
  Profile profile = profile_named(arguments.profile);
  arguments.own.apply(profile.machine);
  if (arguments.tokens > 0) profile.context_tokens = arguments.tokens;
  if (arguments.answer > 0) profile.answer_tokens = arguments.answer;
  if (arguments.retrieved > 0) profile.retrieved_tokens = arguments.retrieved;
  profile.retrieved_tokens = std::min(profile.retrieved_tokens, profile.context_tokens);
  const Cost full = cost_of_reading(profile.shape, profile.machine, profile.context_tokens);
  const Cost part = cost_of_reading(profile.shape, profile.machine, profile.retrieved_tokens);
  const double answer_seconds = profile.answer_tokens * full.kv_read_seconds_per_token;
  const double ratio = part.attention_flops / full.attention_flops;
  QuestionLoad load;
  load.document_tokens = profile.context_tokens;
  load.retrieved_tokens = profile.retrieved_tokens;
  load.answer_tokens = profile.answer_tokens;
  ModelShape unlimited = profile.shape;  // a design case is of any length
  unlimited.window_tokens = 0;
  const StrategyComparison ways = compare_strategies(unlimited, profile.machine, load);
  write_picture(arguments, profile.name + " on " + profile.machine.name, profile.shape,
                profile.machine, load);
  if (arguments.is_json) {
    print_json({{"profile", profile.name},
                {"machine", profile.machine.name},
                {"full", json::cost_json(full)},
                {"retrieval", json::cost_json(part)},
                {"attention_ratio", ratio},
                {"answer_tokens", profile.answer_tokens},
                {"answer_seconds", answer_seconds},
                {"question_seconds", full.prefill_seconds + answer_seconds},
                {"strategies", json::strategies_json(ways, load)}});
    return kAnswered;
  }
  fmt::print("{} on {}\n", bold(profile.name), profile.machine.name);
  fmt::print("\n{}\n", bold(fmt::format("Full context, T = {:.0f}", full.tokens)));
  print_cost(profile.shape, full);
  fmt::print(
      "  at once           memory holds the KV cache of {:.1f} requests beside the weights\n",
      full.concurrent_requests);
  fmt::print("\n{}\n", bold(fmt::format("Retrieval, T = {:.0f}", part.tokens)));
  print_cost(profile.shape, part);
  fmt::print(
      "  against full      the T^2 term shrinks to 1/{:.0f} (1/17 where T is rounded to "
      "130k and 32k)\n",
      1 / ratio);
  fmt::print("\n{}\n", bold("One question over the full context"));
  fmt::print("  reading {} + {:.0f} tokens at {} each = {} + {} = {}\n",
             seconds_text(full.prefill_seconds), profile.answer_tokens,
             seconds_text(full.kv_read_seconds_per_token), seconds_text(full.prefill_seconds),
             seconds_text(answer_seconds), seconds_text(full.prefill_seconds + answer_seconds));
  const Cost twice = cost_of_reading(profile.shape, profile.machine, 2 * profile.context_tokens);
  fmt::print("  twice the tokens  {:.0f} times the T^2 term\n",
             twice.attention_flops / full.attention_flops);
  print_strategies(ways, load);
  return kAnswered;
}

// This machine as measured and corrected, a named one, or numbers of one's own.
MachineSpeed machine_of(const PlanArguments& arguments, const std::shared_ptr<const Model>& model) {
  MachineSpeed machine;
  if (!arguments.profile.empty()) {
    machine = profile_named(arguments.profile).machine;
  } else if (arguments.own.is_enough()) {
    machine.name = "a machine";
  } else {
    machine = workspace::machine_speed(model, arguments.threads, arguments.is_measured);
  }
  arguments.own.apply(machine);
  return machine;
}

bool is_this_machine(const PlanArguments& arguments) {
  return arguments.profile.empty() && !arguments.own.is_enough();
}

void print_past_runs(const Model& model, int threads) {
  const std::vector<workspace::PastRun> runs = workspace::past_runs(model, threads);
  if (runs.empty()) return;
  double predicted = 0;
  double took = 0;
  for (const workspace::PastRun& run : runs) {
    predicted += run.predicted_seconds;
    took += run.took_seconds;
  }
  const workspace::PastRun& last = runs.back();
  fmt::print(
      "  predictions       the last {} readings were predicted to take {}, took {}; the last one "
      "({} tokens) {}, {}\n",
      runs.size(), seconds_text(predicted), seconds_text(took), last.tokens,
      seconds_text(last.predicted_seconds), seconds_text(last.took_seconds));
}

struct FilePlan {
  std::string name;  // of the document, or the length
  ModelShape shape;
  MachineSpeed machine;
  Cost cost;
  QuestionLoad load;
  StrategyComparison ways;
  const char* route = "";
  bool fits = false;
  bool is_in_time = false;
};

FilePlan file_plan(const PlanArguments& arguments, const Model& model, const MachineSpeed& machine,
                   std::string name, double tokens) {
  FilePlan plan;
  plan.name = std::move(name);
  plan.machine = machine;
  plan.shape = shape_of(model.description());
  plan.cost = cost_of_reading(plan.shape, machine, tokens);
  plan.fits = tokens + 512 <= static_cast<double>(plan.shape.window_tokens);
  plan.is_in_time = plan.cost.causal_prefill_seconds <= arguments.budget_seconds;
  plan.route = plan.fits && plan.is_in_time ? "whole_document" : "passages";
  plan.load.document_tokens = tokens;
  plan.load.retrieved_tokens =
      std::min(arguments.retrieved > 0 ? arguments.retrieved : kPassageTokens, tokens);
  if (arguments.answer > 0) plan.load.answer_tokens = arguments.answer;
  plan.ways = compare_strategies(plan.shape, machine, plan.load);
  return plan;
}

void show_file_plan(const PlanArguments& arguments, const FilePlan& plan, const Model& model) {
  const std::string& model_name = model.description().name;
  fmt::print("{} with {} ({})\n", bold(shown(plan.name)), shown(model_name),
             is_this_machine(arguments) ? std::string(name_of(chosen_instruction_set()))
                                        : shown(plan.machine.name));
  const double attention_speed = plan.machine.attention_flops_per_second > 0
                                     ? plan.machine.attention_flops_per_second
                                     : plan.machine.flops_per_second;
  fmt::print(
      "  {:<17} {:.0f} GFLOP/s in matrix products, {:.0f} in attention; decoding "
      "reads {:.1f} GB/s\n",
      is_this_machine(arguments) ? "this machine" : "machine", plan.machine.flops_per_second / 1e9,
      attention_speed / 1e9, plan.machine.bytes_per_second / 1e9);
  if (is_this_machine(arguments)) print_past_runs(model, arguments.threads);
  fmt::print("\n{}\n", bold(fmt::format("Whole document, T = {:.0f}", plan.cost.tokens)));
  print_cost(plan.shape, plan.cost);
  print_strategies(plan.ways, plan.load);
  const std::string needed = seconds_text(plan.cost.causal_prefill_seconds);
  const std::string allowed = seconds_text(arguments.budget_seconds);
  fmt::print("\n{}: {}\n", bold(plan.route),
             !plan.fits ? fmt::format("{:.0f} tokens exceed the window of {}", plan.cost.tokens,
                                      plan.shape.window_tokens)
             : plan.is_in_time ? fmt::format("{} are within the {} allowed", needed, allowed)
                               : fmt::format("{} exceed the {} allowed", needed, allowed));
}

int plan_file(const PlanArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  std::string name = fmt::format("{:.0f} tokens", arguments.tokens);
  double tokens = arguments.tokens;
  if (!arguments.file.empty()) {
    const Document document = document_from(arguments.file, progress, stop);
    name = document.name;
    tokens = static_cast<double>(model->tokenizer().encode(document.text).ids.size());
  }
  const MachineSpeed machine = machine_of(arguments, model);
  progress.clear();
  const FilePlan plan = file_plan(arguments, *model, machine, name, tokens);
  write_picture(arguments, model->description().name + " on " + machine.name, plan.shape, machine,
                plan.load);
  if (!arguments.is_json) {
    show_file_plan(arguments, plan, *model);
    return kAnswered;
  }
  print_json({{"document", plan.name},
              {"model", model->description().name},
              {"machine", machine.name},
              {"window_tokens", plan.shape.window_tokens},
              {"flops_per_second", machine.flops_per_second},
              {"attention_flops_per_second", machine.attention_flops_per_second},
              {"bytes_per_second", machine.bytes_per_second},
              {"budget_seconds", arguments.budget_seconds},
              {"route", plan.route},
              {"full", json::cost_json(plan.cost)},
              {"strategies", json::strategies_json(plan.ways, plan.load)}});
  return kAnswered;
}

void add_machine_options(CLI::App& command, PlanArguments& arguments) {
  OwnMachine& own = arguments.own;
  const auto add = [&](const char* name, double& value, const char* help) {
    command.add_option(name, value, help)->check(CLI::PositiveNumber);
  };
  add("--tflops", own.tflops, "The machine's TFLOP/s in matrix products");
  add("--attention-tflops", own.attention_tflops, "The same in attention, where it differs");
  add("--gb-per-second", own.gb_per_second, "Its memory's GB/s");
  add("--memory-gb", own.memory_gb, "Its memory");
  add("--retrieved", arguments.retrieved, "Tokens of passages that a question reads");
  add("--answer", arguments.answer, "Tokens of an answer");
}

}  // namespace

void add_plan(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* command = program.add_subcommand(
      "plan", "Show what reading costs: FLOPs, bytes and seconds, for a file, a length or a case");
  auto* file = command->add_option("FILE", arguments->file, kFileTypes);
  command->add_option("--tokens", arguments->tokens, "A length instead of a file")
      ->check(CLI::Range(1.0, 1e9))
      ->excludes(file);
  command->add_option("--profile", arguments->profile,
                      "A design case: card80; with FILE only its machine");
  command->add_option("--model", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command->add_option("--budget-seconds", arguments->budget_seconds, "Time allowed for reading")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "0: all processors")
      ->check(CLI::Range(0, 1024));
  add_machine_options(*command, *arguments);
  command->add_flag("--measure", arguments->is_measured, "Measure this machine again");
  command->add_option("--svg", arguments->picture,
                      "Draw seconds against the document's length into this file");
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer(
      "\nExamples:\n"
      "  whereof plan contract.pdf\n"
      "  whereof plan --profile card80 --svg plan.svg\n"
      "  whereof plan --tokens 20000 --tflops 50 --gb-per-second 400 --memory-gb 24\n");
  command->callback([arguments, &chosen] {
    const bool has_length = !arguments->file.empty() || arguments->tokens > 0;
    if (!has_length && arguments->profile.empty()) {
      throw CLI::RequiredError("FILE, --tokens or --profile");
    }
    const bool is_case = arguments->file.empty() && !arguments->profile.empty();
    chosen.run = [arguments, is_case, &chosen] {
      return is_case ? plan_profile(*arguments) : plan_file(*arguments, chosen.stop);
    };
  });
}

}  // namespace whereof::cli
