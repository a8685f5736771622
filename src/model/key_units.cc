#include "model/key_units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "linear/dequantise.h"

namespace whereof::model {
namespace {

// Elements under this share of a head's largest keep the unit of that share: they add little to a
// score, and a query times a huge unit would round.
constexpr double kLeastShare = 1.0 / 1024;

// Mean squares of the elements of all heads' keys, before the rotation; [kv_width].
std::vector<double> squares_of(const Hyperparameters& sizes, const LayerWeights& weights) {
  std::vector<double> squares(static_cast<std::size_t>(sizes.kv_width()));
  const auto head_dim = static_cast<std::size_t>(sizes.head_dim);
  if (!weights.key_norm.empty()) {
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const auto weight = static_cast<double>(weights.key_norm[i % head_dim]);
      squares[i] = weight * weight;
    }
    return squares;
  }
  std::vector<float> row(static_cast<std::size_t>(weights.key.columns));
  for (std::size_t i = 0; i < squares.size(); ++i) {
    linear::dequantise_row(
        weights.key.type, weights.key.data + static_cast<std::int64_t>(i) * weights.key.row_bytes(),
        weights.key.columns, row.data());
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double element = static_cast<double>(row[j] * weights.attention_norm[j]);
      squares[i] += element * element;
    }
    if (weights.key_bias.empty()) continue;
    const auto bias = static_cast<double>(weights.key_bias[i]);
    squares[i] += bias * bias;
  }
  return squares;
}

void mix_pairs(std::span<double> head, const Hyperparameters& sizes) {
  const bool is_interleaved = sizes.family->pairing == RotaryPairing::interleaved;
  const auto pairs = static_cast<std::size_t>(sizes.rotary_dim / 2);
  for (std::size_t i = 0; i < pairs; ++i) {
    double& a = head[is_interleaved ? 2 * i : i];
    double& b = head[is_interleaved ? 2 * i + 1 : i + pairs];
    a = b = (a + b) / 2;
  }
}

}  // namespace

std::vector<float> key_units(const Hyperparameters& sizes, const TransformerWeights& weights) {
  std::vector<float> units;
  const auto head_dim = static_cast<std::size_t>(sizes.head_dim);
  for (const LayerWeights& layer : weights.layers) {
    std::vector<double> squares = squares_of(sizes, layer);
    for (std::size_t first = 0; first < squares.size(); first += head_dim) {
      const std::span<double> head = std::span(squares).subspan(first, head_dim);
      mix_pairs(head, sizes);
      const double largest = std::sqrt(*std::max_element(head.begin(), head.end()));
      for (const double square : head) {
        const double size = std::max(std::sqrt(square), kLeastShare * largest);
        units.push_back(size > 0 && std::isfinite(size)
                            ? static_cast<float>(std::exp2(std::round(std::log2(size))))
                            : 1.0F);
      }
    }
  }
  return units;
}

}  // namespace whereof::model
