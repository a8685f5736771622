#include "answering/language.h"

#include <gtest/gtest.h>

namespace whereof::answering {
namespace {

TEST(Language, FollowsTheLetters) {
  EXPECT_EQ(language_of("What is the cap?"), Language::english);
  EXPECT_EQ(language_of("第三条的赔偿上限是多少？"), Language::chinese);
  EXPECT_EQ(language_of("第3条的 cap 与第11条冲突吗？"), Language::chinese);
  EXPECT_EQ(language_of("Does 第三条 conflict with the termination right in the agreement?"),
            Language::english);
  EXPECT_EQ(language_of(""), Language::english);
  EXPECT_EQ(language_of("123 456"), Language::english);
}

TEST(Language, StatementsAreToldFromQuestionsAndOrders) {
  EXPECT_TRUE(is_statement("The Receiving Party may keep copies of the information."));
  EXPECT_TRUE(is_statement("受托人可以保留副本。"));
  EXPECT_FALSE(is_statement("May the Receiving Party keep copies?"));
  EXPECT_FALSE(is_statement("List the parties."));
  EXPECT_FALSE(is_statement("Termination for convenience"));
  EXPECT_FALSE(is_statement("请列出各方。"));
  EXPECT_FALSE(is_statement("N/A"));
  EXPECT_FALSE(is_statement("无"));
  EXPECT_FALSE(is_statement(""));
}

}  // namespace
}  // namespace whereof::answering
