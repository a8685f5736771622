#include "text/sentences.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace whereof::text {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (const Span span : sentences(text)) {
    parts.emplace_back(
        text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.length())));
  }
  return parts;
}

using Strings = std::vector<std::string>;

TEST(Sentences, EndsAtStopsThatBlanksFollow) {
  EXPECT_EQ(split("It ends. It begins! Does it? Yes"),
            (Strings{"It ends.", "It begins!", "Does it?", "Yes"}));
  EXPECT_EQ(split("He said \"stop.\" She did."), (Strings{"He said \"stop.\"", "She did."}));
  EXPECT_EQ(split("At 3.14 per cent."), (Strings{"At 3.14 per cent."}));
}

TEST(Sentences, KeepsAbbreviationsAndClauseNumbersTogether) {
  EXPECT_EQ(split("Acme Inc. and J. Smith agree. Done."),
            (Strings{"Acme Inc. and J. Smith agree.", "Done."}));
  EXPECT_EQ(split("3. The cap applies.\n4. It lapses."),
            (Strings{"3. The cap applies.", "4. It lapses."}));
}

TEST(Sentences, EndsAtChineseMarksWithoutBlanks) {
  EXPECT_EQ(split("甲方应付款。乙方应交货；“违约的，应赔偿。”本条完。"),
            (Strings{"甲方应付款。", "乙方应交货；", "“违约的，应赔偿。”", "本条完。"}));
}

TEST(Sentences, EndsAtAnEmptyLine) {
  EXPECT_EQ(split("HEADING\n \nBody"), (Strings{"HEADING", "Body"}));
}

TEST(Sentences, CoverEverythingButBlanks) {
  std::mt19937 random(7);
  const std::string letters = "aB3. !?\n\t\"(\xE3\x80\x82\xFF";
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += letters[random() % letters.size()];
    std::string covered(text.size(), ' ');
    std::int64_t last = 0;
    for (const Span span : sentences(text)) {
      ASSERT_GE(span.begin, last);
      ASSERT_FALSE(span.is_empty());
      last = span.end;
      for (auto i = static_cast<std::size_t>(span.begin); i < static_cast<std::size_t>(span.end);
           ++i) {
        covered[i] = text[i];
      }
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t';
      ASSERT_TRUE(is_blank || covered[i] == text[i]);
    }
  }
}

}  // namespace
}  // namespace whereof::text
