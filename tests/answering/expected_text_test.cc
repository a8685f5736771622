// Where a clause or words stand in a document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "retrieval/made_document.h"
#include "whereof/diagnosis.h"

namespace whereof {
namespace {

using retrieval::DocumentMaker;

std::string text_of(const Document& document, const ExpectedText& found) {
  std::string text;
  for (const Span place : found.text) text += "[" + std::string(document.slice(place)) + "]";
  return text;
}

Document contract() {
  return DocumentMaker()
      .line("Clause 9.9 of the old contract is gone.")
      .clause("1", "1. The Buyer pays.", "Price")
      .open("2")
      .line("2. Ends")
      .clause("2.1", "2.1 By notice.")
      .close()
      .clause("Schedule 1, 4", "4. Pumps.")
      .clause("Schedule 2, 4", "4. Valves.")
      .clause("第三条", "第三条　甲方付款。", "付款")
      .make();
}

TEST(FindClauseText, TakesALabelHoweverItIsWritten) {
  const Document document = contract();
  for (const char* label : {"2.1", "Clause 2.1", "section 2.1.", " 2. 1 ", "２.１"}) {
    EXPECT_EQ(text_of(document, find_clause_text(document, label)), "[2.1 By notice.\n]") << label;
  }
  EXPECT_EQ(text_of(document, find_clause_text(document, "第三条")), "[第三条　甲方付款。\n]");
}

TEST(FindClauseText, TakesAllThatLiesBelow) {
  const Document document = contract();
  EXPECT_EQ(text_of(document, find_clause_text(document, "2")), "[2. Ends\n2.1 By notice.\n]");
}

TEST(FindClauseText, TakesTheEndOfALabelOrAHeading) {
  const Document document = contract();
  EXPECT_EQ(text_of(document, find_clause_text(document, "Schedule 2, 4")), "[4. Valves.\n]");
  EXPECT_EQ(text_of(document, find_clause_text(document, "4")), "[4. Pumps.\n][4. Valves.\n]");
  EXPECT_EQ(text_of(document, find_clause_text(document, "price")), "[1. The Buyer pays.\n]");
}

TEST(FindClauseText, SaysWhenALabelIsMentionedOnly) {
  const Document document = contract();
  const ExpectedText mentioned = find_clause_text(document, "9.9");
  EXPECT_TRUE(mentioned.text.empty());
  EXPECT_TRUE(mentioned.is_mentioned);
  EXPECT_FALSE(find_clause_text(document, "8.8").is_mentioned);
  EXPECT_TRUE(find_clause_text(document, " ").text.empty());
}

TEST(FindWords, CrossLinesAndPages) {
  const Document document = DocumentMaker()
                                .line("The Buyer pays")
                                .line("Page 3", LineKind::page_number)
                                .line("forty euros; the Buyer", LineKind::body, false)
                                .line("买方应当在三十日")
                                .line("内付款。", LineKind::body, false)
                                .make();
  EXPECT_EQ(text_of(document, find_words(document, "buyer PAYS forty")),
            "[Buyer pays\nPage 3\nforty]");
  EXPECT_EQ(text_of(document, find_words(document, "三十日内付款")), "[三十日\n内付款]");
  EXPECT_EQ(find_words(document, "the buyer").text.size(), 2U);
  EXPECT_EQ(text_of(document, find_words(document, "page 3")), "[Page 3]");
  EXPECT_TRUE(find_words(document, "sixty").text.empty());
  EXPECT_TRUE(find_words(document, "").text.empty());
}

TEST(DiagnosisOfAbsent, NamesThePagesWithoutText) {
  Document document = contract();
  ClauseDiagnosis diagnosis =
      diagnosis_of_absent(document, find_clause_text(document, "8.8"), "What is the price?");
  EXPECT_EQ(diagnosis.diagnosis, Diagnosis::not_in_text);
  EXPECT_EQ(diagnosis.reasons.size(), 1U);
  document.report.pages_without_text = 2;
  diagnosis = diagnosis_of_absent(document, find_clause_text(document, "8.8"), "价款是多少？");
  EXPECT_TRUE(diagnosis.is_chinese);
  ASSERT_EQ(diagnosis.reasons.size(), 2U);
  EXPECT_THAT(diagnosis.reasons[1], testing::HasSubstr(" 2 "));
}

}  // namespace
}  // namespace whereof
