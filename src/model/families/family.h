// What one architecture does differently from the common decoder: one file a family.
//
// The common decoder: pre-norm layers of grouped-head attention with rotary positions and a SwiGLU
// feed-forward, RMS norms, a residual stream, an output head that may be the embedding.
#ifndef WHEREOF_MODEL_FAMILIES_FAMILY_H_
#define WHEREOF_MODEL_FAMILIES_FAMILY_H_

#include <string_view>

#include "whereof/rotary.h"

namespace whereof::model {

struct Family {
  std::string_view architecture;  // general.architecture of the file
  RotaryPairing pairing;
  bool has_projection_biases;  // attn_{q,k,v}.bias
};

extern const Family kLlama;
extern const Family kQwen2;

// Null when the architecture is not supported.
const Family* find_family(std::string_view architecture) noexcept;

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_FAMILIES_FAMILY_H_
