#include <gtest/gtest.h>

#include "retrieval/made_document.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

// The same words twice, then broken over lines and a page's edge as a PDF breaks them.
TEST(GoldPlaces, AreFoundNearWhereTheyStoodWhateverTheLines) {
  retrieval::DocumentMaker text;
  text.line("The fee is USD 5,000 a year.").line("Ältere Fassung: The fee is USD 5,000 a year.");
  const Document text_file = text.make();
  retrieval::DocumentMaker printed;
  printed.line("THE FEE IS USD").line("5,000 A YEAR.");
  printed.line("Ältere Fassung: The fee").line("Page 1", LineKind::page_number);
  printed.line("is USD 5,000 a year.");
  Document pdf = printed.make();
  pdf.source_runs.clear();

  QuestionSet set;
  set.documents.resize(1);
  GoldQuestion question;
  question.is_answerable = true;
  question.gold = {{4, 20}, {45, 72}, {0, 500}};
  question.needed = {{29, 35}};
  set.questions = {question};
  EXPECT_EQ(place_gold(set, 0, text_file, pdf), 0);
  const GoldQuestion& placed = set.questions[0];
  ASSERT_EQ(placed.gold.size(), 3U);
  EXPECT_EQ(pdf.slice(placed.gold[0]), "FEE IS USD\n5,000");
  EXPECT_EQ(pdf.slice(placed.gold[1]), "The fee\nPage 1\nis USD 5,000 a year");
  EXPECT_EQ(pdf.slice(placed.needed[0]), "Ältere");
  EXPECT_EQ(source_span(pdf, placed.gold[0]), placed.gold[0]);
}

TEST(GoldPlaces, WhatThePdfDoesNotHoldIsCountedAndMissed) {
  retrieval::DocumentMaker text;
  text.line("The cap is 5,000.").line("No interest is due.");
  retrieval::DocumentMaker printed;
  printed.line("The cap is 5,000.");
  Document pdf = printed.make();
  pdf.source_runs.clear();
  QuestionSet set;
  set.documents.resize(2);
  GoldQuestion question;
  question.is_answerable = true;
  question.gold = {{18, 37}};
  set.questions = {question, question};
  set.questions[1].document = 1;
  EXPECT_EQ(place_gold(set, 0, text.make(), pdf), 1);
  EXPECT_TRUE(set.questions[0].gold.empty());
  EXPECT_TRUE(set.questions[0].is_answerable);
  EXPECT_EQ(set.questions[1].gold.size(), 1U) << "another document's";
}

}  // namespace
}  // namespace whereof
