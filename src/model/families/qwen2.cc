#include "model/families/family.h"

namespace whereof::model {

// Qwen2 and Qwen2.5: biases on query, key and value; rotated pairs stand half a head apart.
const Family kQwen2 = {
    .architecture = "qwen2",
    .has_projection_biases = true,
};

}  // namespace whereof::model
