// Sampling: softmax(logits / temperature) over the top_k likeliest tokens, cut after the least
// number of them whose probabilities sum to top_p (nucleus sampling, Holtzman et al. 2020), then
// one draw by inverting the cumulative sum.
//
// The same choice on every machine: splitmix64 (Steele, Lea, Flood 2014) gives the draw, sums are
// in double and in one order (by logit, then by token id), and the exponential is computed from
// additions and multiplications here, since libraries differ in exp's last bit.
#include <algorithm>
#include <cmath>
#include <limits>

#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

std::uint64_t next_random(std::uint64_t& state) noexcept {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// In [0, 1), a multiple of 2^-53.
double next_unit(std::uint64_t& state) noexcept {
  return static_cast<double>(next_random(state) >> 11) * 0x1p-53;
}

// exp(x) for x <= 0: 2^k * exp(r), |r| <= ln(2) / 2, by the Taylor polynomial of degree 13 in
// Horner's form. Relative error below 1e-15. std::fma is exact by definition, so no compiler flag
// changes a bit.
double exponential(double x) noexcept {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0x1.62E42FEFA38p-1;
  constexpr double kLn2Low = 0x1.EF35793C7673p-45;
  if (!(x > -700)) return 0;
  const double k = std::nearbyint(x * kLog2E);
  const double r = std::fma(-k, kLn2Low, std::fma(-k, kLn2High, x));
  double sum = 1;
  for (int n = 13; n >= 1; --n) sum = std::fma(sum, r / n, 1);
  return std::ldexp(sum, static_cast<int>(k));
}

// Larger logit first, then the lower id. NaN never gets here.
bool is_before(const std::pair<float, TokenId>& a, const std::pair<float, TokenId>& b) noexcept {
  return a.first != b.first ? a.first > b.first : a.second < b.second;
}

// The first of the largest logits; NaN counts as minus infinity; 0 if there is nothing else.
TokenId greedy_choice(std::span<const float> logits) noexcept {
  TokenId best = 0;
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (!(logits[i] > largest)) continue;
    largest = logits[i];
    best = static_cast<TokenId>(i);
  }
  return best;
}

}  // namespace

Sampler::Sampler(const SamplerOptions& options) : options_(options), state_(options.seed) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature)) {
    throw Error(ErrorKind::invalid_argument,
                "temperature is " + std::to_string(options.temperature) + ", wanted 0 or more");
  }
  if (options.top_k < 0) {
    throw Error(ErrorKind::invalid_argument,
                "top_k is " + std::to_string(options.top_k) + ", wanted 0 or more");
  }
  if (!(options.top_p >= 0 && options.top_p <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                "top_p is " + std::to_string(options.top_p) + ", wanted 0 to 1");
  }
}

TokenId Sampler::choose(std::span<const float> logits) {
  if (logits.empty()) throw Error(ErrorKind::invalid_argument, "no logits to choose from");
  if (options_.temperature == 0) return greedy_choice(logits);
  candidates_.clear();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    // An infinite logit is certain; NaN and minus infinity are impossible.
    if (logits[i] == std::numeric_limits<float>::infinity()) return static_cast<TokenId>(i);
    if (logits[i] > -std::numeric_limits<float>::infinity()) {
      candidates_.emplace_back(logits[i], static_cast<TokenId>(i));
    }
  }
  if (candidates_.empty()) return greedy_choice(logits);
  const auto wanted = static_cast<std::size_t>(options_.top_k);
  if (wanted > 0 && wanted < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + options_.top_k, candidates_.end(),
                     is_before);
    candidates_.resize(wanted);
  }
  std::sort(candidates_.begin(), candidates_.end(), is_before);

  const double largest = candidates_.front().first;
  const auto weight = [&](float logit) {
    return exponential((logit - largest) / static_cast<double>(options_.temperature));
  };
  double total = 0;
  for (const auto& [logit, id] : candidates_) total += weight(logit);
  const double nucleus = total * static_cast<double>(options_.top_p);
  double kept = 0;
  std::size_t count = 0;
  while (count < candidates_.size() && (count == 0 || kept < nucleus)) {
    kept += weight(candidates_[count++].first);
  }
  const double draw = next_unit(state_) * kept;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    sum += weight(candidates_[i].first);
    if (draw < sum) return candidates_[i].second;
  }
  return candidates_[count - 1].second;
}

}  // namespace whereof
