// Speed of attention_forward against what this machine can do.
//
//   attention_bench [--json FILE] [--only SUBSTRING] [--rounds N] [--set NAME] [--clock cpu]
//
// Each round measures the fused multiply-add peak, the read bandwidth, and the case without and
// with evidence, in turn, so that a machine that changes its clock changes all of them; the figures
// are medians over rounds. FLOPs are 4 * head_dim for each (row, visible key); bytes are the keys
// and values read once for each kv head. --clock cpu counts the processor time of the process
// divided by its threads instead of wall time: on a machine that others use too, that is the figure
// that repeats.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "memory/aligned_array.h"
#include "numeric/half.h"
#include "parallel/thread_pool.h"
#include "whereof/attention.h"

namespace whereof {
namespace {

struct BenchCase {
  const char* name;
  ElementType query_type;
  ElementType kv_type;
  std::int64_t query_length;
  std::int64_t key_length;
  std::int64_t query_heads;
  std::int64_t kv_heads;
  std::int64_t head_dim;

  bool is_decode() const { return query_length < 64; }
};

constexpr auto kF32 = ElementType::f32;
constexpr auto kBf16 = ElementType::bf16;
constexpr BenchCase kCases[] = {
    {"causal_fp32_h32_d128_t4096", kF32, kF32, 4096, 4096, 32, 32, 128},
    {"causal_bf16_h32_d128_t4096", kBf16, kBf16, 4096, 4096, 32, 32, 128},
    {"causal_bf16_h9kv3_d64_t4096", kBf16, kBf16, 4096, 4096, 9, 3, 64},
    {"causal_bf16_h12kv2_d128_t8192", kBf16, kBf16, 8192, 8192, 12, 2, 128},
    {"causal_mixed_h14kv2_d64_t4096", kF32, kBf16, 4096, 4096, 14, 2, 64},
    {"causal_mixed_h14kv2_d64_q256_t8192", kF32, kBf16, 256, 8192, 14, 2, 64},
    {"decode_bf16_h32kv8_d128_k32768", kBf16, kBf16, 1, 32768, 32, 8, 128},
    {"decode_mixed_h32kv8_d128_k32768", kF32, kBf16, 1, 32768, 32, 8, 128},
    {"decode_mixed_h14kv2_d64_k32768", kF32, kBf16, 1, 32768, 14, 2, 64},
    {"decode_mixed_h12kv2_d128_k32768", kF32, kBf16, 1, 32768, 12, 2, 128},
    {"decode_fp32_h32kv8_d128_k32768", kF32, kF32, 1, 32768, 32, 8, 128},
};

bool uses_cpu_clock = false;

double seconds_now() {
  if (uses_cpu_clock) {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC /
           parallel::ThreadPool::process().threads();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

volatile float sink = 0;

// FLOP/s of independent fused multiply-adds in registers, widest set first.
#if defined(__x86_64__)
__attribute__((target("avx512f"))) double multiply_adds_512(std::int64_t steps) {
  __m512 sums[12];
  for (auto& sum : sums) sum = _mm512_set1_ps(1.0F);
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) sink = sink + _mm512_cvtss_f32(sum);
  return static_cast<double>(steps) * 12 * 32;
}
__attribute__((target("avx2,fma"))) double multiply_adds_256(std::int64_t steps) {
  __m256 sums[12];
  for (auto& sum : sums) sum = _mm256_set1_ps(1.0F);
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) sink = sink + _mm256_cvtss_f32(sum);
  return static_cast<double>(steps) * 12 * 16;
}
#endif

double multiply_adds(std::int64_t steps) {
#if defined(__x86_64__)
  if (can_run(InstructionSet::avx512)) return multiply_adds_512(steps);
  if (can_run(InstructionSet::avx2)) return multiply_adds_256(steps);
#endif
  float sums[16] = {};
  for (std::int64_t i = 0; i < steps; ++i) {
    for (float& sum : sums) sum = sum * 0.999F + 0.999F;
  }
  for (const float sum : sums) sink = sink + sum;
  return static_cast<double>(steps) * 32;
}

double measured_flops_per_second() {
  auto& pool = parallel::ThreadPool::process();
  constexpr std::int64_t kSteps = 8'000'000;
  std::vector<double> flops(static_cast<std::size_t>(pool.threads()));
  const double begin = seconds_now();
  pool.for_each(pool.threads(), 0, [&](std::int64_t item, int) {
    flops[static_cast<std::size_t>(item)] = multiply_adds(kSteps);
  });
  const double elapsed = seconds_now() - begin;
  double total = 0;
  for (const double f : flops) total += f;
  return total / elapsed;
}

// Bytes a second of summing an array far larger than the caches.
double measured_bytes_per_second() {
  auto& pool = parallel::ThreadPool::process();
  constexpr std::int64_t kWords = std::int64_t{48} << 20;
  constexpr std::int64_t kPieces = 64;
  static const std::vector<std::uint64_t> words(static_cast<std::size_t>(kWords), 1);
  const double begin = seconds_now();
  pool.for_each(kPieces, 0, [&](std::int64_t piece, int) {
    const std::uint64_t* from = words.data() + piece * (kWords / kPieces);
    std::uint64_t sums[16] = {};
    for (std::int64_t i = 0; i < kWords / kPieces; i += 16) {
      for (int j = 0; j < 16; ++j) sums[j] += from[i + j];
    }
    for (const std::uint64_t sum : sums) sink = sink + static_cast<float>(sum);
  });
  return static_cast<double>(kWords) * 8 / (seconds_now() - begin);
}

struct Tensor {
  memory::AlignedArray<unsigned char> bytes;
  ElementType type;
  std::array<std::int64_t, 4> shape;

