#include "retrieval/terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace whereof::retrieval {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> terms_of(std::string_view text) {
  std::vector<std::string> terms;
  TermScanner().scan(text, [&](const Term& term) {
    terms.emplace_back(term.text);
    return true;
  });
  return terms;
}

TEST(Terms, EnglishIsFoldedAndStemmed) {
  EXPECT_EQ(terms_of("Terminates"), terms_of("TERMINATION"));
  EXPECT_EQ(terms_of("liabilities"), terms_of("Liability"));
  EXPECT_EQ(terms_of("résumé"), terms_of("resume"));
}

TEST(Terms, NumbersAndLabels) {
  EXPECT_THAT(terms_of("$10,000"), ElementsAre("10000"));
  EXPECT_THAT(terms_of("3.2(A)"), ElementsAre("3.2(a)", "3.2"));
}

TEST(Terms, ChineseGivesCharactersAndPairs) {
  EXPECT_THAT(terms_of("损失"), ElementsAre("损", "失", "损失"));
  EXPECT_THAT(terms_of("损，失"), ElementsAre("损", "失"));
  EXPECT_THAT(terms_of("第十一条"), Contains("第11条"));
  EXPECT_THAT(terms_of("第11条"), Contains("第11条"));
}

TEST(Terms, ColocatedOnesAreNotCounted) {
  TermScanner scanner;
  EXPECT_EQ(scanner.count("损失 loss 3.2(a)"), 4);
  EXPECT_EQ(scanner.count(""), 0);
}

TEST(Terms, NoneIsLongerThan64Bytes) {
  for (const std::string& text :
       {std::string(100'000, 'a'), std::string(100'000, '1'), std::string(99'999, '\xCC')}) {
    for (const std::string& term : terms_of(text)) EXPECT_LE(term.size(), 64U);
  }
}

TEST(QuestionTerms, StopWordsAreDropped) {
  EXPECT_THAT(terms_of_question("What is the liability of the parties?").words,
              ElementsAre("liabil", "parti"));
  EXPECT_THAT(terms_of_question("损失是什么？").words, ElementsAre("损失"));
}

TEST(QuestionTerms, AQuestionOfStopWordsKeepsThem) {
  EXPECT_THAT(terms_of_question("who is it").words, Not(IsEmpty()));
}

TEST(QuestionTerms, ChineseIsAskedByPairs) {
  EXPECT_THAT(terms_of_question("诉讼时效").words, ElementsAre("诉讼", "讼时", "时效"));
  EXPECT_THAT(terms_of_question("税").words, ElementsAre("税"));
  EXPECT_THAT(terms_of_question("税").characters, IsEmpty());
  EXPECT_THAT(terms_of_question("诉讼时效").characters, ElementsAre("诉", "讼", "时", "效"));
  EXPECT_THAT(terms_of_question("notice of 诉讼").characters, ElementsAre("诉", "讼"));
}

TEST(QuestionTerms, ClausesAreNamed) {
  EXPECT_THAT(terms_of_question("Does the cap in clause 3 conflict with clause 11?").labels,
              ElementsAre("3", "11"));
  EXPECT_THAT(terms_of_question("clauses 3, 4 and 11.2(b)").labels,
              ElementsAre("3", "4", "11.2(b)"));
  EXPECT_THAT(terms_of_question("Article IV and Schedule A").labels, ElementsAre("4", "a"));
  EXPECT_THAT(terms_of_question("第三条与第十一条").labels, ElementsAre("3", "11"));
  EXPECT_THAT(terms_of_question("within 30 days after 2020").labels, IsEmpty());
}

TEST(QuestionTerms, AreBounded) {
  std::string question;
  for (int i = 0; i < 100'000; ++i)
    question += "w" + std::to_string(i) + " clause " + std::to_string(i) + " ";
  const QuestionTerms terms = terms_of_question(question);
  EXPECT_THAT(terms.words, SizeIs(128));
  EXPECT_THAT(terms.labels, SizeIs(128));
}

TEST(LabelTerms, NameAClauseAndItsAncestors) {
  EXPECT_EQ(label_terms("3.2(a)"), "3.2(a) 3.2 3");
  EXPECT_EQ(label_terms("Article III"), "3");
  EXPECT_EQ(label_terms("第十一条"), "11");
  EXPECT_EQ(label_terms(""), "");
}

}  // namespace
}  // namespace whereof::retrieval
