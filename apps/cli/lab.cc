// whereof lab scale | masks | positions | rank | scoring | memory | faults
#include "lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/error.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

struct LabCommand {
  const char* name;
  const char* description;
  LabReport (*run)(const LabOptions&);
  bool has_plot;
};

constexpr LabCommand kCommands[] = {
    {"scale", "Why scores are divided by sqrt(head_dim)", lab_scale, true},
    {"masks", "The causal mask: before the softmax, aligned at the last key", lab_masks, false},
    {"positions", "Attention without positions does not see order; RoPE sees distance",
     lab_positions, false},
    {"rank", "The rank of query . key^T is at most head_dim", lab_rank, false},
    {"scoring", "dot, general, concat and additive scores: weights, time, gradients", lab_scoring,
     false},
    {"memory", "Tiles against the whole matrix of weights: time and memory", lab_memory, true},
    {"faults", "Wrong implementations of attention in a real model: symptoms, and their names",
     lab_faults, false},
};

struct LabArguments {
  LabOptions options;
  std::string svg_file;
  bool is_json = false;
};

void print_text(const LabReport& report) {
  fmt::print("{}\n\n", bold(report.title));
  for (const LabLine& line : report.lines) {
    fmt::print("  {:<4} {:<62} {:>12.6g}   {}{}\n", line.matches ? "ok" : "NO", line.what,
               line.measured, line.expected, line.matches ? "" : "   <- does not match");
  }
  if (!report.drawing.empty()) fmt::print("\n{}", report.drawing);
}

void print_json(const LabReport& report) {
  ordered_json lines = ordered_json::array();
  for (const LabLine& line : report.lines) {
    lines.push_back({{"name", line.name},
                     {"what", line.what},
                     {"measured", line.measured},
                     {"expected", line.expected},
                     {"matches", line.matches}});
  }
  const ordered_json json = {
      {"title", report.title}, {"all_match", report.all_match()}, {"lines", std::move(lines)}};
  fmt::print("{}\n", json.dump(2));
}

void write_svg(const LabReport& report, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << svg_of(*report.plot);
  file.close();
  if (!file) {
    throw Error(ErrorKind::input_output,
                fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
}

int run(const LabCommand& command, const LabArguments& arguments) {
  const LabReport report = command.run(arguments.options);
  if (arguments.is_json) {
    print_json(report);
  } else {
    print_text(report);
  }
  if (!arguments.svg_file.empty()) write_svg(report, arguments.svg_file);
  return report.all_match() ? kAnswered : kFailed;
}

}  // namespace

LabLine near(std::string name, std::string what, double measured, double expected,
             double relative_tolerance) {
  const bool matches = std::abs(measured - expected) <= relative_tolerance * std::abs(expected);
  return {std::move(name), std::move(what), measured,
          relative_tolerance == 0
              ? fmt::format("{:.6g}", expected)
              : fmt::format("{:.6g} within {:.2g} %", expected, 100 * relative_tolerance),
          matches};
}

LabLine at_most(std::string name, std::string what, double measured, double bound) {
  return {std::move(name), std::move(what), measured,
          bound == 0 ? "0" : fmt::format("at most {:.6g}", bound), measured <= bound};
}

LabLine at_least(std::string name, std::string what, double measured, double bound) {
  return {std::move(name), std::move(what), measured, fmt::format("at least {:.6g}", bound),
          measured >= bound};
}

bool LabReport::all_match() const {
  return std::all_of(lines.begin(), lines.end(), [](const LabLine& line) { return line.matches; });
}

LabTensor random_tensor(std::array<std::int64_t, 4> shape, std::mt19937_64& random, float spread) {
  LabTensor tensor(shape);
  std::normal_distribution<float> normal;
  for (float& x : tensor.data) x = spread * normal(random);
  return tensor;
}

LabTensor identity(std::int64_t n) {
  LabTensor tensor({1, n, 1, n});
  for (std::int64_t i = 0; i < n; ++i) tensor.at(i, i) = 1;
  return tensor;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void add_lab(CLI::App& program, Chosen& chosen) {
  CLI::App* lab = program.add_subcommand(
      "lab", "Facts about attention, measured by the library beside what must come out");
  lab->require_subcommand(1);
  auto arguments = std::make_shared<LabArguments>();
  for (const LabCommand& command : kCommands) {
    CLI::App* one = lab->add_subcommand(command.name, command.description);
    one->add_flag("--json", arguments->is_json, "As JSON");
    if (command.has_plot) {
      one->add_option("--svg", arguments->svg_file, "Write the plot to this file");
    }
    if (std::strcmp(command.name, "memory") == 0) {
      one->add_option("--largest", arguments->options.largest_length, "Longest sequence")
          ->check(CLI::Range(2048, 131072))
          ->capture_default_str();
    }
    if (std::strcmp(command.name, "faults") == 0) {
      one->add_option("--model", arguments->options.model,
                      "Name of a fetched model, or a GGUF file")
          ->capture_default_str();
    }
    one->callback([arguments, &chosen, &command] {
      chosen.run = [arguments, &command] { return run(command, *arguments); };
    });
  }
  lab->footer("\nExit codes: 0 every figure came out, 1 one did not (it is marked).\n");
}

}  // namespace whereof::cli
