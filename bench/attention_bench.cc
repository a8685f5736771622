// Speed of the attention library against what this machine can do.
//
//   attention_bench [--only PART] [--rounds N] [--set NAME] [--clock cpu]   prints a table
//   attention_bench --list                             the cases, one line of JSON each
//   attention_bench --serve CASE [--set NAME]          for bench/attention.py: says what it
//                                                      measures and how the first run went, then
//                                                      does a round for each line of standard
//                                                      input; lines of JSON
//
// Each round measures the peak that bounds the case (multiply-adds, bf16 dot products, tile
// products, or read bandwidth) and the case without and with evidence (all rows summed, 200 spans),
// in turn, so that a machine that changes its clock changes all of them; figures are medians over
// the rounds. FLOPs are 4 * head_dim for each (row, visible key); bytes are the keys and values
// read once for each kv head. --clock cpu counts processor time instead of wall time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "attention/bench_case.h"
#include "attention/measurement.h"
#include "attention/stopwatch.h"
#include "whereof/error.h"

namespace whereof::bench {
namespace {

struct Arguments {
  std::string only;
  std::string serve;
  int rounds = 5;
  std::optional<InstructionSet> set;
  bool lists = false;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--list") {
      arguments.lists = true;
      continue;
    }
    if (i + 1 == argc) throw Error(ErrorKind::invalid_argument, flag + " needs a value");
    const std::string value = argv[++i];
    if (flag == "--only") {
      arguments.only = value;
    } else if (flag == "--serve") {
      arguments.serve = value;
    } else if (flag == "--rounds") {
      arguments.rounds = std::max(1, std::atoi(value.c_str()));
    } else if (flag == "--clock" && (value == "cpu" || value == "wall")) {
      uses_processor_time = value == "cpu";
    } else if (flag == "--set" && instruction_set_named(value)) {
      arguments.set = instruction_set_named(value);
    } else {
      throw Error(ErrorKind::invalid_argument, "what is " + flag + " " + value + "?");
    }
  }
  return arguments;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_line(const Measurement& measurement, const std::vector<Round>& rounds) {
  std::vector<double> seconds, shares, overheads;
  for (const Round& round : rounds) {
    seconds.push_back(round.plain.value_or(round.timed).median);
    shares.push_back(measurement.work() / seconds.back() / round.peak);
    overheads.push_back(round.timed.fastest / round.plain.value_or(round.timed).fastest - 1);
  }
  const double rate = measurement.work() / median(seconds);
  std::printf("%-36s %-12s %10.3f ms  %8.1f %s  %5.1f %% of %-15s",
              std::string(measurement.bench_case().name).c_str(),
              std::string(name_of(measurement.set())).c_str(), median(seconds) * 1e3, rate * 1e-9,
              measurement.peak() == Peak::read_bandwidth ? "GB/s   " : "GFLOP/s",
              median(shares) * 100, std::string(name_of(measurement.peak())).c_str());
  if (rounds.front().plain) std::printf("  evidence %+5.1f %%", median(overheads) * 100);
  std::printf("\n");
  std::fflush(stdout);
}

void print_table(const Arguments& arguments) {
  for (const BenchCase& one : cases_named(arguments.only)) {
    // Minutes long, and nothing that a plain look at all cases wants.
    if (arguments.only.empty() && one.work == Work::evidence_only) continue;
    Measurement measurement(one, arguments.set);
    std::vector<Round> rounds;
    for (int i = 0; i < arguments.rounds; ++i) rounds.push_back(measurement.round());
    print_line(measurement, rounds);
  }
}

std::string json_of(const Round& round) {
  std::ostringstream line;
  line << "\"seconds\": " << round.timed.median << ", \"fastest_seconds\": " << round.timed.fastest
       << ", \"peak_per_second\": " << round.peak;
  if (round.plain) line << ", \"fastest_plain_seconds\": " << round.plain->fastest;
  return line.str();
}

void serve(const Arguments& arguments) {
  for (const BenchCase& one : cases_named(arguments.serve)) {
    if (one.name != arguments.serve) continue;
    Measurement measurement(one, arguments.set);
    std::ostringstream greeting;
    greeting << "{\"instruction_set\": \"" << name_of(measurement.set())
             << "\", \"threads\": " << measurement.threads() << ", \"work\": " << measurement.work()
             << ", \"peak\": \"" << name_of(measurement.peak()) << "\", "
             << json_of(measurement.first())
             << ", \"processor_seconds\": " << measurement.first_processor_seconds();
    if (measurement.extra_bytes()) greeting << ", \"extra_bytes\": " << *measurement.extra_bytes();
    std::cout << greeting.str() << "}" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << "{" << json_of(measurement.round()) << "}" << std::endl;
    }
    return;
  }
  throw Error(ErrorKind::invalid_argument, "no case " + arguments.serve + ": --list shows them");
}

int run(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    if (arguments.lists) {
      for (const BenchCase& one : cases_named("")) std::cout << describe(one) << "\n";
    } else if (!arguments.serve.empty()) {
      serve(arguments);
    } else {
      print_table(arguments);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attention_bench: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace whereof::bench

int main(int argc, char** argv) { return whereof::bench::run(argc, argv); }
