#include "evidence/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace whereof::evidence {
namespace {

using testing::Contains;
using testing::HasSubstr;

VerdictSignals good_signals() {
  VerdictSignals signals;
  signals.max_document_weight = 0.4;
  signals.visible_keys = 1000;
  signals.citations = 2;
  signals.largest_lift = 6;
  return signals;
}

TEST(Verdict, SupportsWhatIsConcentrated) {
  const VerdictResult result = verdict_of(good_signals());
  EXPECT_EQ(result.verdict, Verdict::supported);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("6.0 times")));
}

TEST(Verdict, UniformWeightsAreNoBasis) {
  VerdictSignals signals = good_signals();
  signals.max_document_weight = 0.002;  // exactly 2/T
  const VerdictResult result = verdict_of(signals);
  EXPECT_EQ(result.verdict, Verdict::no_basis);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("2/T")));
  signals.max_document_weight = 0.0021;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::supported);
}

TEST(Verdict, DeclinedOrEmptyOrUncitedIsNoBasis) {
  VerdictSignals signals = good_signals();
  signals.is_declined = true;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::no_basis);
  signals = good_signals();
  signals.is_answer_empty = true;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::no_basis);
  signals = good_signals();
  signals.citations = 0;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::no_basis);
}

TEST(Verdict, FiguresFromNowhereMakeItWeak) {
  VerdictSignals signals = good_signals();
  signals.unfound_figures = {"5,000,000"};
  const VerdictResult result = verdict_of(signals);
  EXPECT_EQ(result.verdict, Verdict::weak);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("5,000,000")));
}

TEST(Verdict, SpreadEvidenceIsWeak) {
  VerdictSignals signals = good_signals();
  signals.largest_lift = 1.2;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::weak);
}

TEST(Verdict, AModelThatNearlyDeclinedMakesItWeak) {
  VerdictSignals signals = good_signals();
  signals.decline_probability = 0.19;
  EXPECT_EQ(verdict_of(signals).verdict, Verdict::supported);
  signals.decline_probability = 0.21;
  const VerdictResult result = verdict_of(signals);
  EXPECT_EQ(result.verdict, Verdict::weak);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("0.21")));
}

TEST(Verdict, SpeaksChineseToo) {
  VerdictSignals signals = good_signals();
  signals.is_chinese = true;
  EXPECT_THAT(verdict_of(signals).reasons, Contains(HasSubstr("6.0 倍")));
  signals.unfound_figures = {"{}"};  // a figure is no place for another
  EXPECT_THAT(verdict_of(signals).reasons, Contains(HasSubstr("“{}”")));
}

TEST(Verdict, NoSignalAtAllIsNoBasis) {
  EXPECT_EQ(verdict_of(VerdictSignals{}).verdict, Verdict::no_basis);
}

}  // namespace
}  // namespace whereof::evidence
