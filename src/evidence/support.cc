// The probability that a document answers a question, from what was measured about the answer.
#include <algorithm>
#include <cmath>

#include "whereof/calibration.h"

namespace whereof {
namespace {

constexpr double kLeast = 1e-6;        // what no figure of ours tells from 0
constexpr double kMostDeviations = 4;  // so that no single signal outvotes all others

}  // namespace

std::string_view name_of(SignalScale scale) noexcept {
  switch (scale) {
    case SignalScale::plain:
      return "plain";
    case SignalScale::log:
      return "log";
    case SignalScale::logit:
      return "logit";
  }
  return "unknown";
}

double on_scale(SignalScale scale, double value) noexcept {
  switch (scale) {
    case SignalScale::plain:
      return value;
    case SignalScale::log:
      return std::log(std::max(value, kLeast));
    case SignalScale::logit: {
      const double inside = std::clamp(value, kLeast, 1 - kLeast);
      return std::log(inside / (1 - inside));
    }
  }
  return value;
}

double standardised(const SignalWeight& weight, const AnswerSignals& signals) noexcept {
  const double value = on_scale(weight.scale, signals.*weight.signal.value);
  return std::clamp((value - weight.mean) / weight.deviation, -kMostDeviations, kMostDeviations);
}

double support_probability(const AnswerSignals& signals, const Calibration& calibration,
                           bool is_extract) {
  double sum = calibration.bias;
  for (const SignalWeight& part : calibration.signals) {
    if (is_extract && part.signal.needs_answer) continue;
    sum += part.weight * standardised(part, signals);
  }
  return 1 / (1 + std::exp(-sum));
}

}  // namespace whereof
