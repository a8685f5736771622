#include <gtest/gtest.h>

#include <cmath>

#include "whereof/calibration.h"

namespace whereof {
namespace {

Calibration made() {
  Calibration calibration;
  calibration.bias = 0.5;
  calibration.signals = {
      {{"decline_probability", &AnswerSignals::decline_probability}, SignalScale::logit, -2, 1, 2},
      {{"document_mass", &AnswerSignals::document_mass}, SignalScale::plain, 1, 0.25, 0.5},
      {{"uniform_ratio", &AnswerSignals::uniform_ratio}, SignalScale::log, 0.5, 0, 1}};
  return calibration;
}

TEST(Support, IsTheLogisticOfStandardisedSignals) {
  AnswerSignals signals;
  signals.decline_probability = 0.5;  // logit 0
  signals.document_mass = 0.75;
  signals.uniform_ratio = std::exp(2.0);
  const double sum = 0.5 - 2 * (0.0 - 1) / 2 + (0.75 - 0.25) / 0.5 + 0.5 * 2;
  EXPECT_NEAR(support_probability(signals, made()), 1 / (1 + std::exp(-sum)), 1e-12);
}

TEST(Support, OfAnExtractLeavesOutWhatNeedsAnAnswer) {
  Calibration calibration;
  for (const SignalName& name : kAnswerSignals) {
    if (name.name == "mean_log_probability" || name.name == "full_text_score") {
      calibration.signals.push_back({name, SignalScale::plain, 1, -1, 0.5});
    }
  }
  AnswerSignals signals;
  signals.full_text_score = 0;  // z = 2
  EXPECT_NEAR(support_probability(signals, calibration, true), 1 / (1 + std::exp(-2.0)), 1e-12);
  EXPECT_NEAR(support_probability(signals, calibration), 1 / (1 + std::exp(-4.0)), 1e-12);
}

TEST(Support, RisesAndFallsWithEachSignalAsItsWeightSays) {
  double before_mass = 0;
  double before_decline = 1;
  for (double value = 0; value <= 1; value += 0.05) {
    AnswerSignals mass;
    mass.document_mass = value;
    const double by_mass = support_probability(mass, made());
    EXPECT_GT(by_mass, before_mass);
    before_mass = by_mass;
    AnswerSignals decline;
    decline.decline_probability = value;
    const double by_decline = support_probability(decline, made());
    EXPECT_LT(by_decline, before_decline);
    before_decline = by_decline;
  }
}

TEST(Support, StaysAProbabilityAtTheEnds) {
  AnswerSignals signals;
  for (const double value : {0.0, 1.0, 1e300, -1e300}) {
    for (const SignalName& each : kAnswerSignals) signals.*each.value = value;
    const double p = support_probability(signals, made());
    EXPECT_TRUE(p >= 0 && p <= 1) << value << ": " << p;
  }
  EXPECT_EQ(support_probability(signals, Calibration()), 0.5);
}

}  // namespace
}  // namespace whereof
