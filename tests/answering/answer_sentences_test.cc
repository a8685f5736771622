#include "answering/answer_sentences.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "text/sentences.h"

namespace whereof::answering {
namespace {

TEST(AnswerSentences, ATokenIsOfTheSentenceThatItLiesIn) {
  AnswerSentences sentences;
  const std::pair<const char*, std::size_t> tokens[] = {
      {"The", 0}, {" term", 0},  {" is", 0},  {" 4", 0},     {".", 0},
      {"5", 0},   {" years", 0}, {".", 0},    {" It", 1},    {" ends", 1},
      {".\"", 1}, {"\n\n", 1},   {"期限", 2}, {"五年。", 2}, {"到期", 3}};
  for (const auto& [token, sentence] : tokens) {
    EXPECT_EQ(sentences.append(token), sentence) << token;
  }
}

TEST(AnswerSentences, AreCountedAsTheyAreCutAtTheEnd) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces = {"The", " Inc",    ".", " 3",  "\n",    " U.S.", "。",
                                           "甲",  "! \"a\"", ")", " No", " word", "；",    "\n\n"};
  for (int i = 0; i < 500; ++i) {
    AnswerSentences sentences;
    std::string text;
    std::size_t last = 0;
    for (auto n = random() % 60; n > 0; --n) {
      const std::string& piece = pieces[random() % pieces.size()];
      text += piece;
      last = sentences.append(piece);
    }
    const std::size_t whole = text::sentences(text).size();
    EXPECT_EQ(whole == 0 ? 0 : whole - 1, last) << text;
  }
}

TEST(AnswerSentences, TakeAnyLengthInLinearTime) {
  AnswerSentences sentences;
  for (int i = 0; i < 100000; ++i) sentences.append("word ");
  EXPECT_EQ(sentences.append("word"), 0U);
}

}  // namespace
}  // namespace whereof::answering
