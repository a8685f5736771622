// The tile unit of AMX as it is. Its user has asked can_run(InstructionSet::amx) before.
//
// The instructions stand in assembler of our own: GCC 12's intrinsics take literal tile numbers
// only, tell the optimiser that ldtilecfg reads 8 of its 64 bytes, and do not say that tileloadd
// reads memory.
//
// The unnamed namespace is meant: each folder that includes this gets symbols of its own.
#ifndef WHEREOF_TILES_AMX_TILES_H_
#define WHEREOF_TILES_AMX_TILES_H_

#include "tiles/tile_unit.h"

namespace whereof::tiles {
namespace {

struct AmxTiles {
  static void configure(const TileConfiguration& configuration) noexcept {
    asm volatile("ldtilecfg %0" : : "m"(configuration));
  }
  static void release() noexcept { asm volatile("tilerelease"); }
  template <int kTile>
  static void zero() noexcept {
    asm volatile("tilezero %%tmm%c0" : : "i"(kTile));
  }
  template <int kTile>
  static void load(const float* from, std::int64_t stride_bytes) noexcept {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2"
                 :
                 : "r"(from), "r"(stride_bytes), "i"(kTile)
                 : "memory");
  }
  template <int kTile>
  static void store(float* to, std::int64_t stride_bytes) noexcept {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)"
                 :
                 : "r"(to), "r"(stride_bytes), "i"(kTile)
                 : "memory");
  }
  template <int kSum, int kLines, int kPanel>
  static void dot() noexcept {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSum), "i"(kLines), "i"(kPanel));
  }
};

static_assert(TileUnit<AmxTiles>);

}  // namespace
}  // namespace whereof::tiles

#endif  // WHEREOF_TILES_AMX_TILES_H_
