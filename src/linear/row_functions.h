// The functions of single rows between products, in loops that compilers turn into vectors.
//
//   rms_norm  out[i] = x[i] * weight[i] / sqrt(mean of x^2 + epsilon)   (Zhang and Sennrich 2019)
//   swiglu    out[i] = up[i] * gate[i] / (1 + exp(-gate[i]))            (Shazeer 2020)
//   geglu     out[i] = up[i] * gelu(gate[i]), with gelu's tanh form     (Hendrycks and Gimpel 2016)
//             x / 2 * (1 + tanh z) = x / (1 + exp(-2 z)), z = sqrt(2 / pi) * (x + 0.044715 x^3)
//   soft_cap  x[i] = cap * tanh(x[i] / cap) = cap * (1 - 2 / (1 + exp(2 x[i] / cap)))
//   exp_sum   sum of exp(x[i] - largest x), and the largest: the parts of a log_sum_exp
//
// exp is 2^n times a polynomial of degree six on [-ln 2 / 2, ln 2 / 2]: relative error below 4e-7.
// Everything is static: compiled once for each set.
#ifndef WHEREOF_LINEAR_ROW_FUNCTIONS_H_
#define WHEREOF_LINEAR_ROW_FUNCTIONS_H_

#include <cmath>
#include <cstdint>
#include <cstring>

namespace whereof::linear {

[[maybe_unused]] static float exponential(float x) {
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  x = x < -87.0F ? -87.0F : x;
  x = x > 88.0F ? 88.0F : x;
  const float whole = (x * 1.44269504F + kMagic) - kMagic;
  const float rest = (x - whole * 0.693145752F) - whole * 1.42860677e-6F;
  float sum = 1.0F / 720;
  sum = sum * rest + 1.0F / 120;
  sum = sum * rest + 1.0F / 24;
  sum = sum * rest + 1.0F / 6;
  sum = sum * rest + 0.5F;
  sum = sum * rest + 1.0F;
  sum = sum * rest + 1.0F;
  const std::int32_t bits = (static_cast<std::int32_t>(whole) + 127) << 23;
  float power = 0;
  std::memcpy(&power, &bits, sizeof power);
  return sum * power;
}

[[maybe_unused]] static void swiglu_plain(const float* gate, const float* up, std::int64_t count,
                                          float* out) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = up[i] * gate[i] / (1.0F + exponential(-gate[i]));
  }
}

[[maybe_unused]] static void geglu_plain(const float* gate, const float* up, std::int64_t count,
                                         float* out) noexcept {
  constexpr float kTwice = 1.59576912F;  // 2 sqrt(2 / pi)
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = gate[i];
    out[i] = up[i] * x / (1.0F + exponential(-kTwice * (x + 0.044715F * x * x * x)));
  }
}

[[maybe_unused]] static void soft_cap_plain(float* x, std::int64_t count, float cap) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    x[i] = cap - 2.0F * cap / (1.0F + exponential(2.0F / cap * x[i]));
  }
}

[[maybe_unused]] static void exp_sum_plain(const float* x, std::int64_t count, float* largest,
                                           float* sum) noexcept {
  constexpr int kLanes = 16;
  float most[kLanes];
  for (float& one : most) one = x[0];
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) most[j] = x[i + j] > most[j] ? x[i + j] : most[j];
  }
  for (; i < count; ++i) most[0] = x[i] > most[0] ? x[i] : most[0];
  float top = most[0];
  for (const float one : most) top = one > top ? one : top;
  float sums[kLanes] = {};
  for (i = 0; i + kLanes <= count; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) sums[j] += exponential(x[i + j] - top);
  }
  for (; i < count; ++i) sums[0] += exponential(x[i] - top);
  float total = 0;
  for (const float one : sums) total += one;
  *largest = top;
  *sum = total;
}

[[maybe_unused]] static void rms_norm_plain(const float* x, const float* weight, std::int64_t count,
                                            float epsilon, float* out) noexcept {
  constexpr int kSums = 16;
  float sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (int j = 0; j < kSums; ++j) sums[j] += x[i + j] * x[i + j];
  }
  double total = 0;
  for (; i < count; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  for (const float sum : sums) total += static_cast<double>(sum);
  const double mean = total / static_cast<double>(count);
  const auto factor = static_cast<float>(1.0 / std::sqrt(mean + static_cast<double>(epsilon)));
  for (std::int64_t k = 0; k < count; ++k) out[k] = x[k] * factor * weight[k];
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_ROW_FUNCTIONS_H_
