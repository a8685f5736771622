#include "text/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace whereof::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) {
    words.emplace_back(text.substr(static_cast<std::size_t>(word.bytes.begin),
                                   static_cast<std::size_t>(word.bytes.length())));
  }
  return words;
}

WordKind kind_of(std::string_view text) {
  WordScanner scanner(text);
  Word word;
  EXPECT_TRUE(scanner.next(word));
  EXPECT_EQ(word.bytes, (Span{0, static_cast<std::int64_t>(text.size())})) << text;
  return word.kind;
}

TEST(Words, OfEnglish) {
  EXPECT_THAT(words_of("The Buyer's non-compete, e.g. \"Losses\"."),
              ElementsAre("The", "Buyer", "non", "compete", "e", "g", "Losses"));
  EXPECT_THAT(words_of("the parties\u2019 rights; don't"),
              ElementsAre("the", "parties", "rights", "don"));
  EXPECT_THAT(words_of("naïve Ünïcode"), ElementsAre("naïve", "Ünïcode"));
  EXPECT_THAT(words_of(" \n\t.,;"), IsEmpty());
  EXPECT_THAT(words_of(""), IsEmpty());
}

TEST(Words, NumbersAndMoneyStayWhole) {
  EXPECT_THAT(words_of("$10,000.50 or 12.5% of 1,000."),
              ElementsAre("10,000.50", "or", "12.5", "of", "1,000"));
  EXPECT_EQ(kind_of("10,000.50"), WordKind::number);
  EXPECT_EQ(kind_of("10b"), WordKind::number);
}

TEST(Words, ClauseLabelsStayWhole) {
  EXPECT_THAT(words_of("Section 3.2(a)(iv), 12(b) and 4 (c)."),
              ElementsAre("Section", "3.2(a)(iv)", "12(b)", "and", "4", "c"));
  EXPECT_EQ(kind_of("3.2(a)(iv)"), WordKind::label);
  EXPECT_EQ(kind_of("3.2"), WordKind::number);
  EXPECT_EQ(kind_of("第三条"), WordKind::chinese_label);
  EXPECT_EQ(kind_of("第3.2条"), WordKind::chinese_label);
}

TEST(Words, UnclosedBracketIsNoLabel) {
  EXPECT_THAT(words_of("3(a"), ElementsAre("3", "a"));
  EXPECT_THAT(words_of("3()"), ElementsAre("3"));
  EXPECT_THAT(words_of("3(abcdefghijkl)"), ElementsAre("3", "abcdefghijkl"));
}

TEST(Words, OfChinese) {
  EXPECT_THAT(words_of("甲方，乙方"), ElementsAre("甲", "方", "乙", "方"));
  EXPECT_THAT(words_of("第十一条终止"),
              ElementsAre("第十一条", "第", "十", "一", "条", "终", "止"));
  EXPECT_THAT(words_of("第一，"), ElementsAre("第", "一"));
  EXPECT_THAT(words_of("向A公司支付100万元"),
              ElementsAre("向", "A", "公", "司", "支", "付", "100", "万", "元"));
}

// Ascending, inside the text, never empty, whatever the bytes are.
TEST(Words, AnyBytesGiveOrderedSpans) {
  std::mt19937 random(20260101);
  const std::string alphabet = "aZ09 .,()'\xE7\xAC\xAC\xE4\xB8\x89\xE6\x9D\xA1\xCC\x81\xFF\x80\n";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += alphabet[random() % alphabet.size()];
    WordScanner scanner(text);
    Word word;
    std::int64_t last = -1;
    while (scanner.next(word)) {
      ASSERT_LT(word.bytes.begin, word.bytes.end);
      ASSERT_LE(word.bytes.end, static_cast<std::int64_t>(text.size()));
      ASSERT_GE(word.bytes.begin, last) << "round " << round;
      last = word.bytes.begin;
    }
  }
}

TEST(Words, AMegabyteOfOneCharacterIsQuick) {
  for (const char* one : {"a", "1", "甲", "第", "(", "\xCC\x81", "3(", "1,", "第一"}) {
    std::string text;
    while (text.size() < 1'000'000) text += one;
    WordScanner scanner(text);
    Word word;
    std::int64_t last = 0;
    while (scanner.next(word)) last = word.bytes.end;
    EXPECT_LE(last, static_cast<std::int64_t>(text.size()));
  }
}

}  // namespace
}  // namespace whereof::text
