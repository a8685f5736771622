#include "model/families/family.h"

namespace whereof::model {

// Gemma 2 (arXiv 2408.00118): norms before and after each sublayer, GeGLU, soft caps, a window in
// every other layer, the first included. The converter to GGUF adds the 1 of "1 + weight" to the
// norms. The 27B (46 layers) alone scales scores by width / heads, which no key of its file says.
const Family kGemma2 = {
    .architecture = "gemma2",
    .activation = Activation::gelu,
    .has_post_norms = true,
    .has_scaled_embedding = true,
    .has_window = true,
    .full_layer_period = 2,
    .default_window = 4096,
    .default_score_soft_cap = 50,
    .default_logit_soft_cap = 30,
    .layers_of_width_scale = 46,
};

}  // namespace whereof::model
