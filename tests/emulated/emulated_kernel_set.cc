#include "emulated/emulated_kernel_set.h"

#include <cmath>
#include <cstring>

#include "emulated/emulated_tiles.h"
#include "kernels/fill_kernel_set.h"
#include "kernels/portable/simd_portable.h"
#include "numeric/half.h"

namespace whereof::kernels {
namespace {

struct PortablePairs : Portable {
  static Vector dot_pairs(Vector a, Vector b, Vector sum) noexcept {
    return sum + widen_high(a) * widen_high(b) + widen_low(a) * widen_low(b);
  }
  static Vector pairs_of(Vector low, Vector high) noexcept {
    std::uint16_t halves[2 * kLanes];
    for (int i = 0; i < kLanes; ++i) {
      halves[2 * i] = numeric::bf16_of_float(low[i]);
      halves[2 * i + 1] = numeric::bf16_of_float(high[i]);
    }
    return words(halves);
  }
  static Vector load_integer_pairs(const std::int8_t* from) noexcept {
    std::uint16_t halves[2 * kLanes];
    for (int i = 0; i < 2 * kLanes; ++i) {
      halves[i] = static_cast<std::uint16_t>(std::int16_t{from[i]});
    }
    return words(halves);
  }
  static Vector dot_integer_pairs(Vector a, Vector b, Vector sum) noexcept {
    std::int16_t x[2 * kLanes], y[2 * kLanes];
    std::int32_t sums[kLanes];
    std::memcpy(x, &a, sizeof a);
    std::memcpy(y, &b, sizeof b);
    std::memcpy(sums, &sum, sizeof sum);
    for (int i = 0; i < 2 * kLanes; ++i) sums[i / 2] += x[i] * y[i];
    std::memcpy(&sum, sums, sizeof sum);
    return sum;
  }
  static Vector floats_of_integers(Vector v) noexcept {
    std::int32_t integers[kLanes];
    std::memcpy(integers, &v, sizeof v);
    for (int i = 0; i < kLanes; ++i) v[i] = static_cast<float>(integers[i]);
    return v;
  }
  static void store_integers(std::uint16_t* to, Vector v) noexcept {
    for (int i = 0; i < kLanes; ++i) {
      to[i] = static_cast<std::uint16_t>(static_cast<std::int16_t>(std::nearbyint(v[i])));
    }
  }
  static Vector interleave(const std::uint16_t* low, const std::uint16_t* high) noexcept {
    std::uint16_t halves[2 * kLanes];
    for (int i = 0; i < kLanes; ++i) {
      halves[2 * i] = low[i];
      halves[2 * i + 1] = high[i];
    }
    return words(halves);
  }
  static constexpr int element_of_pair(int v, int lane) noexcept { return v * kLanes + lane; }
  static void pair_up(Vector low, Vector high, Vector* to) noexcept {
    std::uint16_t lows[2 * kLanes], highs[2 * kLanes];
    std::memcpy(lows, &low, sizeof low);
    std::memcpy(highs, &high, sizeof high);
    to[0] = interleave(lows, highs);
    to[1] = interleave(lows + kLanes, highs + kLanes);
  }
  static void store_bf16(std::uint16_t* to, Vector v) noexcept {
    for (int i = 0; i < kLanes; ++i) to[i] = numeric::bf16_of_float(v[i]);
  }
  static void transpose(Vector* rows) noexcept {
    float square[kLanes][kLanes];
    std::memcpy(square, rows, sizeof square);
    for (int i = 0; i < kLanes; ++i) {
      rows[i] = Vector{square[0][i], square[1][i], square[2][i], square[3][i]};
    }
  }

 private:
  static Vector words(const std::uint16_t* halves) noexcept {
    Vector v;
    std::memcpy(&v, halves, sizeof v);
    return v;
  }
};

constexpr KernelSet kTileKernels = kernel_set_with_tiles<PortablePairs, emulated::EmulatedTiles>(
    InstructionSet::amx, {.rows = 32, .keys = 64});

}  // namespace
}  // namespace whereof::kernels

namespace whereof::emulated {

const kernels::KernelSet& portable_tile_kernels() { return kernels::kTileKernels; }

#if !defined(__x86_64__)
const kernels::KernelSet* avx512_tile_kernels() { return nullptr; }
#endif

const kernels::KernelSet& tile_kernels() {
  return can_run(InstructionSet::avx512_bf16) ? *avx512_tile_kernels() : portable_tile_kernels();
}

}  // namespace whereof::emulated
