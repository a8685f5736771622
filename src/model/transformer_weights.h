// The tensors of a transformer, found in a GGUF file and checked against its hyperparameters.
#ifndef WHEREOF_MODEL_TRANSFORMER_WEIGHTS_H_
#define WHEREOF_MODEL_TRANSFORMER_WEIGHTS_H_

#include <vector>

#include "linear/multiply.h"
#include "model/hyperparameters.h"
#include "whereof/gguf.h"

namespace whereof::model {

struct LayerWeights {
  std::vector<float> attention_norm;     // [width]
  std::vector<float> feed_forward_norm;  // [width]
  // Empty where the family has none: of each head [head_dim], before the residual sums [width].
  std::vector<float> query_norm;
  std::vector<float> key_norm;
  std::vector<float> post_attention_norm;
  std::vector<float> post_feed_forward_norm;
  linear::WeightMatrix query;     // [query_width, width]
  linear::WeightMatrix key;       // [kv_width, width]
  linear::WeightMatrix value;     // [kv_width, width]
  std::vector<float> query_bias;  // [query_width], or empty; so the next two
  std::vector<float> key_bias;
  std::vector<float> value_bias;
  linear::WeightMatrix attention_output;  // [width, query_width]
  linear::WeightMatrix gate;              // [feed_forward_width, width]
  linear::WeightMatrix up;                // [feed_forward_width, width]
  linear::WeightMatrix down;              // [width, feed_forward_width]
};

// Matrices are views of the file's mapping; vectors are copies.
struct TransformerWeights {
  linear::WeightMatrix embedding;  // [vocabulary, width]
  linear::WeightMatrix head;       // [vocabulary, width]; the embedding where the head is tied
  std::vector<float> output_norm;  // [width]
  std::vector<LayerWeights> layers;
  std::int64_t vocabulary_size = 0;
};

// Throws Error(bad_model) naming a tensor that is missing or whose shape is not the one wanted, and
// Error(unsupported) naming one that the family has no use for: what it is for would be left out.
TransformerWeights find_weights(const GgufFile& file, const Hyperparameters& hyperparameters);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_TRANSFORMER_WEIGHTS_H_
