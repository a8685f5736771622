// Compiled with the flags of AVX-512 with BF16: reached only where these run.
#include "emulated/emulated_tiles.h"
#include "linear/avx512_bf16/pair_sink.h"
#include "linear/emulated_tile_kernels.h"
#include "linear/row_functions.h"
#include "linear/row_product.h"
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

constexpr LinearKernels kAvx512 = {
    .set = InstructionSet::amx,
    .group_rows = Tiles::kGroup,
    .group_bytes = Tiles::group_bytes,
    .pack_group = Tiles::pack_group,
    .panel_scratch_bytes = Tiles::panel_scratch_bytes,
    .multiply_panel = Tiles::multiply_panel,
    .quantise_row = quantise_row_plain,
    .multiply_rows = multiply_rows_plain,
    .rms_norm = rms_norm_plain,
    .swiglu = swiglu_plain,
    .geglu = geglu_plain,
    .soft_cap = soft_cap_plain,
};

}  // namespace

const LinearKernels* emulated_tile_kernels_avx512() { return &kAvx512; }

}  // namespace whereof::tests
