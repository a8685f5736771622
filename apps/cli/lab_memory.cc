// What it costs to hold every weight: attention over tiles against attention that writes its
// matrices down, in time and in memory.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

#include "lab.h"
#include "whereof/attention.h"

namespace whereof::cli {
namespace {

constexpr std::int64_t kHeadDim = 64;

// weights[i] = softmax(query_i . key^T / sqrt(head_dim)), output_i = weights_i . value, with the
// whole matrix in memory: what the equations say, in loops that a compiler turns into vectors.
void materialised_attention(LabTensor& query, LabTensor& key, LabTensor& value, LabTensor& output) {
  const std::int64_t length = query.shape[1];
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(kHeadDim)));
  LabTensor key_columns({1, kHeadDim, 1, length});  // key^T, so that the inner loop runs over keys
  for (std::int64_t j = 0; j < length; ++j) {
    for (std::int64_t d = 0; d < kHeadDim; ++d) key_columns.at(d, j) = key.at(j, d);
  }
  LabTensor weights({1, length, 1, length});
  for (std::int64_t i = 0; i < length; ++i) {
    float* row = &weights.at(i, 0);
    for (std::int64_t d = 0; d < kHeadDim; ++d) {
      const float x = scale * query.at(i, d);
      const float* column = &key_columns.at(d, 0);
      for (std::int64_t j = 0; j < length; ++j) row[j] += x * column[j];
    }
  }
  for (std::int64_t i = 0; i < length; ++i) {
    float* row = &weights.at(i, 0);
    const float row_max = *std::max_element(row, row + length);
    float sum = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      row[j] = std::exp(row[j] - row_max);
      sum += row[j];
    }
    for (std::int64_t j = 0; j < length; ++j) row[j] /= sum;
  }
  for (std::int64_t i = 0; i < length; ++i) {
    float* to = &output.at(i, 0);
    std::fill_n(to, kHeadDim, 0.0F);
    for (std::int64_t j = 0; j < length; ++j) {
      const float weight = weights.at(i, j);
      const float* from = &value.at(j, 0);
      for (std::int64_t d = 0; d < kHeadDim; ++d) to[d] += weight * from[d];
    }
  }
}

// A figure of /proc/self/status in bytes; 0 where there is none.
double status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    double kibibytes = 0;
    std::istringstream(line.substr(name.size() + 1)) >> kibibytes;
    return 1024 * kibibytes;
  }
  return 0;
}

struct Cost {
  double seconds;      // of a processor
  double extra_bytes;  // the most in memory while it ran, above what was there before
};

template <typename Body>
Cost cost_of(const Body& body) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak counts from here
  const double before = status_bytes("VmRSS");
  const double begin = processor_seconds();
  body();
  const double seconds = processor_seconds() - begin;
  return {seconds, std::max(0.0, status_bytes("VmHWM") - before)};
}

struct Comparison {
  std::int64_t length;
  Cost tiled;
  Cost materialised;
  double difference;  // largest, of the outputs
};

Comparison compare(std::int64_t length) {
  std::mt19937_64 random(static_cast<std::uint64_t>(length));
  const std::array<std::int64_t, 4> shape{1, length, 1, kHeadDim};
  LabTensor query = random_tensor(shape, random);
  LabTensor key = random_tensor(shape, random);
  LabTensor value = random_tensor(shape, random);
  LabTensor tiled = random_tensor(shape, random);  // its pages are there before they are counted
  LabTensor whole = tiled;
  AttentionOptions options;
  options.threads = 1;
  Comparison result{.length = length, .tiled = {}, .materialised = {}, .difference = 0};
  // Short ones three times; the fastest counts.
  result.tiled.seconds = 1e9;
  for (int repeat = 0; repeat < (length <= 4096 ? 3 : 1); ++repeat) {
    const Cost cost = cost_of(
        [&] { attention_forward(query.view(), key.view(), value.view(), tiled.view(), options); });
    result.tiled = {std::min(result.tiled.seconds, cost.seconds),
                    std::max(result.tiled.extra_bytes, cost.extra_bytes)};
  }
  result.materialised = cost_of([&] { materialised_attention(query, key, value, whole); });
  for (std::size_t i = 0; i < tiled.data.size(); ++i) {
    result.difference =
        std::max(result.difference, std::abs(static_cast<double>(tiled.data[i] - whole.data[i])));
  }
  return result;
}

// Bytes a second that one thread reads from memory.
double read_bandwidth() {
  std::vector<float> memory(64 << 20, 1.0F);  // 256 MiB
  double best = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    float sums[64] = {};
    const double begin = processor_seconds();
    for (std::size_t i = 0; i < memory.size(); i += 64) {
      for (std::size_t j = 0; j < 64; ++j) sums[j] += memory[i + j];
    }
    const double seconds = processor_seconds() - begin;
    memory[0] = sums[0] > 0 ? 1.0F : 2.0F;  // the sums are needed
    best = std::max(best, 4 * static_cast<double>(memory.size()) / seconds);
  }
  return best;
}

struct Decode {
  double bytes;
  double flops;
  double seconds;
};

