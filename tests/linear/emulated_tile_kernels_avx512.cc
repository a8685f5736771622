// Compiled with the flags of AVX-512 with BF16: reached only where these run.
#include "emulated/emulated_tiles.h"
#include "linear/avx512_bf16/pair_sink.h"
#include "linear/emulated_tile_kernels.h"
#include "linear/fill_linear_kernels.h"
#include "linear/tile_panel_product.h"

namespace whereof::tests {

using namespace linear;
namespace {

struct PairPanels : Avx512Panels<Bf16Sink, tiles::kTileWords> {
  using Element = Bf16Sink::Element;
  static constexpr std::int64_t kDepth = Bf16Sink::kDepth;
  static constexpr int kTileRows = tiles::kTileLines;
};

using Tiles = PanelProduct<PairPanels, UnitTiles<PairPanels, emulated::EmulatedTiles>>;

constexpr LinearKernels kAvx512 =
    linear_kernels_with<Tiles>(InstructionSet::amx, multiply_rows_plain);

}  // namespace

const LinearKernels* emulated_tile_kernels_avx512() { return &kAvx512; }

}  // namespace whereof::tests
