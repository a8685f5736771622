// The rows that one context has computed at a time.
#ifndef WHEREOF_MODEL_STEP_H_
#define WHEREOF_MODEL_STEP_H_

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "model/transformer.h"

namespace whereof::model {

struct Step {
  std::vector<BlockPart> parts;
  std::function<void(std::int64_t layer)> after_layer;  // or empty
  std::vector<LogitRow> logits;                         // rows counted from the step's first
  // Or empty: after all layers, with the block's row that is the step's first.
  std::function<void(Transformer&, std::int64_t first)> after_layers;
  std::stop_token stop;

  std::int64_t rows() const {
    std::int64_t count = 0;
    for (const BlockPart& part : parts) count += std::ssize(part.tokens);
    return count;
  }
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_STEP_H_
