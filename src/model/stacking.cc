// ReadContext's stacking of texts that were read alone.
//
// A key that was kept is rotated for its own text's positions; rotations add, so it is rotated on
// by the position where its text now begins. Values have no position.
#include <string>

#include "model/kv_reading.h"
#include "model/read_context.h"
#include "whereof/error.h"

namespace whereof::model {

std::int64_t ReadContext::append_kept(KeptReading& kept, std::span<const TokenId> tokens) {
  check_no_branches("append_kept");
  KvReading& reading = kv_reading_of(kept, KvBlockLayout::of(model_.hyperparameters()));
  // As in read(): where the length of a context decides its rotations, nothing is taken over.
  if (model_.hyperparameters().rotary_scaling.has_factors_of_length(capacity_)) return 0;
  const std::int64_t matching = reading.matching(tokens);
  if (matching > capacity_ - length_) {
    throw Error(ErrorKind::over_window,
                std::to_string(matching) + " kept tokens after " + std::to_string(length_) +
                    " do not fit the context of " + std::to_string(capacity_) + " tokens");
  }
  const std::int64_t count = reading.restore(tokens, cache_, length_);
  if (count == 0) return 0;
  for (std::int64_t layer = 0; length_ > 0 && layer < model_.hyperparameters().layers; ++layer) {
    cache_.rotate_on(layer, length_, count, transformer_.rotation_by(layer, length_));
  }
  stacked_.push_back({length_, length_ + count});
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.begin() + count);
  length_ += count;
  return count;
}

}  // namespace whereof::model
