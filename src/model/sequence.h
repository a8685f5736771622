// What one sequence brings to a block of rows, beside its tokens.
#ifndef WHEREOF_MODEL_SEQUENCE_H_
#define WHEREOF_MODEL_SEQUENCE_H_

#include <cstdint>
#include <optional>

#include "model/hyperparameters.h"
#include "model/kv_cache.h"
#include "whereof/model.h"
#include "whereof/rotary.h"

namespace whereof::model {

// The rotations of a context's positions, layer by layer. Immutable.
class LayerRotations {
 public:
  // Throws what RotaryTable throws.
  LayerRotations(const Hyperparameters& hyperparameters, std::int64_t capacity,
                 InjectedFault fault = InjectedFault::none);
  static std::int64_t bytes_needed(const Hyperparameters& hyperparameters, std::int64_t capacity);

  // Positions that they cover.
  std::int64_t length() const noexcept { return table_.length(); }
  const RotaryTable& of_layer(std::int64_t layer) const;
  // What rotates a key of a layer on by so many positions, as position 1 of the table.
  RotaryTable by(std::int64_t layer, std::int64_t positions) const;

 private:
  const Hyperparameters& sizes_;
  RotaryTable table_;
  std::optional<RotaryTable> of_windows_;  // of layers with a window, if they rotate otherwise
};

struct Sequence {
  KvCache cache;
  LayerRotations rotations;
  InjectedFault fault = InjectedFault::none;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_SEQUENCE_H_
