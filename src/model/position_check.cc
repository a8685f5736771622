#include "model/position_check.h"

#include <cmath>

#include "linear/dequantise.h"

namespace whereof::model {
namespace {

constexpr std::int64_t kNearby = 16;

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

std::int64_t position_of_key(const FirstLayerKey& keys, TokenId token, std::int64_t position,
                             std::span<const float> found) {
  std::int64_t best = -1;
  double smallest = kLargestKeyDifference;
  const auto try_position = [&](std::int64_t candidate) {
    if (candidate < 0) return;
    const double difference = relative_difference(found, keys.at(token, candidate));
    if (difference >= smallest) return;
    smallest = difference;
    best = candidate;
  };
  try_position(0);
  for (std::int64_t step = 1; step <= kNearby; ++step) {
    try_position(position - step);
    try_position(position + step);
  }
  return best;
}

std::string place_text(std::int64_t position) {
  return position < 0 ? "stands at no position nearby"
                      : "stands at position " + std::to_string(position);
}

}  // namespace whereof::model
