// Logistic regression of "the document answers it" on signals, and the cuts of the verdict.
//
// With z the standardised signals, y in {0, 1} and a part for each example, together 1:
//     loss(w, b) = - sum of part (y ln p + (1 - y) ln(1 - p)) + l2 / 2 |w|^2
//     p = 1 / (1 + exp(-(b + w z)))
// is convex; Newton's method finds its one minimum; Hessian: sum of part p (1 - p) z z^T + l2.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "evaluation/fit_parts.h"
#include "whereof/calibration_fit.h"

namespace whereof {
namespace {

constexpr int kMostSteps = 50;
constexpr double kSmallestStep = 1e-10;
constexpr double kLeastDeviation = 1e-9;  // a signal that hardly moves is left out
constexpr double kLeastRecall = 0.2;      // of what is called supported

struct ScaledSignal {
  double AnswerSignals::*value;
  SignalScale scale;
};

// What differs between questions to one document, and of heads only which passage they rank first.
// Masses, entropy and largest weights go with a document's length, and heads score best where they
// were fitted: on a few dozen documents such signals are learnt by heart and are worth less than
// nothing on others (docs/evidence.md).
constexpr std::array<ScaledSignal, 5> kFitted{{
    {&AnswerSignals::decline_probability, SignalScale::logit},
    {&AnswerSignals::mean_log_probability, SignalScale::plain},
    {&AnswerSignals::statement, SignalScale::plain},
    {&AnswerSignals::full_text_score, SignalScale::plain},
    {&AnswerSignals::words_at_best, SignalScale::plain},
}};

struct Judged {
  AnswerSignals signals;
  bool is_answerable = false;
  double part = 0;
};

// Those of the half that were asked.
std::vector<Judged> judged_of(const CalibrationExamples& examples, std::int64_t half,
                              const HeadWeights& heads) {
  std::vector<const CalibrationExample*> asked;
  for (const CalibrationExample& example : examples.all) {
    if (example.half == half && example.was_asked) asked.push_back(&example);
  }
  const std::vector<double> parts = evaluation::parts_of_sets(asked);
  std::vector<Judged> judged;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    judged.push_back({evaluation::signals_by(*asked[i], heads), asked[i]->is_answerable, parts[i]});
  }
  return judged;
}

std::vector<SignalWeight> scaled_signals(const std::vector<Judged>& judged) {
  std::vector<SignalWeight> signals;
  for (const SignalName& name : kAnswerSignals) {
    const auto* fitted =
        std::find_if(kFitted.begin(), kFitted.end(),
                     [&](const ScaledSignal& each) { return each.value == name.value; });
    if (fitted == kFitted.end()) continue;
    SignalWeight signal{.signal = name, .scale = fitted->scale};
    const auto value_of = [&](const Judged& each) {
      return on_scale(signal.scale, each.signals.*name.value);
    };
    for (const Judged& each : judged) signal.mean += each.part * value_of(each);
    double squares = 0;
    for (const Judged& each : judged) {
      squares += each.part * std::pow(value_of(each) - signal.mean, 2);
    }
    signal.deviation = std::sqrt(squares);
    if (signal.deviation > kLeastDeviation) signals.push_back(signal);
  }
  return signals;
}

// The solution of a x = b, a [n, n] positive definite, by Cholesky's decomposition in place.
std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return b;
}

// Fits weights and bias; signals have their means and deviations.
void regress(const std::vector<Judged>& judged, double l2, Calibration& calibration) {
  const std::size_t count = calibration.signals.size();
  const std::size_t n = count + 1;  // the bias is the last
  std::vector<std::vector<double>> rows;
  for (const Judged& each : judged) {
    std::vector<double>& row = rows.emplace_back();
    for (const SignalWeight& signal : calibration.signals) {
      row.push_back(standardised(signal, each.signals));
    }
    row.push_back(1);
  }
  std::vector<double> weights(n, 0);
  for (int step = 0; step < kMostSteps; ++step) {
    std::vector<double> slope(n, 0);
    std::vector<double> hessian(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const double penalty = i < count ? l2 : 1e-9;
      slope[i] = penalty * weights[i];
      hessian[i * n + i] = penalty;
    }
    for (std::size_t e = 0; e < judged.size(); ++e) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += weights[i] * rows[e][i];
      const double p = 1 / (1 + std::exp(-sum));
      const double error = judged[e].part * (p - (judged[e].is_answerable ? 1 : 0));
      const double bend = judged[e].part * p * (1 - p);
      for (std::size_t i = 0; i < n; ++i) {
        slope[i] += error * rows[e][i];
        for (std::size_t j = 0; j <= i; ++j) hessian[i * n + j] += bend * rows[e][i] * rows[e][j];
      }
    }
    const std::vector<double> move = solved(std::move(hessian), slope);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] -= std::clamp(move[i], -1.0, 1.0);  // a first step too far would not come back
      largest = std::max(largest, std::abs(move[i]));
    }
    if (largest < kSmallestStep) break;
  }
  for (std::size_t i = 0; i < count; ++i) calibration.signals[i].weight = weights[i];
  calibration.bias = weights[count];
}

// weak_from loses few answerable questions; supported_from is the lowest that is precise enough, or
// the most precise one that still finds some.
void cut(const std::vector<Judged>& judged, const FitOptions& options, Calibration& calibration) {
  struct Placed {
    double p;
    double answerable;  // part, 0 where not answerable
    double part;
  };
  std::vector<Placed> placed;
  double answerable = 0;
  for (const Judged& each : judged) {
    const double part = each.is_answerable ? each.part : 0;
    placed.push_back({support_probability(each.signals, calibration), part, each.part});
    answerable += part;
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.p > b.p; });
  double found = 0;
  double taken = 0;
  double best_precision = 0;
  bool is_weak_found = false;
  bool is_precise = false;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    found += placed[i].answerable;
    taken += placed[i].part;
    if (i + 1 < placed.size() && placed[i + 1].p == placed[i].p) continue;
    const double precision = found / taken;
    const double recall = found / answerable;
    if (precision >= options.supported_precision && recall >= kLeastRecall) {
      calibration.supported_from = placed[i].p;
      is_precise = true;
    } else if (!is_precise && recall >= kLeastRecall && precision > best_precision) {
      calibration.supported_from = placed[i].p;
      best_precision = precision;
    }
    if (!is_weak_found && recall >= 1 - options.answerable_lost) {
      calibration.weak_from = placed[i].p;
      is_weak_found = true;
    }
  }
  calibration.weak_from = std::min(calibration.weak_from, calibration.supported_from);
}

}  // namespace

Calibration fit_calibration(const CalibrationExamples& examples, const HeadWeights& heads,
                            const FitOptions& options) {
  Calibration calibration;
  calibration.source = "fitted";
  calibration.heads = heads;
  const std::vector<Judged> judged = judged_of(examples, options.half, heads);
  const auto answerable = std::count_if(judged.begin(), judged.end(),
                                        [](const Judged& each) { return each.is_answerable; });
  if (answerable == 0 || answerable == std::ssize(judged)) return calibration;
  calibration.signals = scaled_signals(judged);
  regress(judged, options.signal_l2, calibration);
  cut(judged, options, calibration);
  return calibration;
}

}  // namespace whereof
