// AMX: prefill multiplies tiles of bf16 pairs; all else is that of AVX-512 with BF16 and VNNI.
#include "linear/linear_kernels.h"

#include "linear/avx512/row_product_avx512.h"
#include "linear/avx512_bf16/pair_sink.h"
#include "linear/fill_linear_kernels.h"
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

constinit const LinearKernels kAmxKernels =
    linear_kernels_with<Product>(InstructionSet::amx, multiply_rows_avx512<VnniBytes>);

}  // namespace whereof::linear
