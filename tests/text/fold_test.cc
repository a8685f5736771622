#include "text/fold.h"

#include <gtest/gtest.h>

#include "text/stemmer.h"
#include "text/utf8.h"

namespace whereof::text {
namespace {

TEST(Fold, JoinsSpellings) {
  EXPECT_EQ(fold("LOSSES"), "losses");
  EXPECT_EQ(fold("Élan"), "elan");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("o\xEF\xAC\x83"
                 "ce"),
            "office");
  EXPECT_EQ(fold("３．２"), "3.2");
  EXPECT_EQ(fold("第三条"), "第三条");
  EXPECT_EQ(fold(""), "");
}

TEST(Fold, IsItsOwnFold) {
  for (const char* text : {"Élan", "ΣΊΣΥΦΟΣ", "ﬁnal", "İstanbul", "甲ー乙"}) {
    EXPECT_EQ(fold(fold(text)), fold(text)) << text;
  }
}

TEST(Fold, MakesValidTextOfAnyBytes) {
  EXPECT_TRUE(is_valid(fold("a\xFF\xC3")));
  EXPECT_TRUE(is_valid(fold("\xED\xA0\x80")));
}

TEST(Stemmer, JoinsFormsOfAWord) {
  EnglishStemmer stemmer;
  const std::string once(stemmer.stem("terminate"));
  EXPECT_EQ(stemmer.stem("terminated"), once);
  EXPECT_EQ(stemmer.stem("termination"), once);
  EXPECT_EQ(stemmer.stem("terminating"), once);
  EXPECT_EQ(stemmer.stem("losses"), "loss");
}

TEST(Stemmer, LeavesLongRunsAlone) {
  EnglishStemmer stemmer;
  const std::string run(1000, 's');
  EXPECT_EQ(stemmer.stem(run), run);
}

}  // namespace
}  // namespace whereof::text
