#include "cpu/tile_permission.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace whereof::cpu {
namespace {

constexpr std::uint32_t kAmxBf16 = 1U << 22;
constexpr std::uint32_t kAmxTile = 1U << 24;
constexpr std::uint64_t kTileState = std::uint64_t{3} << 17;

bool ask_kernel_for_tile_data() noexcept {
#if defined(__x86_64__) && defined(__linux__)
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

TileSupport TileSupport::of_this_machine() noexcept {
  TileSupport support;
#if defined(__x86_64__)
  constexpr unsigned kSavesWideState = 1U << 27;  // OSXSAVE: xgetbv may be executed
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSavesWideState) == 0) return support;
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  support.saved_state = std::uint64_t{high} << 32 | low;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) support.features = d;
  if (__get_cpuid_count(29, 1, &a, &b, &c, &d) != 0) {
    support.tile_names = b >> 16;
    support.row_bytes = b & 0xffffU;
    support.tile_rows = c & 0xffffU;
  }
#endif
  support.ask_kernel = ask_kernel_for_tile_data;
  return support;
}

bool may_use_tiles(const TileSupport& support) noexcept {
  constexpr std::uint32_t kFeatures = kAmxTile | kAmxBf16;
  const bool has_tiles = (support.features & kFeatures) == kFeatures && support.tile_names >= 8 &&
                         support.tile_rows >= 16 && support.row_bytes >= 64;
  const bool is_saved = (support.saved_state & kTileState) == kTileState;
  return has_tiles && is_saved && support.ask_kernel != nullptr && support.ask_kernel();
}

}  // namespace whereof::cpu
