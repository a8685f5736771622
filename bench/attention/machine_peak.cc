#include "attention/machine_peak.h"

#include <cstdint>
#include <numeric>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "attention/stopwatch.h"
#include "parallel/thread_pool.h"

namespace whereof::bench {
namespace {

constexpr std::int64_t kSteps = 4'000'000;
// Independent sums hide the latency of an operation: at most 2 a cycle, at most 6 cycles each.
constexpr int kSums = 12;
constexpr std::int64_t kWords = std::int64_t{48} << 20;  // of 8 bytes: 384 MiB
constexpr std::int64_t kPieces = 64;
constexpr int kStreams = 4;

volatile float float_sink = 0;
volatile std::uint64_t word_sink = 0;

#if defined(__x86_64__)

// Each returns the FLOPs that it did.
__attribute__((target("avx512f"))) double multiply_adds_512(std::int64_t steps) {
  __m512 sums[kSums];
  for (auto& sum : sums) sum = _mm512_set1_ps(1.0F);
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) float_sink = float_sink + _mm512_cvtss_f32(sum);
  return static_cast<double>(steps) * kSums * 16 * 2;
}

__attribute__((target("avx2,fma"))) double multiply_adds_256(std::int64_t steps) {
  __m256 sums[kSums];
  for (auto& sum : sums) sum = _mm256_set1_ps(1.0F);
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  }
  for (auto& sum : sums) float_sink = float_sink + _mm256_cvtss_f32(sum);
  return static_cast<double>(steps) * kSums * 8 * 2;
}

__attribute__((target("avx512f,avx512bf16"))) double bf16_dots(std::int64_t steps) {
  __m512 sums[kSums];
  for (auto& sum : sums) sum = _mm512_setzero_ps();
  const __m512bh factor = (__m512bh)_mm512_set1_epi16(0x3c00);  // 2^-7
  for (std::int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm512_dpbf16_ps(sum, factor, factor);
  }
  for (auto& sum : sums) float_sink = float_sink + _mm512_cvtss_f32(sum);
  return static_cast<double>(steps) * kSums * 32 * 2;
}

// The configuration that ldtilecfg reads: all 64 bytes.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Two by two products, as a kernel has them: four sums hide the latency of a tile product.
__attribute__((target("amx-tile,amx-bf16"))) double tile_products(std::int64_t steps) {
  const TileShapes shapes;
  // GCC 12 believes that the intrinsic reads 8 bytes; the barrier keeps all 64.
  __asm__ volatile("" : : "r"(&shapes) : "memory");
  _tile_loadconfig(&shapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
  for (std::int64_t i = 0; i < steps; ++i) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  return static_cast<double>(steps) * 4 * (16 * 16 * 32 * 2);
}

__attribute__((target("avx2"))) std::uint64_t read_streams_256(const std::uint64_t* from,
                                                               std::int64_t words) {
  const std::int64_t stream = words / kStreams;
  __m256i sums[kStreams * 2] = {};
  for (std::int64_t i = 0; i < stream; i += 8) {
#pragma GCC unroll 4
    for (int s = 0; s < kStreams; ++s) {
      const auto* at = reinterpret_cast<const __m256i*>(from + s * stream + i);
      sums[2 * s] = _mm256_add_epi64(sums[2 * s], _mm256_loadu_si256(at));
      sums[2 * s + 1] = _mm256_add_epi64(sums[2 * s + 1], _mm256_loadu_si256(at + 1));
    }
  }
  __m256i total = sums[0];
  for (int s = 1; s < kStreams * 2; ++s) total = _mm256_add_epi64(total, sums[s]);
  return static_cast<std::uint64_t>(_mm256_extract_epi64(total, 0));
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
  for (const float sum : sums) float_sink = float_sink + sum;
  return static_cast<double>(steps) * 16 * 2;
}

std::uint64_t read_streams(const std::uint64_t* from, std::int64_t words) {
#if defined(__x86_64__)
  if (can_run(InstructionSet::avx2)) return read_streams_256(from, words);
#endif
  const std::int64_t stream = words / kStreams;
  std::uint64_t sums[kStreams] = {};
  for (std::int64_t i = 0; i < stream; ++i) {
    for (int s = 0; s < kStreams; ++s) sums[s] += from[s * stream + i];
  }
  return std::accumulate(sums, sums + kStreams, std::uint64_t{0});
}

double flops_of(Peak peak) {
#if defined(__x86_64__)
  if (peak == Peak::bf16_dot) return bf16_dots(kSteps);
  if (peak == Peak::bf16_tiles) return tile_products(kSteps / 8);
#endif
  return multiply_adds(kSteps);
}

double flops_per_second(Peak peak, int threads) {
  std::vector<double> flops(static_cast<std::size_t>(threads));
  const double begin = seconds_now(threads);
  parallel::ThreadPool::process().for_each(threads, threads, [&](std::int64_t item, int) {
    flops[static_cast<std::size_t>(item)] = flops_of(peak);
  });
  const double elapsed = seconds_now(threads) - begin;
  return std::accumulate(flops.begin(), flops.end(), 0.0) / elapsed;
}

double bytes_per_second(int threads) {
  static const std::vector<std::uint64_t> words(static_cast<std::size_t>(kWords), 1);
  const double begin = seconds_now(threads);
  parallel::ThreadPool::process().for_each(kPieces, threads, [&](std::int64_t piece, int) {
    constexpr std::int64_t kLength = kWords / kPieces;
    word_sink = word_sink + read_streams(words.data() + piece * kLength, kLength);
  });
  return static_cast<double>(kWords) * 8 / (seconds_now(threads) - begin);
}

}  // namespace

std::string_view name_of(Peak peak) {
  switch (peak) {
    case Peak::multiply_add_f32:
      return "fma_f32";
    case Peak::bf16_dot:
      return "bf16_dot";
    case Peak::bf16_tiles:
      return "bf16_tiles";
    case Peak::read_bandwidth:
      return "read_bandwidth";
  }
  return "";
}

Peak peak_of(const BenchCase& bench_case, InstructionSet set) {
  if (bench_case.is_decode()) return Peak::read_bandwidth;
  if (bench_case.dtype() != "bf16") return Peak::multiply_add_f32;
  if (set == InstructionSet::amx) return Peak::bf16_tiles;
  return set == InstructionSet::avx512_bf16 ? Peak::bf16_dot : Peak::multiply_add_f32;
}

double measured(Peak peak, int threads) {
  if (peak == Peak::read_bandwidth) return bytes_per_second(threads);
  return flops_per_second(peak, threads);
}

}  // namespace whereof::bench
