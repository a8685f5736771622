#include "attention/measurement.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "attention/stopwatch.h"
#include "parallel/thread_pool.h"

namespace whereof::bench {
namespace {

// A round of short runs is the median of several: a moment that the system gives to others, once a
// second, is as long as some of them.
constexpr double kSecondsOfARound = 1.5;
constexpr double kMostRepeats = 20;
// The peak is the median of at least so many runs of its own, between those of the case: what
// others take of the memory's bandwidth then hits both alike.
constexpr int kLeastPeakRuns = 5;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Seconds seconds_of(const std::vector<double>& runs) {
  return {.median = median(runs), .fastest = *std::min_element(runs.begin(), runs.end())};
}

// A line "name:   12345 kB" of /proc/self/status.
std::optional<std::int64_t> status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kib = 0;
    if (word == name + ":" && status >> kib) return kib * 1024;
  }
  return std::nullopt;
}

// What `action` adds to the resident memory at its highest.
template <typename Action>
std::optional<std::int64_t> peak_growth(Action action) {
  // 5: the kernel's order to set the high-water mark back to what is resident now.
  const bool is_reset =
      static_cast<bool>(std::ofstream("/proc/self/clear_refs") << 5 << std::flush);
  const auto before = status_bytes("VmRSS");
  action();
  const auto highest = status_bytes("VmHWM");
  if (!is_reset || !before || !highest) return std::nullopt;
  return std::max<std::int64_t>(0, *highest - *before);
}

InstructionSet set_for(const BenchCase& bench_case, std::optional<InstructionSet> asked) {
  if (!asked) asked = instruction_set_named(bench_case.forced_set);
  return asked.value_or(chosen_instruction_set());
}

}  // namespace

Measurement::Measurement(const BenchCase& c, std::optional<InstructionSet> set)
    : case_(c),
      threads_(parallel::ThreadPool::process().threads_for(c.threads)),
      set_(set_for(c, set)),
      peak_(peak_of(c, set_)) {
  AttentionOptions options;
  options.mask.is_causal = true;
  options.mask.window = c.window;
  options.threads = c.threads;
  options.instruction_set = set_;
  computation_ = make_computation(c, options);
  std::vector<double> peaks;  // before the memory is watched: reading needs an array too
  for (int i = 0; i < kLeastPeakRuns; ++i) peaks.push_back(measured(peak_, threads_));
  first_.peak = median(peaks);
  const std::clock_t begin = std::clock();
  extra_bytes_ = peak_growth([&] { first_.timed = seconds_of({run(true)}); });
  first_processor_seconds_ = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double Measurement::work() const {
  return peak_ == Peak::read_bandwidth ? case_.cache_bytes() : case_.flops();
}

double Measurement::run(bool with_evidence) {
  const double begin = seconds_now(threads_);
  computation_->run(with_evidence);
  return seconds_now(threads_) - begin;
}

Round Measurement::round() {
  std::vector<double> plain, with_evidence, peaks;
  const int repeats =
      static_cast<int>(std::clamp(kSecondsOfARound / first_.timed.median, 1.0, kMostRepeats));
  for (int i = 0; i < repeats; ++i) {
    for (int j = 0; j < kLeastPeakRuns; j += repeats) peaks.push_back(measured(peak_, threads_));
    // Whoever goes first finds other caches and clocks: the order changes each time.
    for (const bool is_evidence : {is_evidence_first_, !is_evidence_first_}) {
      if (is_evidence) {
        with_evidence.push_back(run(true));
      } else if (case_.has_plain_runs()) {
        plain.push_back(run(false));
      }
    }
    is_evidence_first_ = !is_evidence_first_;
  }
  Round result;
  result.timed = seconds_of(with_evidence);
  result.peak = median(peaks);
  if (!plain.empty()) result.plain = seconds_of(plain);
  return result;
}

}  // namespace whereof::bench
