// Whether this process may use the tile registers of AMX. A processor that lists them is not
// enough: the operating system must save them, and Linux gives them only to a process that has
// asked (Documentation/arch/x86/xstate.rst); without that the first tile instruction ends the
// process.
#ifndef WHEREOF_CPU_TILE_PERMISSION_H_
#define WHEREOF_CPU_TILE_PERMISSION_H_

#include <cstdint>

namespace whereof::cpu {

// What processor and operating system say of tiles.
struct TileSupport {
  std::uint32_t features = 0;     // CPUID leaf 7, EDX: bit 22 AMX-BF16, bit 24 AMX-TILE
  std::uint32_t tile_names = 0;   // CPUID leaf 29, palette 1: how many tiles,
  std::uint32_t tile_rows = 0;    //   their rows,
  std::uint32_t row_bytes = 0;    //   and the bytes of a row
  std::uint64_t saved_state = 0;  // XCR0: bit 17 tile configuration, bit 18 tile data
  // Asks the kernel for tile data; false where it refuses. Called only where all else is there.
  bool (*ask_kernel)() noexcept = nullptr;

  static TileSupport of_this_machine() noexcept;
};

// True where the kernels' tiles (eight of 16 rows x 64 bytes) can be used from now on.
bool may_use_tiles(const TileSupport& support) noexcept;

}  // namespace whereof::cpu

#endif  // WHEREOF_CPU_TILE_PERMISSION_H_
