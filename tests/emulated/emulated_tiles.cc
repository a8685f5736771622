#include "emulated/emulated_tiles.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace whereof::emulated {
namespace {

using tiles::kTileLines;
using tiles::kTiles;
using tiles::kTileWords;
using tiles::TileConfiguration;

constexpr int kRowBytes = 4 * kTileWords;

struct Unit {
  TileConfiguration configuration;  // palette 0: none
  unsigned char tiles[kTiles][kTileLines][kRowBytes] = {};
};
thread_local Unit unit;

void fault_unless(bool is_fine, const char* wanted) noexcept {
  if (is_fine) return;
  std::fprintf(stderr, "emulated tile unit: %s\n", wanted);
  std::abort();
}

int rows_of(int tile) { return unit.configuration.rows[tile]; }
int bytes_of(int tile) { return unit.configuration.row_bytes[tile]; }

void fault_unless_configured(int tile) noexcept {
  fault_unless(unit.configuration.palette == 1 && rows_of(tile) > 0 && bytes_of(tile) > 0,
               "a tile is used that is not configured");
}

float flushed(float x) noexcept {
  return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}

// Element `half` (0 low, 1 high) of a word of a tile.
float element(int tile, int row, int word, int half) noexcept {
  std::uint16_t bits;
  std::memcpy(&bits, unit.tiles[tile][row] + 4 * word + 2 * half, sizeof bits);
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float x;
  std::memcpy(&x, &wide, sizeof x);
  return flushed(x);
}

}  // namespace

void EmulatedTiles::configure(const TileConfiguration& configuration) noexcept {
  fault_unless(configuration.palette == 1 && configuration.start_row == 0,
               "wanted palette 1 and start row 0");
  for (const std::uint8_t byte : configuration.reserved) {
    fault_unless(byte == 0, "reserved bytes of the configuration must be zero");
  }
  for (int tile = 0; tile < 16; ++tile) {
    const int rows = configuration.rows[tile], bytes = configuration.row_bytes[tile];
    fault_unless(rows <= kTileLines && bytes <= kRowBytes && (rows == 0) == (bytes == 0) &&
                     (tile < kTiles || rows == 0),
                 "wanted up to 16 rows of up to 64 bytes for each of eight tiles");
  }
  unit = Unit{};
  unit.configuration = configuration;
}

void EmulatedTiles::release() noexcept { unit = Unit{}; }

bool EmulatedTiles::is_configured() noexcept { return unit.configuration.palette != 0; }

void EmulatedTiles::zero_tile(int tile) noexcept {
  fault_unless_configured(tile);
  std::memset(unit.tiles[tile], 0, sizeof unit.tiles[tile]);
}

void EmulatedTiles::load_tile(int tile, const float* from, std::int64_t stride_bytes) noexcept {
  zero_tile(tile);
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  for (int row = 0; row < rows_of(tile); ++row) {
    std::memcpy(unit.tiles[tile][row], bytes + row * stride_bytes,
                static_cast<std::size_t>(bytes_of(tile)));
  }
}

void EmulatedTiles::store_tile(int tile, float* to, std::int64_t stride_bytes) noexcept {
  fault_unless_configured(tile);
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  for (int row = 0; row < rows_of(tile); ++row) {
    std::memcpy(bytes + row * stride_bytes, unit.tiles[tile][row],
                static_cast<std::size_t>(bytes_of(tile)));
  }
}

void EmulatedTiles::dot_tiles(int sum, int lines, int panel) noexcept {
  for (const int tile : {sum, lines, panel}) fault_unless_configured(tile);
  fault_unless(rows_of(sum) == rows_of(lines) && bytes_of(sum) == bytes_of(panel) &&
                   bytes_of(lines) == 4 * rows_of(panel),
               "the shapes of C, A and B disagree");
  const int columns = bytes_of(sum) / 4, depth = rows_of(panel);
  float panel_halves[2][kTileLines][kTileWords];
  for (int k = 0; k < depth; ++k) {
    for (int n = 0; n < columns; ++n) {
      panel_halves[0][k][n] = element(panel, k, n, 0);
      panel_halves[1][k][n] = element(panel, k, n, 1);
    }
  }
  for (int m = 0; m < rows_of(sum); ++m) {
    float sums[2][kTileWords] = {};
    for (int k = 0; k < depth; ++k) {
      for (int half = 0; half < 2; ++half) {
        const float factor = element(lines, m, k, half);
        for (int n = 0; n < columns; ++n) {
          sums[half][n] = flushed(sums[half][n] + factor * panel_halves[half][k][n]);
        }
      }
    }
    float row[kTileWords];
    std::memcpy(row, unit.tiles[sum][m], sizeof row);
    for (int n = 0; n < columns; ++n) {
      row[n] = flushed(flushed(row[n]) + flushed(sums[0][n] + sums[1][n]));
    }
    std::memcpy(unit.tiles[sum][m], row, sizeof row);
  }
}

}  // namespace whereof::emulated
