#include "model/families/family.h"

namespace whereof::model {

// Phi-3 and Phi-4 (arXiv 2404.14219): fused projections; in the long variants each pair's rotation
// is divided by a factor of its own. A window, where the file names one, is that of all layers.
const Family kPhi3 = {
    .architecture = "phi3",
    .has_fused_projections = true,
    .has_window = true,
};

}  // namespace whereof::model
