// Why scores are divided by sqrt(head_dim): the spread of query . key, what the softmax makes of
// it, and what is left of its gradient in 16 bits.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lab.h"
#include "whereof/attention.h"

namespace whereof::cli {
namespace {

__extension__ using Half = _Float16;  // real arithmetic in IEEE binary16

constexpr double kHeadDims[] = {16, 64, 128};

AttentionOptions with_scale(double scale) {
  AttentionOptions options;
  options.scale = static_cast<float>(scale);
  return options;
}

// scale * query . key for many pairs of independent rows, as the library computes it: of a single
// key the log_sum_exp is its score.
std::vector<float> random_scores(std::int64_t head_dim, double scale, std::int64_t pairs) {
  std::mt19937_64 random(20150401);
  LabTensor query = random_tensor({pairs, 1, 1, head_dim}, random);
  LabTensor key = random_tensor({pairs, 1, 1, head_dim}, random);
  LabTensor value({pairs, 1, 1, 1});
  LabTensor output({pairs, 1, 1, 1});
  std::vector<float> scores(static_cast<std::size_t>(pairs));
  attention_forward(query.view(), key.view(), value.view(), output.view(), with_scale(scale),
                    scores.data());
  return scores;
}

double variance_of(const std::vector<float>& values) {
  double sum = 0;
  double squares = 0;
  for (const float x : values) {
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  const auto n = static_cast<double>(values.size());
  return squares / n - sum / n * (sum / n);
}

struct TwoWeights {
  double larger;
  double smaller;
  double gradient() const { return larger * smaller; }  // p (1 - p)
};

// Weights of two keys whose scores are 2 sqrt(head_dim) apart before they are divided by `divisor`.
TwoWeights weights_apart(double head_dim, double divisor) {
  const auto dim = static_cast<std::int64_t>(head_dim);
  LabTensor query({1, 1, 1, dim});
  LabTensor key({1, 2, 1, dim});
  query.at(0, 0) = 1;
  key.at(0, 0) = static_cast<float>(2 * std::sqrt(head_dim));
  LabTensor value = identity(2);
  LabTensor output({1, 1, 1, 2});
  attention_forward(query.view(), key.view(), value.view(), output.view(), with_scale(1 / divisor));
  return {static_cast<double>(output.at(0, 0)), static_cast<double>(output.at(0, 1))};
}

// The gradient p (1 - p) as a backward pass in binary16 has it: from the rounded weight.
double gradient_in_half(const TwoWeights& weights) {
  const Half p = static_cast<Half>(weights.larger);
  const Half gradient = p * (static_cast<Half>(1.0F) - p);
  return static_cast<double>(gradient);
}

// Halved until the spacing of numbers no longer shrinks with them.
double smallest_normal_half() {
  const Half above_one = static_cast<Half>(1 + 0x1p-10F);
  double power = 1;
  while (static_cast<double>(static_cast<Half>(power / 2 * static_cast<double>(above_one))) ==
         power / 2 * static_cast<double>(above_one)) {
    power /= 2;
  }
  return power;
}

// The largest score, in steps of 1/1000, whose exponential is finite in binary16.
double largest_score_without_maximum() {
  double score = 0;
  while (std::isfinite(static_cast<float>(static_cast<Half>(std::exp(score + 0.001))))) {
    score += 0.001;
  }
  return score;
}

// Attention over 1,024 random keys with one divisor, and the mean of all values.
struct OverManyKeys {
  double largest_weight_times_keys;
  double entropy_share;       // of ln keys
  double distance_from_mean;  // of output from the mean of the values, root mean square
};

OverManyKeys over_many_keys(double divisor) {
  constexpr std::int64_t kKeys = 1024;
  constexpr std::int64_t kRows = 64;
  std::mt19937_64 random(20170612);
  LabTensor query = random_tensor({1, kRows, 1, 128}, random);
  LabTensor key = random_tensor({1, kKeys, 1, 128}, random);
  LabTensor value = random_tensor({1, kKeys, 1, 128}, random);
  LabTensor output({1, kRows, 1, 128});
  Evidence evidence;
  const EvidenceRequest request;
  attention_forward(query.view(), key.view(), value.view(), output.view(), with_scale(1 / divisor),
                    nullptr, &request, &evidence);
  double squares = 0;
  for (std::int64_t d = 0; d < 128; ++d) {
    double mean = 0;
    for (std::int64_t j = 0; j < kKeys; ++j) mean += static_cast<double>(value.at(j, d)) / kKeys;
    for (std::int64_t i = 0; i < kRows; ++i) {
      squares += std::pow(static_cast<double>(output.at(i, d)) - mean, 2);
    }
  }
  return {static_cast<double>(evidence.max_weight[0]) * kKeys,
          static_cast<double>(evidence.entropy[0]) / kRows / std::log(kKeys),
          std::sqrt(squares / (kRows * 128))};
}

void add_spread(LabReport& report) {
  for (const double head_dim : kHeadDims) {
    const auto scores = random_scores(static_cast<std::int64_t>(head_dim), 1, 100000);
    report.lines.push_back(near(fmt::format("sd_{:.0f}", head_dim),
                                fmt::format("sd of query . key, head_dim {:.0f}", head_dim),
                                std::sqrt(variance_of(scores)), std::sqrt(head_dim), 0.01));
  }
}

void add_two_logits(LabReport& report) {
  constexpr double kSmaller[] = {3.354e-4, 1.125e-7, 1.49e-10};
  for (std::size_t i = 0; i < 3; ++i) {
    const TwoWeights raw = weights_apart(kHeadDims[i], 1);
    report.lines.push_back(
        near(fmt::format("rest_{:.0f}", kHeadDims[i]),
             fmt::format("1 - larger weight, 2 sd apart, head_dim {:.0f}", kHeadDims[i]),
             raw.smaller, kSmaller[i], 0.01));
  }
  const TwoWeights raw = weights_apart(128, 1);
  report.lines.push_back(near("gradient_128", "softmax gradient p (1 - p), head_dim 128",
                              raw.gradient(), 1.49e-10, 0.01));
  report.lines.push_back(near("half_normal", "smallest normal number of fp16",
                              smallest_normal_half(), 6.1035e-5, 0.001));
  report.lines.push_back(
      at_most("gradient_half", "that gradient in fp16 arithmetic", gradient_in_half(raw), 0));
  const TwoWeights scaled = weights_apart(128, std::sqrt(128.0));
  report.lines.push_back(
      near("scaled_weight", "divided by sqrt(128): larger weight", scaled.larger, 0.8808, 0.001));
  report.lines.push_back(
      near("scaled_gradient", "divided by sqrt(128): gradient", scaled.gradient(), 0.105, 0.001));
  report.lines.push_back(near("scaled_gradient_half", "that gradient in fp16 arithmetic",
                              gradient_in_half(scaled), 0.105, 0.005));
}

void add_wrong_divisor(LabReport& report) {
  const auto scores = random_scores(128, 1.0 / 128, 100000);
  report.lines.push_back(near("variance_by_dim", "divided by 128: variance of the scores x 128",
                              128 * variance_of(scores), 1, 0.02));
  const OverManyKeys wrong = over_many_keys(128);
  const OverManyKeys right = over_many_keys(std::sqrt(128.0));
  report.lines.push_back(at_most("uniform_weight",
                                 "divided by 128: largest weight x keys, of 1,024 keys",
                                 wrong.largest_weight_times_keys, 1.6));
  report.lines.push_back(at_least("scaled_peak", "divided by sqrt(128): the same",
                                  right.largest_weight_times_keys, 10));
  report.lines.push_back(at_least("uniform_entropy", "divided by 128: entropy / ln(keys)",
                                  wrong.entropy_share, 0.999));
  report.lines.push_back(at_most("mean_distance", "divided by 128: output from the mean of values",
                                 wrong.distance_from_mean, 0.01));
  report.lines.push_back(at_least("scaled_distance", "divided by sqrt(128): the same",
                                  right.distance_from_mean, 0.03));
}

void add_overflow(LabReport& report) {
  report.lines.push_back(near("overflow", "largest score with exp(score) finite in fp16",
                              largest_score_without_maximum(), 11.09, 0.001));
  const TwoWeights extreme = weights_apart(128, 1e-4);  // scores 226,274 apart
  report.lines.push_back(near("extreme", "sum of weights, scores 226,274 apart, maximum subtracted",
                              extreme.larger + extreme.smaller, 1, 1e-6));
}

Plot weights_against_divisor() {
  Plot plot{.title = "Two scores 2 sd apart, head_dim 128",
            .x = {.label = "divisor of the scores", .is_logarithmic = true, .base = 2},
            .y = {.label = "weight, gradient"},
            .curves = {{.name = "larger weight", .points = {}},
                       {.name = "gradient p (1 - p)", .points = {}}}};
  for (double divisor = 1; divisor < 129; divisor *= std::sqrt(2.0)) {
    const TwoWeights weights = weights_apart(128, divisor);
    plot.curves[0].points.emplace_back(divisor, weights.larger);
    plot.curves[1].points.emplace_back(divisor, weights.gradient());
  }
  return plot;
}

}  // namespace

LabReport lab_scale(const LabOptions&) {
  LabReport report{.title = "Why scores are divided by sqrt(head_dim)",
                   .lines = {},
                   .drawing = {},
                   .plot = weights_against_divisor()};
  add_spread(report);
  add_two_logits(report);
  add_wrong_divisor(report);
  add_overflow(report);
  return report;
}

}  // namespace whereof::cli
