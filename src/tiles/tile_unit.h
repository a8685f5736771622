// A unit that multiplies tiles: eight registers of 16 rows x 64 bytes, as AMX has them (Intel,
// "Architecture Instruction Set Extensions Programming Reference", chapter 3). Products on tiles
// are templates over a type that models TileUnit: the instructions (amx_tiles.h), or plain C++ that
// does the same, which lets them be tested on any machine.
#ifndef WHEREOF_TILES_TILE_UNIT_H_
#define WHEREOF_TILES_TILE_UNIT_H_

#include <cstdint>

namespace whereof::tiles {

constexpr int kTiles = 8;
constexpr int kTileLines = 16;  // rows of a tile
constexpr int kTileWords = 16;  // words of a row: floats, or pairs of bf16

// The operand of ldtilecfg.
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 0;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfiguration) == 64);

constexpr TileConfiguration all_tiles_whole() {
  TileConfiguration configuration;
  configuration.palette = 1;
  for (int tile = 0; tile < kTiles; ++tile) {
    configuration.row_bytes[tile] = kTileWords * 4;
    configuration.rows[tile] = kTileLines;
  }
  return configuration;
}
constexpr TileConfiguration kAllTilesWhole = all_tiles_whole();

// Row r of a tile lies at from + r * stride, the stride in bytes. dot<C, A, B> is
//   C[m][n] += sum over k of A[m][k].low * B[k][n].low + A[m][k].high * B[k][n].high
// with A and B of bf16 pairs and C of floats.
template <typename U>
concept TileUnit = requires(const TileConfiguration& configuration, const float* from, float* to,
                            std::int64_t stride_bytes) {
  U::configure(configuration);  // zeroes all tiles
  U::release();
  U::template zero<0>();
  U::template load<4>(from, stride_bytes);
  U::template dot<0, 4, 6>();
  U::template store<0>(to, stride_bytes);
};

}  // namespace whereof::tiles

#endif  // WHEREOF_TILES_TILE_UNIT_H_
