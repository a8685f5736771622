// The sizes of a transformer, read from a GGUF file's metadata and checked.
#ifndef WHEREOF_MODEL_HYPERPARAMETERS_H_
#define WHEREOF_MODEL_HYPERPARAMETERS_H_

#include <cstdint>
#include <vector>

#include "model/families/family.h"
#include "model/rotary_scaling.h"
#include "whereof/gguf.h"

namespace whereof::model {

struct Hyperparameters {
  const Family* family = nullptr;
  std::int64_t layers = 0;
  std::int64_t width = 0;
  std::int64_t feed_forward_width = 0;
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t rotary_dim = 0;
  std::int64_t window_tokens = 0;  // positions that the model can tell apart
  double rope_base = 0;
  double window_rope_base = 0;  // of layers with a window
  RotaryScaling rotary_scaling;
  float norm_epsilon = 0;
  float embedding_scale = 1;
  float score_scale = 0;
  float score_soft_cap = 0;  // 0: none; so the next
  float logit_soft_cap = 0;
  std::int64_t attention_window = 0;  // keys that a row of a layer with a window sees
  std::vector<bool> has_window;       // [layers]

  std::int64_t query_width() const noexcept { return query_heads * head_dim; }
  std::int64_t kv_width() const noexcept { return kv_heads * head_dim; }
  // Of a layer, in a context of `capacity` positions.
  RotaryThetas rotary_thetas_of(std::int64_t layer, std::int64_t capacity) const;
};

// Throws Error(unsupported) naming an architecture, rope scaling, expert count or attention window
// that is not handled, and Error(bad_model) naming a key that is missing or out of range.
Hyperparameters read_hyperparameters(const GgufFile& file);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_HYPERPARAMETERS_H_
