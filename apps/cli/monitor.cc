// whereof monitor FILE QUESTION
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "json/answer_json.h"
#include "kept_folder.h"
#include "svg_plot.h"
#include "terminal.h"
#include "whereof/answer.h"
#include "whereof/error.h"
#include "workspace/kept_store.h"
#include "workspace/library_file.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

constexpr int kBarCells = 20;

struct MonitorArguments {
  std::string file;
  std::string question;
  std::string model = workspace::kDefaultModel;
  std::string library;
  workspace::KeptPlace kept;
  std::string svg_file;
  bool is_json = false;
  AskOptions options;
};

// The normal range of a layer, where the calibration has one.
std::pair<double, double> normal_range(const Calibration& calibration, std::size_t layer) {
  return {calibration.alarm(fmt::format("entropy_share_least.{}", layer), 0),
          calibration.alarm(fmt::format("entropy_share_most.{}", layer), 1)};
}

std::string bar(double share) {
  const auto cells = static_cast<int>(kBarCells * std::clamp(share, 0.0, 1.0) + 0.5);
  return std::string(static_cast<std::size_t>(cells), '#') +
         std::string(static_cast<std::size_t>(kBarCells - cells), '.');
}

std::string marks_of(const Answer& answer, std::size_t layer) {
  std::string marks;
  for (const Alarm& alarm : answer.alarms) {
    if (alarm.layer != static_cast<std::int64_t>(layer)) continue;
    marks += fmt::format("  <- {}", name_of(alarm.kind));
  }
  return marks;
}

void print_text(const Answer& answer, const Calibration& calibration) {
  fmt::print("{}\n\n", bold("Attention of the answer's rows, by layer"));
  fmt::print(
      "  layer  entropy of ln T              normal       first position  most on document\n");
  for (std::size_t i = 0; i < answer.layers.size(); ++i) {
    const LayerFigures& layer = answer.layers[i];
    const auto [least, most] = normal_range(calibration, i);
    fmt::print("  {:>5}  {:.3f} {}  {:.3f}-{:.3f}  {:>14.3f}  head {:>2}: {:.3f}{}\n", i,
               layer.entropy_share, bar(layer.entropy_share), least, most, layer.sink_mass,
               layer.document_head, layer.document_mass, marks_of(answer, i));
  }
  fmt::print("\n");
  for (const Alarm& alarm : answer.alarms) {
    fmt::print("{}: {}\n", bold(name_of(alarm.kind)), shown(alarm.text));
  }
  if (answer.alarms.empty()) fmt::print("no alarm\n");
}

void print_json(const Answer& answer, const Document& document, const Model& model,
                const Calibration& calibration) {
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < answer.layers.size(); ++i) {
    const LayerFigures& layer = answer.layers[i];
    const auto [least, most] = normal_range(calibration, i);
    layers.push_back({{"entropy_share", layer.entropy_share},
                      {"normal_least", least},
                      {"normal_most", most},
                      {"sink_mass", layer.sink_mass},
                      {"log_sum_exp", layer.log_sum_exp},
                      {"document_head", layer.document_head},
                      {"document_mass", layer.document_mass}});
  }
  const nlohmann::ordered_json json = {{"question", answer.question},
                                       {"document", document.name},
                                       {"model", model.description().name},
                                       {"verdict", name_of(answer.verdict)},
                                       {"alarms", json::alarms_json(answer.alarms)},
                                       {"layers", std::move(layers)}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Plot plot_of(const Answer& answer, const Calibration& calibration) {
  Plot plot{.title = "Attention of the answer's rows",
            .x = {.label = "layer"},
            .y = {.label = "share"},
            .curves = {{"entropy of ln T", {}}, {"first position", {}}}};
  const bool has_range = calibration.alarms.contains("entropy_share_least.0");
  if (has_range) {
    plot.curves.push_back({"normal from", {}});
    plot.curves.push_back({"normal to", {}});
  }
  for (std::size_t i = 0; i < answer.layers.size(); ++i) {
    const auto x = static_cast<double>(i);
    plot.curves[0].points.emplace_back(x, answer.layers[i].entropy_share);
    plot.curves[1].points.emplace_back(x, answer.layers[i].sink_mass);
    if (!has_range) continue;
    const auto [least, most] = normal_range(calibration, i);
    plot.curves[2].points.emplace_back(x, least);
    plot.curves[3].points.emplace_back(x, most);
  }
  return plot;
}

void write_svg(const Plot& plot, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << svg_of(plot);
  file.close();
  if (!file) {
    throw Error(ErrorKind::input_output,
                fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
}

int run(MonitorArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  const Document document = document_from(arguments.file, *library, progress, stop);
  AskOptions& options = arguments.options;
  options.machine = workspace::machine_speed(model, options.threads, false);
  options.calibration = workspace::calibration_of(*model);
  options.store = workspace::kept_store(arguments.kept);
  options.stop = stop;
  options.progress = progress.callback();
  const Answer answer = ask(document, *library, model, arguments.question, options);
  progress.clear();
  fmt::print(stderr, "{}: {}\n", shown(document.name), answer.plan.reason);
  if (arguments.is_json) {
    print_json(answer, document, *model, options.calibration);
  } else {
    print_text(answer, options.calibration);
  }
  if (!arguments.svg_file.empty()) {
    write_svg(plot_of(answer, options.calibration), arguments.svg_file);
  }
  return answer.alarms.empty() ? kAnswered : kFailed;
}

}  // namespace

void add_monitor(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<MonitorArguments>();
  CLI::App* command = program.add_subcommand(
      "monitor", "Show what the layers of a model do while it answers, with alarms");
  AskOptions& options = arguments->options;
  options.max_answer_tokens = 64;
  command->add_option("FILE", arguments->file, std::string(kFileTypes) + "; - is standard input")
      ->required();
  command->add_option("QUESTION", arguments->question, "In English or Chinese")->required();
  command->add_option("--model", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command->add_option("--budget-seconds", options.budget_seconds, "Time allowed for reading")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--max-tokens", options.max_answer_tokens, "Longest answer")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20))
      ->capture_default_str();
  command->add_option("--threads", options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  add_kept_options(*command, arguments->kept, true);
  command->add_option("--svg", arguments->svg_file, "Write a picture to this file");
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer("\nExit codes: 0 no alarm, 1 an alarm.\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return run(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
