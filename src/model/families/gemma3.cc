#include "model/families/family.h"

namespace whereof::model {

// Gemma 3 (arXiv 2503.19786): Gemma 2 with norms on query and key heads in place of the soft cap of
// the scores, and five windowed layers to one that sees everything; these rotate by a base of their
// own, which no file of the first converters names. The 27B has 62 layers.
const Family kGemma3 = {
    .architecture = "gemma3",
    .activation = Activation::gelu,
    .has_head_norms = true,
    .has_post_norms = true,
    .has_scaled_embedding = true,
    .has_window = true,
    .full_layer_period = 6,
    .window_rope_base = 10000,
    .layers_of_width_scale = 62,
};

}  // namespace whereof::model