  Tensor(ElementType type_in, std::array<std::int64_t, 4> shape_in, std::uint32_t seed)
      : bytes(shape_in[0] * shape_in[1] * shape_in[2] * shape_in[3] * bytes_of(type_in)),
        type(type_in),
        shape(shape_in) {
    std::minstd_rand random(seed);
    const std::int64_t count = bytes.size() / bytes_of(type);
    for (std::int64_t i = 0; i < count; ++i) {
      const float x = static_cast<float>(random() % 65536) / 16384.0F - 2.0F;
      const std::uint16_t half = numeric::bf16_of_float(x);
      if (type == kF32) {
        std::memcpy(bytes.data() + i * 4, &x, 4);
      } else {
        std::memcpy(bytes.data() + i * 2, &half, 2);
      }
    }
  }
  TensorView view() { return dense_view(bytes.data(), type, shape); }
};

struct Figures {
  std::string name;
  std::string set;
  double seconds = 0;
  double tflops = 0;
  double gbytes_per_s = 0;
  double share_of_peak = 0;
  double evidence_overhead = 0;
  bool is_decode = false;
  const char* dtype = "";
};

// Heads outside rows, as a cache holds them.
TensorView cache_view(Tensor& tensor) {
  const auto [batch, heads, length, dim] = tensor.shape;
  return {tensor.bytes.data(),
          tensor.type,
          {batch, length, heads, dim},
          {heads * length * dim, dim, length * dim, 1}};
}

Figures measure(const BenchCase& c, int rounds, const AttentionOptions& options) {
  Tensor query(c.query_type, {1, c.query_length, c.query_heads, c.head_dim}, 1);
  Tensor key(c.kv_type, {1, c.kv_heads, c.key_length, c.head_dim}, 2);
  Tensor value(c.kv_type, {1, c.kv_heads, c.key_length, c.head_dim}, 3);
  Tensor output(kF32, {1, c.query_length, c.query_heads, c.head_dim}, 4);
  EvidenceRequest request;
  for (std::int64_t i = 0; i < 200; ++i) {
    request.key_spans.push_back({i * c.key_length / 200, (i + 1) * c.key_length / 200});
  }
  const double offset = static_cast<double>(c.key_length - c.query_length);
  const double rows = static_cast<double>(c.query_length);
  const double pairs = rows * offset + rows * (rows + 1) / 2;
  const double flops = 4.0 * static_cast<double>(c.head_dim * c.query_heads) * pairs;
  const double bytes =
      2.0 * static_cast<double>(c.kv_heads * c.key_length * c.head_dim * bytes_of(c.kv_type));
  const std::int64_t repeats = c.is_decode() ? 20 : 1;
  const auto run = [&](bool with_evidence) {
    Evidence evidence;
    const double begin = seconds_now();
    for (std::int64_t i = 0; i < repeats; ++i) {
      attention_forward(query.view(), cache_view(key), cache_view(value), output.view(), options,
                        nullptr, with_evidence ? &request : nullptr,
                        with_evidence ? &evidence : nullptr);
    }
    return (seconds_now() - begin) / static_cast<double>(repeats);
  };
  run(true);
  std::vector<double> plain, with_evidence, overhead, share;
  for (int round = 0; round < rounds; ++round) {
    const double peak = c.is_decode() ? measured_bytes_per_second() : measured_flops_per_second();
    plain.push_back(run(false));
    with_evidence.push_back(run(true));
    overhead.push_back(with_evidence.back() / plain.back() - 1);
    share.push_back((c.is_decode() ? bytes : flops) / plain.back() / peak);
  }
  const bool is_mixed = c.query_type != c.kv_type;
  return {.name = c.name,
          .set = std::string(name_of(*options.instruction_set)),
          .seconds = median(plain),
          .tflops = flops / median(plain) * 1e-12,
          .gbytes_per_s = bytes / median(plain) * 1e-9,
          .share_of_peak = median(share),
          .evidence_overhead = median(overhead),
          .is_decode = c.is_decode(),
          .dtype = is_mixed            ? "mixed"
                   : c.kv_type == kF32 ? "fp32"
                                       : "bf16"};
}

void print(const Figures& f) {
  std::printf("%-36s %-12s %9.3f ms  ", f.name.c_str(), f.set.c_str(), f.seconds * 1e3);
  if (f.is_decode) {
    std::printf("%7.1f GB/s     %5.1f %% of read bandwidth", f.gbytes_per_s, f.share_of_peak * 100);
  } else {
    std::printf("%7.1f GFLOP/s  %5.1f %% of FMA peak      ", f.tflops * 1e3, f.share_of_peak * 100);
  }
  std::printf("  evidence %+5.1f %%\n", f.evidence_overhead * 100);
  std::fflush(stdout);
}

void write_json(const char* path, const std::vector<Figures>& all) {
  std::ofstream file(path);
  file << "[\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Figures& f = all[i];
    file << "  {\"case\": \"" << f.name << "\", \"dtype\": \"" << f.dtype
         << "\", \"threads\": " << parallel::ThreadPool::process().threads()
         << ", \"instruction_set\": \"" << f.set << "\", \"seconds\": " << f.seconds
         << (f.is_decode ? ", \"gbytes_per_s\": " : ", \"tflops\": ")
         << (f.is_decode ? f.gbytes_per_s : f.tflops) << ", \"share_of_peak\": " << f.share_of_peak
         << ", \"evidence_overhead\": " << f.evidence_overhead << "}"
         << (i + 1 < all.size() ? ",\n" : "\n");
  }
  file << "]\n";
}

int run_bench(int argc, char** argv) {
  const char* json = nullptr;
  std::string only;
  int rounds = 5;
  AttentionOptions options;
  options.mask.is_causal = true;
  options.instruction_set = chosen_instruction_set();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--json") json = argv[i + 1];
    if (flag == "--only") only = argv[i + 1];
    if (flag == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
    if (flag == "--clock") uses_cpu_clock = std::string(argv[i + 1]) == "cpu";
    if (flag == "--set") options.instruction_set = instruction_set_named(argv[i + 1]);
  }
  if (!options.instruction_set) {
    std::fprintf(stderr, "--set names no instruction set\n");
    return 2;
  }
  std::printf("%d threads, FMA peak %.1f GFLOP/s, read bandwidth %.1f GB/s\n",
              parallel::ThreadPool::process().threads(), measured_flops_per_second() * 1e-9,
              measured_bytes_per_second() * 1e-9);
  std::vector<Figures> all;
  for (const BenchCase& c : kCases) {
    if (std::string(c.name).find(only) == std::string::npos) continue;
    all.push_back(measure(c, rounds, options));
    print(all.back());
  }
  if (json != nullptr) write_json(json, all);
  return 0;
}

}  // namespace
}  // namespace whereof

int main(int argc, char** argv) { return whereof::run_bench(argc, argv); }
