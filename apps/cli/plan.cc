// whereof plan --profile card80 | whereof plan FILE
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "machine_file.h"
#include "model_files.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

struct PlanArguments {
  std::string file;
  std::string profile;
  std::string model = kDefaultModel;
  double budget_seconds = AskOptions{}.budget_seconds;
  int threads = 0;
  bool is_measured = false;
  bool is_json = false;
};

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

std::string seconds_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.0f} ms", 1e3 * seconds);
  return seconds < 10 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string bytes_text(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.1f} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.0f} MB", bytes / 1e6);
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

int plan_profile(const PlanArguments& arguments) {
  const Profile profile = profile_named(arguments.profile);
  const Cost full = cost_of_reading(profile.shape, profile.machine, profile.context_tokens);
  const Cost part = cost_of_reading(profile.shape, profile.machine, profile.retrieved_tokens);
  const double answer_seconds = profile.answer_tokens * full.kv_read_seconds_per_token;
  const double ratio = part.attention_flops / full.attention_flops;
  if (arguments.is_json) {
    const ordered_json json = {{"profile", profile.name},
                               {"machine", profile.machine.name},
                               {"full", cost_json(full)},
                               {"retrieval", cost_json(part)},
                               {"attention_ratio", ratio},
                               {"answer_tokens", profile.answer_tokens},
                               {"answer_seconds", answer_seconds},
                               {"question_seconds", full.prefill_seconds + answer_seconds}};
    fmt::print("{}\n", json.dump(2));
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
  return kAnswered;
}

int plan_file(const PlanArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(model_file(arguments.model));
  const Document document = document_from(arguments.file, progress, stop);
  const MachineSpeed machine = machine_speed(model, arguments.threads, arguments.is_measured);
  progress.clear();
  const ModelShape shape = shape_of(model->description());
  const auto tokens = static_cast<double>(model->tokenizer().encode(document.text).ids.size());
  const Cost cost = cost_of_reading(shape, machine, tokens);
  const bool fits = tokens + 512 <= static_cast<double>(shape.window_tokens);
  const bool is_in_time = cost.causal_prefill_seconds <= arguments.budget_seconds;
  const char* route = fits && is_in_time ? "whole_document" : "passages";
  if (arguments.is_json) {
    const ordered_json json = {{"document", document.name},
                               {"model", model->description().name},
                               {"window_tokens", shape.window_tokens},
                               {"flops_per_second", machine.flops_per_second},
                               {"attention_flops_per_second", machine.attention_flops_per_second},
                               {"bytes_per_second", machine.bytes_per_second},
                               {"budget_seconds", arguments.budget_seconds},
                               {"route", route},
                               {"full", cost_json(cost)}};
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return kAnswered;
  }
  fmt::print("{} with {} ({})\n", bold(shown(document.name)), shown(model->description().name),
             name_of(chosen_instruction_set()));
  fmt::print(
      "  this machine      {:.0f} GFLOP/s in matrix products, {:.0f} in attention; decoding "
      "reads {:.1f} GB/s\n",
      machine.flops_per_second / 1e9, machine.attention_flops_per_second / 1e9,
      machine.bytes_per_second / 1e9);
  fmt::print("\n{}\n", bold(fmt::format("Whole document, T = {:.0f}", tokens)));
  print_cost(shape, cost);
  fmt::print(
      "\n{}: {}\n", bold(route),
      !fits ? fmt::format("{:.0f} tokens exceed the window of {}", tokens, shape.window_tokens)
      : is_in_time
          ? fmt::format("{} are within the {} allowed", seconds_text(cost.causal_prefill_seconds),
                        seconds_text(arguments.budget_seconds))
          : fmt::format("{} exceed the {} allowed", seconds_text(cost.causal_prefill_seconds),
                        seconds_text(arguments.budget_seconds)));
  return kAnswered;
}

}  // namespace

void add_plan(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* command = program.add_subcommand(
      "plan", "Show what reading costs: FLOPs, bytes and seconds, for a file or a named profile");
  auto* file = command->add_option("FILE", arguments->file, kFileTypes);
  command->add_option("--profile", arguments->profile, "A design case instead of a file: card80")
      ->excludes(file);
  command->add_option("--model", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command->add_option("--budget-seconds", arguments->budget_seconds, "Time allowed for reading")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "0: all processors")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--measure", arguments->is_measured, "Measure this machine again");
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer("\nExamples:\n  whereof plan --profile card80\n  whereof plan contract.pdf\n");
  command->callback([arguments, &chosen] {
    if (arguments->file.empty() && arguments->profile.empty()) {
      throw CLI::RequiredError("FILE or --profile");
    }
    chosen.run = [arguments, &chosen] {
      return arguments->file.empty() ? plan_profile(*arguments)
                                     : plan_file(*arguments, chosen.stop);
    };
  });
}

}  // namespace whereof::cli
