#include "answering/named_clauses.h"

#include <gtest/gtest.h>

#include <string>

namespace whereof::answering {
namespace {

Clause clause_of(std::string number, std::string label, std::int32_t depth) {
  Clause clause;
  clause.number = std::move(number);
  clause.label = std::move(label);
  clause.depth = depth;
  return clause;
}

std::vector<std::string> named(std::string_view question, std::vector<Clause> clauses) {
  Document document;
  document.clauses = std::move(clauses);
  std::vector<std::string> labels;
  for (const std::int32_t i : clauses_named_in(question, document)) {
    labels.push_back(document.clauses[static_cast<std::size_t>(i)].label);
  }
  return labels;
}

using Strings = std::vector<std::string>;

TEST(NamedClauses, AreThoseAnnounced) {
  const std::vector<Clause> clauses = {clause_of("3", "3", 0), clause_of("3.1", "3.1", 1),
                                       clause_of("11", "11", 0), clause_of("30", "30", 0),
                                       clause_of("Schedule 2", "Schedule 2", 0)};
  EXPECT_EQ(named("Does the cap in clause 3 conflict with clause 11?", clauses),
            (Strings{"3", "11"}));
  EXPECT_EQ(named("Do clauses 3.1 and 11 apply for 30 days?", clauses), (Strings{"3.1", "11"}));
  EXPECT_EQ(named("What does Schedule 2 list?", clauses), Strings{"Schedule 2"});
  EXPECT_EQ(named("Is there a notice of 30 days?", clauses), Strings{});
}

TEST(NamedClauses, IgnoreTheAnnouncingWordOfTheNumber) {
  const std::vector<Clause> clauses = {clause_of("Article III", "Article III", 0),
                                       clause_of("Section 3.02", "Section 3.02", 1)};
  EXPECT_EQ(named("What does section 3.02 of Article III say?", clauses),
            (Strings{"Article III", "Section 3.02"}));
}

TEST(NamedClauses, InChineseStandWhole) {
  const std::vector<Clause> clauses = {clause_of("第三条", "第三条", 0),
                                       clause_of("第十一条", "第十一条", 0),
                                       clause_of("第一条", "第一条", 0)};
  EXPECT_EQ(named("第三条与第十一条冲突吗？", clauses), (Strings{"第三条", "第十一条"}));
}

TEST(NamedClauses, ALabelInDepthNeedsItsWholeName) {
  const std::vector<Clause> clauses = {clause_of("3", "3", 0), clause_of("(a)", "3(a)", 1),
                                       clause_of("(a)", "5(a)", 1)};
  EXPECT_EQ(named("What is clause 5(a)?", clauses), Strings{"5(a)"});
}

TEST(NamedClauses, TheSecondListOfAClauseIsNamedByItsOrdinal) {
  const std::vector<Clause> clauses = {clause_of("5", "5", 0), clause_of("(a)", "5(a)", 1),
                                       clause_of("(a)", "5, second (a)", 1)};
  EXPECT_EQ(named("What is clause 5, second (a)?", clauses), Strings{"5, second (a)"});
  EXPECT_EQ(named("What is clause 5(a)?", clauses), Strings{"5(a)"});
  EXPECT_EQ(named("What does clause 5, second sentence, say?", clauses), Strings{"5"});
}

}  // namespace
}  // namespace whereof::answering
