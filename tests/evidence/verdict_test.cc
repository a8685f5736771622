#include "evidence/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "whereof/ablation.h"

namespace whereof::evidence {
namespace {

using testing::Contains;
using testing::HasSubstr;

const Calibration kNone;

VerdictEvidence good_evidence() {
  VerdictEvidence evidence;
  evidence.signals.max_document_weight = 0.4;
  evidence.signals.full_text_score = 2.5;
  evidence.visible_keys = 1000;
  evidence.citations = 2;
  evidence.largest_lift = 6;
  return evidence;
}

// p = 1 / (1 + exp(-question_score)).
Calibration calibrated() {
  Calibration calibration;
  SignalWeight weight;
  for (const SignalName& signal : kAnswerSignals) {
    if (signal.name == "question_score") weight.signal = signal;
  }
  weight.weight = 1;
  calibration.signals.push_back(weight);
  calibration.supported_from = 0.7;
  calibration.weak_from = 0.3;
  return calibration;
}

TEST(Verdict, OfAnUncalibratedModelIsWeakWhereNoWordOfTheQuestionStandsInTheDocument) {
  VerdictEvidence evidence = good_evidence();
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::supported);
  evidence.signals.full_text_score = 0;
  const VerdictResult result = verdict_of(evidence, kNone);
  EXPECT_EQ(result.verdict, Verdict::weak);
  EXPECT_EQ(result.reasons.front(), "no word of the question stands in the document");
}

TEST(Verdict, SupportsWhatIsConcentrated) {
  const VerdictResult result = verdict_of(good_evidence(), kNone);
  EXPECT_EQ(result.verdict, Verdict::supported);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("6.0 times")));
}

TEST(Verdict, UniformWeightsAreNoBasis) {
  VerdictEvidence evidence = good_evidence();
  evidence.signals.max_document_weight = 0.002;  // exactly 2/T
  for (const Calibration& calibration : {kNone, calibrated()}) {
    evidence.signals.question_score = 9;
    const VerdictResult result = verdict_of(evidence, calibration);
    EXPECT_EQ(result.verdict, Verdict::no_basis);
    EXPECT_THAT(result.reasons, Contains(HasSubstr("2/T")));
  }
  evidence.signals.max_document_weight = 0.0021;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::supported);
}

TEST(Verdict, DeclinedOrEmptyOrUncitedIsNoBasis) {
  VerdictEvidence evidence = good_evidence();
  evidence.is_declined = true;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::no_basis);
  evidence = good_evidence();
  evidence.is_answer_empty = true;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::no_basis);
  evidence = good_evidence();
  evidence.citations = 0;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::no_basis);
}

TEST(Verdict, WhatNoCitedClauseBearsOutMakesItWeak) {
  VerdictEvidence evidence = good_evidence();
  evidence.claims = 2;
  evidence.unborne = {{"$5,000,000", false}, {"12 years", true}};
  const VerdictResult result = verdict_of(evidence, kNone);
  EXPECT_EQ(result.verdict, Verdict::weak);
  EXPECT_THAT(result.reasons, Contains("\"$5,000,000\" stands in no clause that was read"));
  EXPECT_THAT(result.reasons, Contains(HasSubstr("\"12 years\" stands in another clause")));
}

TEST(Verdict, ManyReasonsOfAKindAreCounted) {
  VerdictEvidence evidence = good_evidence();
  evidence.unborne.assign(30, {"7,777", false});
  const VerdictResult result = verdict_of(evidence, kNone);
  EXPECT_LT(result.reasons.size(), 8U);
  EXPECT_THAT(result.reasons, Contains("and 26 more of this kind"));
}

TEST(Verdict, AnInventedClauseOrAnOrderInTheTextIsNeverSupported) {
  VerdictEvidence evidence = good_evidence();
  evidence.signals.question_score = 9;
  evidence.invented_clauses = {"clause 47"};
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::weak);
  EXPECT_EQ(verdict_of(evidence, calibrated()).verdict, Verdict::weak);
  evidence.invented_clauses.clear();
  evidence.instructions = {"3.1"};
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::weak);
  EXPECT_EQ(verdict_of(evidence, calibrated()).verdict, Verdict::weak);
}

TEST(Verdict, PlainRulesSeeSpreadEvidenceAndAWaveringModel) {
  VerdictEvidence evidence = good_evidence();
  evidence.largest_lift = 1.2;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::weak);
  evidence = good_evidence();
  evidence.signals.decline_probability = 0.19;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::supported);
  evidence.signals.decline_probability = 0.21;
  const VerdictResult result = verdict_of(evidence, kNone);
  EXPECT_EQ(result.verdict, Verdict::weak);
  EXPECT_THAT(result.reasons, Contains(HasSubstr("0.21")));
  EXPECT_THAT(result.reasons, Contains(HasSubstr("not calibrated")));
}

