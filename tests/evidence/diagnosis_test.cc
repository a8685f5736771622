// From figures to a diagnosis.
#include "evidence/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace whereof::evidence {
namespace {

using testing::HasSubstr;

// Of a clause that was read, looked at and used.
DiagnosisFigures used_figures() {
  DiagnosisFigures figures;
  figures.places = 1;
  figures.sentences_read = 2;
  figures.clauses_read = 9;
  figures.question = {0.4, 5, 1};
  figures.answer = {0.3, 4, 1};
  figures.ablation = {9, 0.5};
  return figures;
}

TEST(Diagnosis, FollowsTheStagesInTheirOrder) {
  DiagnosisFigures figures = used_figures();
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::used);
  figures.ablation.fall = 0.1;
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_chosen);
  figures.answer = {};
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_chosen) << "the question's rows saw it";
  figures.question = {0.01, 0.1, 7};
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_seen);
  figures.sentences_read = 0;
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_in_context);
  figures.places = 0;
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_in_text);
}

TEST(Diagnosis, OfAClearFallIsUsedWhateverTheWeights) {
  DiagnosisFigures figures = used_figures();
  figures.question = figures.answer = {};
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::used);
}

TEST(Diagnosis, OfARiseIsNotUsed) {
  DiagnosisFigures figures = used_figures();
  figures.ablation = {-9, -0.5};
  EXPECT_EQ(diagnosis_of(figures), Diagnosis::not_chosen);
}

TEST(Explanation, SaysEachStageInBothLanguages) {
  for (const bool is_chinese : {false, true}) {
    for (const std::int64_t hidden : {0, 2}) {
      ClauseDiagnosis diagnosis;
      diagnosis.is_chinese = is_chinese;
      diagnosis.figures = used_figures();
      diagnosis.figures.sentences_hidden = hidden;
      explain(diagnosis);
      EXPECT_EQ(diagnosis.diagnosis, Diagnosis::used);
      EXPECT_EQ(diagnosis.reasons.size(), hidden == 0 ? 4U : 5U);
      EXPECT_THAT(diagnosis.reasons.back(), HasSubstr("9.0"));
      EXPECT_FALSE(diagnosis.advice.empty());
    }
  }
}

TEST(Explanation, NamesWhatTheAnswerDependsOnInstead) {
  ClauseDiagnosis diagnosis;
  diagnosis.figures = used_figures();
  diagnosis.figures.ablation = {-1, -0.1};
  diagnosis.figures.other_clause = "7.2";
  diagnosis.figures.other_ablation = {8, 0.4};
  explain(diagnosis);
  EXPECT_EQ(diagnosis.diagnosis, Diagnosis::not_chosen);
  EXPECT_THAT(diagnosis.reasons.back(), HasSubstr("7.2"));
  EXPECT_THAT(diagnosis.advice, HasSubstr("hide 7.2"));
}

TEST(Explanation, TellsWhatToDoWhereItWasNotRead) {
  ClauseDiagnosis diagnosis;
  diagnosis.figures.places = 1;
  explain(diagnosis);
  EXPECT_THAT(diagnosis.advice, HasSubstr("more time"));
  diagnosis.figures.is_whole_document_read = true;
  explain(diagnosis);
  EXPECT_THAT(diagnosis.reasons.front(), HasSubstr("headers"));
}

}  // namespace
}  // namespace whereof::evidence
