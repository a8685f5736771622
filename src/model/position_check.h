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
#include "whereof/tokenizer.h"

namespace whereof::model {

// Keys that agree but for the rounding of weights and activations differ by less (SmolLM2, Qwen:
// under 0.03); a key that stands one position off differs by more (over 0.3).
constexpr double kLargestKeyDifference = 0.12;

class FirstLayerKey {
 public:
  // capacity: of the context, which scaled rotations may depend on.
  FirstLayerKey(const LoadedModel& model, std::int64_t capacity);

  // [kv_width]
  std::vector<double> at(TokenId token, std::int64_t position) const;

 private:
  std::vector<double> unrotated(TokenId token) const;
  void rotate(std::vector<double>& key, std::int64_t position) const;

  const LoadedModel& model_;
  std::vector<double> thetas_;
  double magnitude_ = 1;
};

// Root of the mean square difference over that of the wanted: 0 for equal, about 1.4 for unrelated.
double relative_difference(std::span<const float> found, std::span<const double> wanted);

// The position near `position`, or at the beginning, whose key this is; -1 when it is none's.
std::int64_t position_of_key(const FirstLayerKey& keys, TokenId token, std::int64_t position,
                             std::span<const float> found);

// "stands at position 0" or "stands at no position nearby", for an alarm.
std::string place_text(std::int64_t position);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_POSITION_CHECK_H_