TEST(Verdict, ACalibratedModelGoesByItsProbability) {
  VerdictEvidence evidence = good_evidence();
  evidence.largest_lift = 1;  // plain rules are not asked
  const auto verdict_at = [&](double score) {
    evidence.signals.question_score = score;
    return verdict_of(evidence, calibrated());
  };
  EXPECT_EQ(verdict_at(0.9).verdict, Verdict::supported);  // 0.71
  EXPECT_EQ(verdict_at(0.8).verdict, Verdict::weak);       // 0.69
  EXPECT_EQ(verdict_at(-0.8).verdict, Verdict::weak);      // 0.31
  EXPECT_EQ(verdict_at(-0.9).verdict, Verdict::no_basis);  // 0.29
  EXPECT_THAT(verdict_at(-0.9).reasons, Contains(HasSubstr("0.29")));
  EXPECT_EQ(verdict_at(std::nan("")).verdict, Verdict::no_basis);
}

TEST(Verdict, OfAnExtractGoesByTheQuestionsRows) {
  VerdictEvidence evidence = good_evidence();
  evidence.is_extract = true;
  evidence.is_answer_empty = true;  // of course
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::supported);
  evidence.signals.question_score = 0.9;
  EXPECT_EQ(verdict_of(evidence, calibrated()).verdict, Verdict::supported);
  evidence.signals.question_score = -0.9;
  EXPECT_EQ(verdict_of(evidence, calibrated()).verdict, Verdict::no_basis);
  evidence.signals.decline_probability = 0.6;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::no_basis);
}

TEST(Verdict, AnAnswerThatNoClauseHoldsUpIsWeak) {
  VerdictEvidence evidence = good_evidence();
  evidence.ablation_fall = kClearFall - 0.1;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::weak);
  evidence.ablation_fall = kClearFall;
  EXPECT_EQ(verdict_of(evidence, kNone).verdict, Verdict::supported);
}

TEST(Verdict, SpeaksChineseToo) {
  VerdictEvidence evidence = good_evidence();
  evidence.is_chinese = true;
  EXPECT_THAT(verdict_of(evidence, kNone).reasons, Contains(HasSubstr("6.0 倍")));
  evidence.unborne = {{"{}", false}};  // a figure is no place for another
  EXPECT_THAT(verdict_of(evidence, kNone).reasons, Contains(HasSubstr("“{}”")));
}

TEST(Verdict, NoSignalAtAllIsNoBasis) {
  EXPECT_EQ(verdict_of(VerdictEvidence{}, kNone).verdict, Verdict::no_basis);
}

TEST(Verdict, ListsEachSignalOnceWithWhatItAllows) {
  const VerdictResult result = verdict_of(good_evidence(), calibrated());
  for (const SignalName& name : kAnswerSignals) {
    EXPECT_EQ(std::count_if(result.signals.begin(), result.signals.end(),
                            [&](const VerdictSignal& one) { return one.name == name.name; }),
              1)
        << name.name;
  }
}

// What speaks against an answer never raises its verdict, whatever else is measured; and no signal
// allows less than the verdict that came out.
TEST(Verdict, IsMonotone) {
  std::mt19937 random(7);
  const auto chance = [&](int one_in) { return random() % static_cast<unsigned>(one_in) == 0; };
  const auto unit = [&] { return static_cast<double>(random() % 1001) / 1000; };
  for (int i = 0; i < 20000; ++i) {
    VerdictEvidence evidence;
    evidence.is_extract = chance(4);
    evidence.is_declined = chance(8);
    evidence.is_answer_empty = chance(8);
    evidence.signals.max_document_weight = chance(4) ? 0 : unit();
    evidence.signals.decline_probability = unit();
    evidence.signals.question_score = 8 * unit() - 4;
    evidence.visible_keys = 1 + static_cast<std::int64_t>(random() % 1000);
    evidence.citations = random() % 3;
    evidence.largest_lift = 4 * unit();
    if (chance(3)) evidence.ablation_fall = 4 * unit();
    const Calibration calibration = chance(2) ? calibrated() : kNone;
    const VerdictResult before = verdict_of(evidence, calibration);
    ASSERT_FALSE(before.reasons.empty());
    for (const VerdictSignal& signal : before.signals) {
      if (signal.allows) {
        EXPECT_LE(*signal.allows, before.verdict) << signal.name;
      }
    }
    VerdictEvidence worse = evidence;
    if (chance(2)) worse.unborne.push_back({"12", chance(2)});
    if (chance(2)) worse.invented_clauses.emplace_back("clause 9");
    if (chance(2)) worse.instructions.emplace_back("3");
    if (chance(2)) worse.is_declined = true;
    if (chance(2)) worse.signals.question_score -= unit();
    if (chance(2)) worse.signals.max_document_weight *= unit();
    if (chance(2)) worse.largest_lift *= unit();
    if (chance(2)) worse.ablation_fall = unit();
    EXPECT_GE(verdict_of(worse, calibration).verdict, before.verdict) << i;
  }
}

}  // namespace
}  // namespace whereof::evidence
