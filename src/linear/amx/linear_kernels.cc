// AMX: prefill multiplies tiles of bf16 pairs; all else is that of AVX-512 with BF16 and VNNI.
#include "linear/linear_kernels.h"

#include "linear/avx512/row_product_avx512.h"
#include "linear/avx512_bf16/pair_sink.h"
#include "linear/row_functions.h"
#include "linear/row_product.h"
#include "linear/tile_panel_product.h"
#include "tiles/amx_tiles.h"

namespace whereof::linear {
namespace {

struct AmxPanels : Avx512Panels<Bf16Sink, tiles::kTileWords> {
  using Element = Bf16Sink::Element;
  static constexpr std::int64_t kDepth = Bf16Sink::kDepth;
  static constexpr int kTileRows = tiles::kTileLines;
};

using Product = PanelProduct<AmxPanels, UnitTiles<AmxPanels, tiles::AmxTiles>>;

}  // namespace

const LinearKernels kAmxKernels = {
    .set = InstructionSet::amx,
    .group_rows = Product::kGroup,
    .group_bytes = Product::group_bytes,
    .pack_group = Product::pack_group,
    .panel_scratch_bytes = Product::panel_scratch_bytes,
    .multiply_panel = Product::multiply_panel,
    .quantise_row = quantise_row_plain,
    .multiply_rows = multiply_rows_avx512<VnniBytes>,
    .rms_norm = rms_norm_plain,
    .swiglu = swiglu_plain,
    .geglu = geglu_plain,
    .soft_cap = soft_cap_plain,
};

}  // namespace whereof::linear
