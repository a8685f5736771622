// What orders citations beside evidence: words, and clauses that the question names.
#include "answering/judging.h"

#include <gtest/gtest.h>

#include "retrieval/made_document.h"

namespace whereof::answering {
namespace {

class Judging : public testing::Test {
 protected:
  Judging() {
    retrieval::DocumentMaker maker;
    maker.clause("3", "3. The cap on compensation is one million euros.");
    maker.clause("11", "11. Either party may end this Agreement for breach.");
    maker.clause("12", "12. Notices are sent by post.");
    document_ = maker.make();
    std::int64_t token = 0;
    for (std::size_t c = 0; c < document_.clauses.size(); ++c) {
      prompt_.sentences.push_back(
          {document_.clauses[c].text, {token, token + 10}, static_cast<std::int32_t>(c)});
      token += 10;
    }
    measured_.visible_keys = 100;
    measured_.question = {0.10, 0.12, 0.11};
  }

  std::vector<std::string> cited(const std::string& question,
                                 std::vector<ScoredPassage> full_text = {},
                                 const std::string& text = "Yes.") {
    Answer answer;
    answer.question = question;
    answer.text = text;
    cite_answer(document_, prompt_, measured_, full_text, {}, options_, answer);
    std::vector<std::string> labels;
    for (const Citation& citation : answer.citations) labels.push_back(citation.label);
    return labels;
  }
  Span clause(std::size_t index) const { return document_.clauses[index].text; }

  Document document_;
  Prompt prompt_;
  MeasuredAnswer measured_;
  AskOptions options_;
};

using Labels = std::vector<std::string>;

TEST_F(Judging, EvidenceAloneOrdersWhereNothingElseSpeaks) {
  EXPECT_EQ(cited("Is it so?"), (Labels{"11", "12", "3"}));
}

TEST_F(Judging, PassagesThatFullTextFoundComeFirst) {
  EXPECT_EQ(cited("Is there a cap?", {{clause(0), 4.0}, {clause(2), 1.0}}),
            (Labels{"3", "12", "11"}));
}

TEST_F(Judging, AClauseThatTheQuestionNamesCountsAsFoundBest) {
  EXPECT_EQ(cited("Does clause 3 allow it?", {{clause(2), 4.0}, {clause(1), 0.5}}),
            (Labels{"12", "3", "11"}));
  measured_.question = {0.12, 0.12, 0.11};
  EXPECT_EQ(cited("Does clause 3 allow it?", {{clause(2), 4.0}}).front(), "3");
}

TEST_F(Judging, EachClauseThatTheQuestionNamesIsAmongTheCited) {
  measured_.question = {0.01, 0.25, 0.30};
  options_.max_citations = 2;
  EXPECT_EQ(cited("Is it so?"), (Labels{"12", "11"}));
  EXPECT_EQ(cited("Do clauses 3 and 12 agree?"), (Labels{"12", "3"}));
  measured_.question = {0, 0.25, 0.30};
  EXPECT_EQ(cited("Do clauses 3 and 12 agree?"), (Labels{"12", "11"})) << "none without evidence";
}

TEST_F(Judging, WhatHasLittleEvidenceBesideTheFirstIsLeftOut) {
  measured_.question = {0.05, 0.12, 0.11};
  EXPECT_EQ(cited("Is it so?"), (Labels{"11", "12"}));
  EXPECT_EQ(cited("Does clause 3 allow it?"), (Labels{"3", "11", "12"})) << "it is named";
  options_.verifies = true;
  EXPECT_EQ(cited("Is it so?"), (Labels{"11", "12", "3"}));
  options_.verifies = false;
  options_.keeps_minor = true;
  EXPECT_EQ(cited("Is it so?"), (Labels{"11", "12", "3"}));
}

TEST_F(Judging, AClauseWithAFigureThatNoneBeforeItHasIsKept) {
  measured_.question = {0.05, 0.12, 0.11};
  EXPECT_EQ(cited("Is it so?", {}, "It is one million euros."), (Labels{"11", "12", "3"}));
  EXPECT_EQ(cited("Is it so?", {}, "It is two million euros."), (Labels{"11", "12"}));
  measured_.question = {0.12, 0.02, 0.02};
  EXPECT_EQ(cited("Is it so?", {}, "It is one million euros."), (Labels{"3"}));
}

TEST_F(Judging, WordsWithoutEvidenceAreNotCited) {
  measured_.question = {0, 0.12, 0};
  EXPECT_EQ(cited("Is there a cap?", {{clause(0), 4.0}}), (Labels{"11"}));
}

TEST_F(Judging, RowsOfTheAnswerCountAQuarterByFittedHeads) {
  measured_.answer = {0.04, 0, 0};
  EXPECT_EQ(cited("Is it so?").front(), "3");
  options_.calibration.heads.heads = {{0, 0, 1.0}};
  EXPECT_EQ(cited("Is it so?").front(), "11");
}

}  // namespace
}  // namespace whereof::answering
