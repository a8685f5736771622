// AVX-512 with bf16, and the products of many-row blocks on the tiles of AMX.
//
// The instructions stand in assembler of our own: GCC 12's intrinsics take literal tile numbers
// only, tell the optimiser that ldtilecfg reads 8 of its 64 bytes, and do not say that tileloadd
// reads memory.
#include "kernels/amx/simd_amx.h"
#include "kernels/fill_kernel_set.h"
#include "kernels/kernel_tables.h"

namespace whereof::kernels {
namespace {

struct Amx {
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

}  // namespace

constinit const KernelSet kAmxKernels =
    kernel_set_with_tiles<AmxVectors, Amx>(InstructionSet::amx, {.rows = 96, .keys = 64});

}  // namespace whereof::kernels
