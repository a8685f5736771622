// What one architecture does differently from the common decoder: one file a family.
//
// The common decoder: pre-norm layers of grouped-head attention with rotary positions and a SwiGLU
// feed-forward, RMS norms, a residual stream, an output head that may be the embedding.
#ifndef WHEREOF_MODEL_FAMILIES_FAMILY_H_
#define WHEREOF_MODEL_FAMILIES_FAMILY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "whereof/rotary.h"

namespace whereof::model {

// Of the feed-forward gate.
enum class Activation {
  silu,  // SwiGLU
  gelu,  // GeGLU, the Gaussian error function approximated by tanh
};

struct Family {
  std::string_view architecture;  // general.architecture of the file
  RotaryPairing pairing = RotaryPairing::halves;
  Activation activation = Activation::silu;
  bool has_projection_biases = false;  // attn_{q,k,v}.bias
  bool has_head_norms = false;         // attn_{q,k}_norm: of each query head and each key head
  bool has_post_norms = false;         // post_{attention,ffw}_norm: before the residual sum
  bool has_fused_projections = false;  // attn_qkv: query, key, value; ffn_up: gate, up
  bool has_scaled_embedding = false;   // times sqrt(width)
  bool has_window = false;             // layers may see only attention.sliding_window keys
  std::int64_t full_layer_period = 0;  // each n-th layer has no window; 0: all have it
  std::int64_t default_window = 0;     // where the file names none; 0: no window then
  double default_score_soft_cap = 0;   // where the file names none; 0: none then; so the next
  double default_logit_soft_cap = 0;
  double window_rope_base = 0;             // of windowed layers, and unscaled; 0: as the others
  std::int64_t layers_of_width_scale = 0;  // a model of so many layers scales its scores by
                                           // 1 / sqrt(width / query_heads), not by its head_dim
};

extern const Family kGemma2;
extern const Family kGemma3;
extern const Family kLlama;
extern const Family kPhi3;
extern const Family kQwen2;
extern const Family kQwen3;

// Null when the architecture is not supported.
const Family* find_family(std::string_view architecture) noexcept;
// "gemma2, gemma3, ...", for messages.
std::string supported_architectures();

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_FAMILIES_FAMILY_H_
