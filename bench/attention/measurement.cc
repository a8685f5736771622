#include "attention/measurement.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "attention/stopwatch.h"
#include "numeric/half.h"
#include "parallel/thread_pool.h"
#include "whereof/error.h"

namespace whereof::bench {
namespace {

constexpr std::int64_t kKeySpans = 200;
constexpr int kDecodeRepeats = 20;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
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
  if (!asked && !bench_case.forced_set.empty()) {
    asked = instruction_set_named(bench_case.forced_set);
  }
  const InstructionSet set = asked.value_or(chosen_instruction_set());
  if (!can_run(set)) {
    throw Error(ErrorKind::unsupported, std::string(bench_case.name) + " needs " +
                                            std::string(name_of(set)) +
                                            ", which this machine cannot run");
  }
  return set;
}

}  // namespace

Tensor::Tensor(ElementType type_in, std::array<std::int64_t, 4> shape_in, std::uint32_t seed)
    : bytes(shape_in[0] * shape_in[1] * shape_in[2] * shape_in[3] * bytes_of(type_in)),
      type(type_in),
      shape(shape_in) {
  std::minstd_rand random(seed);
  const std::int64_t count = bytes.size() / bytes_of(type);
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = static_cast<float>(random() % 65536) / 16384.0F - 2.0F;
    const std::uint16_t half = numeric::bf16_of_float(x);
    if (type == ElementType::f32) {
      std::memcpy(bytes.data() + i * 4, &x, 4);
    } else {
      std::memcpy(bytes.data() + i * 2, &half, 2);
    }
  }
}

TensorView Tensor::cache_view() {
  const auto [batch, heads, length, dim] = shape;
  return {bytes.data(),
          type,
          {batch, length, heads, dim},
          {heads * length * dim, dim, length * dim, 1}};
}

Measurement::Measurement(const BenchCase& c, std::optional<InstructionSet> set)
    : case_(c),
      threads_(parallel::ThreadPool::process().threads_for(c.threads)),
      set_(set_for(c, set)),
      peak_(peak_of(c, set_)),
      query_(c.query_type, {1, c.query_length, c.query_heads, c.head_dim}, 1),
      key_(c.kv_type, {1, c.kv_heads, c.key_length, c.head_dim}, 2),
      value_(c.kv_type, {1, c.kv_heads, c.key_length, c.head_dim}, 3),
      output_(c.query_type, {1, c.query_length, c.query_heads, c.head_dim}, 4) {
  options_.mask.is_causal = true;
  options_.threads = c.threads;
  options_.instruction_set = set_;
  for (std::int64_t i = 0; i < kKeySpans; ++i) {
    request_.key_spans.push_back(
        {i * c.key_length / kKeySpans, (i + 1) * c.key_length / kKeySpans});
  }
  first_.peak = measured(peak_, threads_);  // before the memory is watched: it has an array too
  extra_bytes_ = peak_growth([&] { first_.seconds = run(true); });
}

double Measurement::work() const {
  return peak_ == Peak::read_bandwidth ? case_.cache_bytes() : case_.flops();
}

double Measurement::run(bool with_evidence) {
  Evidence evidence;
  const double begin = seconds_now(threads_);
  attention_forward(query_.view(), key_.cache_view(), value_.cache_view(), output_.view(), options_,
                    nullptr, with_evidence ? &request_ : nullptr,
                    with_evidence ? &evidence : nullptr);
  return seconds_now(threads_) - begin;
}

Round Measurement::round() {
  Round result;
  result.peak = measured(peak_, threads_);
  std::vector<double> plain, with_evidence;
  const int repeats = case_.is_decode() ? kDecodeRepeats : 1;
  for (int i = 0; i < repeats; ++i) {
    // Whoever goes first finds other caches and clocks: the order changes each time.
    for (const bool is_evidence : {is_evidence_first_, !is_evidence_first_}) {
      if (is_evidence) {
        with_evidence.push_back(run(true));
      } else if (case_.work != Work::evidence_only) {
        plain.push_back(run(false));
      }
    }
    is_evidence_first_ = !is_evidence_first_;
  }
  result.seconds = median(with_evidence);
  if (!plain.empty()) result.plain_seconds = median(plain);
  return result;
}

}  // namespace whereof::bench
