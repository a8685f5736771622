// ReadContext's stacking of texts, and of parts of texts, that were read elsewhere.
//
// A key that was kept is rotated for its own text's positions; rotations add, so it is rotated on
// by the distance to where it now stands. Values have no position.
#include <algorithm>
#include <string>

#include "model/kv_reading.h"
#include "model/read_context.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

void check_part(Span part, std::int64_t length, const char* whole) {
  if (part.begin >= 0 && part.begin <= part.end && part.end <= length) return;
  throw Error(ErrorKind::invalid_argument, "the part is " + std::to_string(part.begin) + " to " +
                                               std::to_string(part.end) + "; wanted within the " +
                                               std::to_string(length) + " tokens of " + whole);
}

std::span<const TokenId> part_of(std::span<const TokenId> tokens, Span part) {
  return tokens.subspan(static_cast<std::size_t>(part.begin),
                        static_cast<std::size_t>(part.length()));
}

}  // namespace

void ReadContext::take_stacked(std::span<const TokenId> tokens, std::int64_t from) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  if (count == 0) return;
  const std::int64_t distance = length_ - from;
  for (std::int64_t layer = 0; distance != 0 && layer < model_.hyperparameters().layers; ++layer) {
    cache_.rotate_on(layer, length_, count, sequence_.rotations.by(layer, distance));
  }
  stacked_.push_back({.positions = {length_, length_ + count}, .is_whole = from == 0});
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  length_ += count;
}

std::int64_t ReadContext::append_kept(KeptReading& kept, std::span<const TokenId> tokens,
                                      std::optional<Span> part) {
  check_no_branches("append_kept");
  const auto all = static_cast<std::int64_t>(tokens.size());
  Span wanted = part.value_or(Span{0, all});
  check_part(wanted, all, "append_kept");
  KvReading& reading = kv_reading_of(kept, cache_.block_layout());
  // As in read(): where the length of a context decides its rotations, nothing is taken over.
  if (model_.hyperparameters().rotary_scaling.has_factors_of_length(capacity_)) return 0;
  wanted.end = std::min(wanted.end, reading.matching(tokens));
  if (wanted.is_empty()) return 0;
  check_room(wanted.length(), "kept tokens");
  wanted.end = wanted.begin + reading.restore(tokens, wanted, cache_, length_);
  take_stacked(part_of(tokens, wanted), wanted.begin);
  return wanted.length();
}

void ReadContext::append_part_of(const Context& other, Span part) {
  check_no_branches("append_part_of");
  const auto* source = dynamic_cast<const ReadContext*>(&other);
  const RotaryScaling& scaling = model_.hyperparameters().rotary_scaling;
  if (source == nullptr || source == this || &source->model_ != &model_ ||
      source->cache_.block_layout() != cache_.block_layout() ||
      scaling.has_factors_of_length(source->capacity_) !=
          scaling.has_factors_of_length(capacity_)) {
    throw Error(ErrorKind::invalid_argument,
                "append_part_of takes another context of the same model, kv_type and rotations");
  }
  check_part(part, source->length_, "the other context");
  check_room(part.length(), "tokens");
  cache_.copy_rows(source->cache_, part.begin, length_, part.length());
  take_stacked(part_of(source->tokens_, part), part.begin);
}

}  // namespace whereof::model
