#include "model/position_check.h"

#include <algorithm>
#include <cmath>

#include "linear/dequantise.h"
#include "model/injected_fault.h"

namespace whereof::model {
namespace {

constexpr std::int64_t kBehind = 16;  // positions behind its own that a key is looked for at
constexpr double kNear = 0.5;         // of a distance

void normalise(std::span<double> values, const std::vector<float>& weight, double epsilon) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  const double factor = 1 / std::sqrt(squares / static_cast<double>(values.size()) + epsilon);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= factor * static_cast<double>(weight[i]);
  }
}

std::vector<float> row_of(const linear::WeightMatrix& matrix, std::int64_t row) {
  std::vector<float> values(static_cast<std::size_t>(matrix.columns));
  linear::dequantise_row(matrix.type, matrix.data + row * matrix.row_bytes(), matrix.columns,
                         values.data());
  return values;
}

}  // namespace

FirstLayerKey::FirstLayerKey(const LoadedModel& model, std::int64_t capacity) : model_(model) {
  RotaryThetas rotation = model.hyperparameters().rotary_thetas_of(0, capacity);
  thetas_ = std::move(rotation.thetas);
  magnitude_ = rotation.magnitude;
}

std::vector<double> FirstLayerKey::unrotated(TokenId token) const {
  const Hyperparameters& sizes = model_.hyperparameters();
  const LayerWeights& weights = model_.weights().layers[0];
  const std::vector<float> embedding = row_of(model_.weights().embedding, token);
  std::vector<double> state(embedding.begin(), embedding.end());
  for (double& value : state) value *= static_cast<double>(sizes.embedding_scale);
  const auto epsilon = static_cast<double>(sizes.norm_epsilon);
  normalise(state, weights.attention_norm, epsilon);
  std::vector<double> key(static_cast<std::size_t>(sizes.kv_width()));
  for (std::size_t i = 0; i < key.size(); ++i) {
    const std::vector<float> row = row_of(weights.key, static_cast<std::int64_t>(i));
    for (std::size_t j = 0; j < row.size(); ++j) key[i] += static_cast<double>(row[j]) * state[j];
    if (!weights.key_bias.empty()) key[i] += static_cast<double>(weights.key_bias[i]);
  }
  if (weights.key_norm.empty()) return key;
  const auto head_dim = static_cast<std::size_t>(sizes.head_dim);
  for (std::size_t head = 0; head < key.size(); head += head_dim) {
    normalise(std::span(key).subspan(head, head_dim), weights.key_norm, epsilon);
  }
  return key;
}

void FirstLayerKey::rotate(std::vector<double>& key, std::int64_t position) const {
  const Hyperparameters& sizes = model_.hyperparameters();
  const bool is_interleaved = sizes.family->pairing == RotaryPairing::interleaved;
  const std::size_t pairs = thetas_.size();
  for (std::size_t head = 0; head < key.size(); head += static_cast<std::size_t>(sizes.head_dim)) {
    for (std::size_t i = 0; i < pairs; ++i) {
      double& a = key[head + (is_interleaved ? 2 * i : i)];
      double& b = key[head + (is_interleaved ? 2 * i + 1 : i + pairs)];
      const double angle = static_cast<double>(position) * thetas_[i];
      const double rotated = magnitude_ * (a * std::cos(angle) - b * std::sin(angle));
      b = magnitude_ * (a * std::sin(angle) + b * std::cos(angle));
      a = rotated;
    }
  }
}

std::vector<double> FirstLayerKey::at(TokenId token, std::int64_t position) const {
  std::vector<double> key = unrotated(token);
  rotate(key, position);
  return key;
}

double relative_difference(std::span<const float> found, std::span<const double> wanted) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double d = static_cast<double>(found[i]) - wanted[i];
    difference += d * d;
    size += wanted[i] * wanted[i];
  }
  return size > 0 ? std::sqrt(difference / size) : 0;
}

FirstLayerKey::Place FirstLayerKey::nearest(std::span<const float> found, TokenId token,
                                            std::int64_t position) const {
  const std::vector<double> key = unrotated(token);
  Place best{.position = -1, .difference = kLargestKeyDifference};
  for (std::int64_t candidate = 0; candidate <= position + kBehind; ++candidate) {
    std::vector<double> rotated = key;
    rotate(rotated, candidate);
    const double difference = relative_difference(found, rotated);
    if (difference < best.difference) best = {candidate, difference};
  }
  return best;
}

std::int64_t FirstLayerKey::place_of(std::span<const float> found, TokenId token,
                                     std::int64_t position) const {
  const std::vector<double> wanted = at(token, position);
  const std::vector<double> behind = at(token, position + 1);
  const double step = relative_difference(std::vector<float>(behind.begin(), behind.end()), wanted);
  const double difference = relative_difference(found, wanted);
  if (difference <= std::min(kLargestKeyDifference, kNear * step)) return position;
  const Place place = nearest(found, token, position);
  const bool is_nearer = place.difference < kNear * difference;
  return difference > kLargestKeyDifference || is_nearer ? place.position : position;
}

InjectedFault fault_of(std::span<const KeyPlace> places) {
  const auto all = [&](auto fits) { return std::all_of(places.begin(), places.end(), fits); };
  const auto is_right = [](const KeyPlace& p) {
    return p.cached == p.position && p.decoded == p.position;
  };
  const auto wrong = std::find_if_not(places.begin(), places.end(), is_right);
  if (wrong == places.end()) return InjectedFault::none;
  // The last key that was read has none behind it.
  const bool is_any_next =
      std::any_of(places.begin(), places.end(), [](const KeyPlace& p) { return p.is_next_token; });
  if (is_any_next && all([](const KeyPlace& p) {
        return (p.is_next_token || p.cached == p.position) && p.decoded == p.position;
      })) {
    return InjectedFault::shifted_cache;
  }
  if (all([](const KeyPlace& p) { return p.cached == p.position && p.decoded == 0; })) {
    return InjectedFault::decode_at_position_zero;
  }
  if (all([](const KeyPlace& p) {
        return p.cached == p.position && p.decoded == p.position + 1;
      })) {
    return InjectedFault::decode_one_position_late;
  }
  if (all([](const KeyPlace& p) {
        const std::int64_t rounded = in_half_precision(p.position);
        return p.cached == rounded && p.decoded == rounded;
      })) {
    return InjectedFault::positions_in_half_precision;
  }
  const std::int64_t padding = wrong->cached - wrong->position;
  if (padding > 0 && all([&](const KeyPlace& p) {
        return p.cached == p.position + padding && p.decoded == p.position;
      })) {
    return InjectedFault::left_padding;
  }
  if (all([](const KeyPlace& p) {
        return p.cached >= 0 && p.cached == p.decoded && p.cached <= p.position;
      })) {
    return InjectedFault::offset_restarts_at_depth;
  }
  return InjectedFault::none;
}

std::string place_text(std::int64_t position) {
  return position < 0 ? "stands at no position up to there"
                      : "stands at position " + std::to_string(position);
}

}  // namespace whereof::model
