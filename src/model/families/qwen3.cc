#include "model/families/family.h"

namespace whereof::model {

// Qwen3 (arXiv 2505.09388): norms on query and key heads in place of Qwen2's biases.
const Family kQwen3 = {
    .architecture = "qwen3",
    .has_head_norms = true,
};

}  // namespace whereof::model