// One query of one head over a long bf16 cache.
Decode decode_step() {
  constexpr std::int64_t kKeys = 262144;
  constexpr std::int64_t kDim = 128;
  std::mt19937_64 random(3);
  LabTensor query = random_tensor({1, 1, 1, kDim}, random);
  LabTensor output({1, 1, 1, kDim});
  std::vector<std::uint16_t> cache(static_cast<std::size_t>(2 * kKeys * kDim));
  for (std::size_t i = 0; i < cache.size(); ++i) {
    const float x = static_cast<float>(random() % 256) / 128 - 1;
    cache[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
  }
  const auto view = [&](std::int64_t first) {
    return dense_view(static_cast<const void*>(cache.data() + first), ElementType::bf16,
                      {1, kKeys, 1, kDim});
  };
  AttentionOptions options;
  options.threads = 1;
  double fastest = 1e9;
  for (int repeat = 0; repeat < 4; ++repeat) {
    const double begin = processor_seconds();
    attention_forward(query.view(), view(0), view(kKeys * kDim), output.view(), options);
    fastest = std::min(fastest, processor_seconds() - begin);
  }
  return {.bytes = 2.0 * static_cast<double>(cache.size()),
          .flops = 4.0 * static_cast<double>(kKeys * kDim),
          .seconds = fastest};
}

std::string table_of(const std::vector<Comparison>& all) {
  std::string text =
      "      length   tiled s   extra MiB   materialised s   extra MiB   outputs differ by\n";
  for (const Comparison& c : all) {
    text += fmt::format("  {:>10} {:>9.4f} {:>11.2f} {:>16.4f} {:>11.2f} {:>19.2g}\n", c.length,
                        c.tiled.seconds, c.tiled.extra_bytes / 0x1p20, c.materialised.seconds,
                        c.materialised.extra_bytes / 0x1p20, c.difference);
  }
  return text;
}

// A page is the least that can be told from nothing.
double mib_of(const Cost& cost) { return std::max(cost.extra_bytes, 4096.0) / 0x1p20; }

Plot plot_of(const std::vector<Comparison>& all) {
  Plot plot{.title = "One head of 64, one thread: tiles against the whole matrix",
            .x = {.label = "sequence length", .is_logarithmic = true, .base = 2},
            .y = {.label = "seconds; MiB above inputs and outputs", .is_logarithmic = true},
            .curves = {{.name = "tiled, seconds", .points = {}},
                       {.name = "whole, seconds", .points = {}},
                       {.name = "tiled, MiB", .points = {}},
                       {.name = "whole, MiB", .points = {}}}};
  for (const Comparison& c : all) {
    const auto at = static_cast<double>(c.length);
    plot.curves[0].points.emplace_back(at, std::max(c.tiled.seconds, 1e-6));
    plot.curves[1].points.emplace_back(at, std::max(c.materialised.seconds, 1e-6));
    plot.curves[2].points.emplace_back(at, mib_of(c.tiled));
    plot.curves[3].points.emplace_back(at, mib_of(c.materialised));
  }
  return plot;
}

void add_decode(LabReport& report) {
  const Decode decode = decode_step();
  const double bandwidth = read_bandwidth();
  const double rate = decode.bytes / decode.seconds;
  report.lines.push_back(near("flops_per_byte", "decode, one head, 16 bits: FLOPs a byte read",
                              decode.flops / decode.bytes, 1, 0));
  report.lines.push_back(at_least("bandwidth_share", "decode: share of the measured read bandwidth",
                                  rate / bandwidth, 0.2));
  report.drawing += fmt::format("  Decode reads {:.1f} GB/s of {:.1f} GB/s that a thread reads\n",
                                rate / 1e9, bandwidth / 1e9);
}

}  // namespace

LabReport lab_memory(const LabOptions& options) {
  std::vector<Comparison> all;
  for (std::int64_t length = 1024; length <= options.largest_length; length *= 2) {
    Comparison comparison = compare(length);
    // What the library keeps for the thread from a shorter call serves this one too.
    if (!all.empty()) {
      double& extra = comparison.tiled.extra_bytes;
      extra = std::max(extra, all.back().tiled.extra_bytes);
    }
    all.push_back(comparison);
  }
  const Comparison& last = all.back();
  const Comparison& before = all[all.size() - 2];
  double difference = 0;
  for (const Comparison& c : all) difference = std::max(difference, c.difference);
  const double scores = 32.0 * 131072.0 * 131072.0;
  LabReport report{.title = "Never hold [query_length, key_length]",
                   .lines = {},
                   .drawing = table_of(all),
                   .plot = plot_of(all)};
  const double matrix_bytes =
      4 * static_cast<double>(last.length) * static_cast<double>(last.length);
  report.lines = {
      near("scores", "scores of [1, 32, 131072, 131072]", scores, 5.5e11, 0.005),
      near("terabytes", "the same in fp16, TB", 2 * scores / 1e12, 1.1, 0.005),
      at_most("difference", "tiled against materialised: outputs differ by", difference, 1e-5),
      near("materialised_share",
           fmt::format("materialised, {}: extra bytes / bytes of the weights", last.length),
           last.materialised.extra_bytes / matrix_bytes, 1, 0.1),
      at_most("tiled_mib", fmt::format("tiled, {}: extra MiB", last.length),
              last.tiled.extra_bytes / 0x1p20, 4),
      near("tiled_growth", "tiled: time of the longest / of half its length",
           last.tiled.seconds / before.tiled.seconds, 4, 0.4)};
  add_decode(report);
  return report;
}

}  // namespace whereof::cli
