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

}  // namespace
}  // namespace whereof::answering
