// The unit of each element of a key, for caches of i8.
//
// A row of a cache of i8 has one scale, so an element that is always large (Qwen's keys have biases
// of a hundred times the rest) leaves few of the 256 steps to the others. The cache keeps elements
// in units of their usual size, and the queries are multiplied by the same units:
//
//     score = sum over i of (query[i] unit[i]) (key[i] / unit[i])
#ifndef WHEREOF_MODEL_KEY_UNITS_H_
#define WHEREOF_MODEL_KEY_UNITS_H_

#include <vector>

#include "model/hyperparameters.h"
#include "model/transformer_weights.h"

namespace whereof::model {

// [layers, kv_heads, head_dim], powers of two, so that nothing is rounded by them; the elements of
// a rotary pair, which a rotation mixes, share one. The size of an element is what its weights give
// for a normalised state, or its weight in the norm that the family puts on keys.
std::vector<float> key_units(const Hyperparameters& sizes, const TransformerWeights& weights);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KEY_UNITS_H_
