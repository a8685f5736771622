// The tile unit of AMX in plain C++, for machines without one. It does what the instructions do
// (Intel, "Architecture Instruction Set Extensions Programming Reference", chapter 3), faults
// included: those end the process with one line.
//
//   LDTILECFG   palette 1; rows and bytes of a row for each of eight tiles; all tiles become zero
//   TILELOADD   row r from base + r * stride bytes; bytes and rows beyond the configuration are
//   zero TILESTORED  the configured rows and bytes, nothing else TDPBF16PS   for each row m and
//   column n of C, with two running sums that start at zero:
//                 even = even + A[m][k].low * B[k][n].low,  odd = odd + A[m][k].high * B[k][n].high
//                 C[m][n] = C[m][n] + (even + odd)
//               k ascending, each step rounded once to nearest even, subnormal inputs taken as zero
//               and subnormal results made zero, whatever the floating-point environment says
//
// The product of two bf16 numbers is exact in f32, so that a multiplication and an addition round
// as the fused operation does; only where it leaves the range of f32 (over 2^128, or under 2^-126
// next to a running sum that is no larger) do the two differ.
#ifndef WHEREOF_TESTS_EMULATED_EMULATED_TILES_H_
#define WHEREOF_TESTS_EMULATED_EMULATED_TILES_H_

#include <cstdint>

#include "tiles/tile_unit.h"

namespace whereof::emulated {

class EmulatedTiles {
 public:
  static void configure(const tiles::TileConfiguration& configuration) noexcept;
  static void release() noexcept;
  template <int kTile>
  static void zero() noexcept {
    zero_tile(kTile);
  }
  template <int kTile>
  static void load(const float* from, std::int64_t stride_bytes) noexcept {
    load_tile(kTile, from, stride_bytes);
  }
  template <int kTile>
  static void store(float* to, std::int64_t stride_bytes) noexcept {
    store_tile(kTile, to, stride_bytes);
  }
  template <int kSum, int kLines, int kPanel>
  static void dot() noexcept {
    static_assert(kSum != kLines && kSum != kPanel && kLines != kPanel);  // else #UD
    dot_tiles(kSum, kLines, kPanel);
  }

  // Whether this thread's tiles are configured; kernels leave them released.
  static bool is_configured() noexcept;

 private:
  static void zero_tile(int tile) noexcept;
  static void load_tile(int tile, const float* from, std::int64_t stride_bytes) noexcept;
  static void store_tile(int tile, float* to, std::int64_t stride_bytes) noexcept;
  static void dot_tiles(int sum, int lines, int panel) noexcept;
};
static_assert(tiles::TileUnit<EmulatedTiles>);

}  // namespace whereof::emulated

#endif  // WHEREOF_TESTS_EMULATED_EMULATED_TILES_H_
