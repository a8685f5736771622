#include "model/families/family.h"

namespace whereof::model {

// Touvron et al. 2023 and what follows it: Llama 2 and 3, SmolLM2, TinyLlama, Mistral. The
// converter to GGUF permutes the rows of the query and key projections so that rotated pairs are
// neighbours. Where a file names a window (the first Mistral: 4,096), all layers have it.
const Family kLlama = {
    .architecture = "llama",
    .pairing = RotaryPairing::interleaved,
    .has_window = true,
};

}  // namespace whereof::model
