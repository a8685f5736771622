// Whether keys stand where they belong: the self-check against faults of position.
//
// The key of the first layer depends on a token and its position alone,
//   k = rotate(head_norm(W_k rms_norm(embedding[token]) + b_k), position),
// so it can be computed apart from everything that keeps count of positions, in double. A key in
// the cache, or of a token that is read alone, that is not this one stands at another position:
// which one is found by trying.
#ifndef WHEREOF_MODEL_POSITION_CHECK_H_
#define WHEREOF_MODEL_POSITION_CHECK_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/loaded_model.h"
#include "whereof/model.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

// Keys that agree but for the rounding of weights and activations differ by less (under 0.03). One
// position off a key differs by 0.2 to 0.3 in SmolLM2, 0.14 in Qwen 0.5B, and 0.006 in Qwen 1.5B,
// whose clean keys differ by 0.002.
constexpr double kLargestKeyDifference = 0.12;

class FirstLayerKey {
 public:
  // capacity: of the context, which scaled rotations may depend on.
  FirstLayerKey(const LoadedModel& model, std::int64_t capacity);

  // [kv_width]
  std::vector<double> at(TokenId token, std::int64_t position) const;
  struct Place {
    std::int64_t position = -1;  // -1: none whose key differs by less than kLargestKeyDifference
    double difference = 0;       // of its key; kLargestKeyDifference where there is none
  };
  // The position whose key of this token is nearest, from 0 to a few behind `position`.
  Place nearest(std::span<const float> found, TokenId token, std::int64_t position) const;

  // Where a key stands that should stand at `position`, -1 for nowhere. Also where a large bias
  // that hardly rotates makes all keys nearly alike (Qwen 1.5B: 0.02 to 0.03 for any two): what
  // differs by less than half of a step to the next position stands right, and what differs by more
  // does too, unless another place is nearer by half.
  std::int64_t place_of(std::span<const float> found, TokenId token, std::int64_t position) const;

 private:
  std::vector<double> unrotated(TokenId token) const;
  void rotate(std::vector<double>& key, std::int64_t position) const;

  const LoadedModel& model_;
  std::vector<double> thetas_;
  double magnitude_ = 1;
};

// Root of the mean square difference over that of the wanted: 0 for equal, about 1.4 for unrelated.
double relative_difference(std::span<const float> found, std::span<const double> wanted);

// Where the keys of one position were found to stand, -1 for nowhere.
struct KeyPlace {
  std::int64_t position = 0;  // where they should
  std::int64_t cached = 0;
  std::int64_t decoded = 0;
  bool is_next_token = false;  // in the cache lies the key of the token behind
};

// The known fault of position that all of the places fit, of which at least one is wrong; none when
// there is no such fault. Its amount (how far, from where on) is left open.
InjectedFault fault_of(std::span<const KeyPlace> places);

// "stands at position 0" or "stands at no position up to there", for an alarm.
std::string place_text(std::int64_t position);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_POSITION_CHECK_H_
