#include "answering/citations.h"

#include <gtest/gtest.h>

#include <limits>

namespace whereof::answering {
namespace {

// Two clauses of two sentences each; a sentence is ten bytes and ten tokens long.
Document two_clauses() {
  Document document;
  document.text = "1 aaaaaaa.bbbbbbbbb.2 ccccccc.ddddddddd.";
  for (const char* number : {"1", "2"}) {
    Clause clause;
    clause.number = clause.label = number;
    document.clauses.push_back(clause);
  }
  document.pages.push_back({{0, 40}, "1", 0, 0});
  return document;
}

std::vector<ReadSentence> four_sentences() {
  std::vector<ReadSentence> sentences;
  for (std::int64_t i = 0; i < 4; ++i) {
    sentences.push_back({{10 * i, 10 * i + 10}, {10 * i, 10 * i + 10}, static_cast<int>(i / 2)});
  }
  return sentences;
}

TEST(Citations, PutTheHeaviestClauseFirstWithItsBestSentence) {
  const Document document = two_clauses();
  const std::vector<double> scores = {0.1, 0.0, 0.1, 0.3};
  const std::vector<Citation> citations = cite(document, four_sentences(), scores, {}, 5);
  ASSERT_EQ(citations.size(), 2U);
  EXPECT_EQ(citations[0].label, "2");
  EXPECT_EQ(citations[0].quotation_text, "ddddddddd.");
  EXPECT_NEAR(citations[0].share, 0.8, 1e-12);
  EXPECT_NEAR(citations[0].lift, 1.6, 1e-12);
  EXPECT_EQ(citations[1].quotation_text, "1 aaaaaaa.");
}

TEST(Citations, QuoteExactlyWhatStandsAtTheirPlace) {
  const Document document = two_clauses();
  for (const Citation& citation :
       cite(document, four_sentences(), std::vector<double>{1, 2, 3, 4}, {}, 5)) {
    EXPECT_EQ(citation.quotation_text, document.slice(citation.quotation));
  }
}

TEST(Citations, LeaveOutWhatHasNoScoreAndKeepTheLimit) {
  const Document document = two_clauses();
  EXPECT_TRUE(cite(document, four_sentences(), std::vector<double>(4, 0.0), {}, 5).empty());
  EXPECT_EQ(cite(document, four_sentences(), std::vector<double>{1, 0, 0, 0}, {}, 5).size(), 1U);
  EXPECT_EQ(cite(document, four_sentences(), std::vector<double>{1, 1, 1, 1}, {}, 1).size(), 1U);
}

TEST(Citations, AClauseWithTheAnswersFiguresMovesUpButNotWithoutEvidence) {
  const Document document = two_clauses();
  const std::vector<double> scores = {0.2, 0.1, 0.0, 0.2};
  const std::vector<double> borne_out = {0, 0, 0, 1};
  const auto citations = cite(document, four_sentences(), scores, borne_out, 5);
  ASSERT_EQ(citations.size(), 2U);
  EXPECT_EQ(citations[0].label, "2");
  EXPECT_NEAR(citations[0].share, 0.4, 1e-12);  // what was measured
  EXPECT_EQ(citations[0].quotation_text, "ddddddddd.");
  const std::vector<double> only_first = {0.2, 0.1, 0.0, 0.0};
  EXPECT_EQ(cite(document, four_sentences(), only_first, borne_out, 5).size(), 1U);
}

TEST(Citations, ScoresThatAreNoNumbersCountForNothing) {
  const Document document = two_clauses();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto citations =
      cite(document, four_sentences(), std::vector<double>{kNan, -1, kInfinity, 0.5}, {}, 5);
  ASSERT_EQ(citations.size(), 1U);
  EXPECT_EQ(citations[0].quotation_text, "ddddddddd.");
  EXPECT_NEAR(citations[0].share, 1, 1e-12);
}

}  // namespace
}  // namespace whereof::answering
