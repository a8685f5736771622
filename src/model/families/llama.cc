#include "model/families/family.h"

namespace whereof::model {

// Touvron et al. 2023 and what follows it (SmolLM2, TinyLlama, Mistral). The converter to GGUF
// permutes the rows of the query and key projections so that rotated pairs are neighbours.
const Family kLlama = {
    .architecture = "llama",
    .pairing = RotaryPairing::interleaved,
    .has_projection_biases = false,
};

}  // namespace whereof::model
