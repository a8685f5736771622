#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "retrieval/made_document.h"
#include "retrieval/passage_cuts.h"
#include "retrieval/passage_fields.h"
#include "text/utf8.h"
#include "whereof/retrieval.h"

namespace whereof::retrieval {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> texts(const Document& document, std::int64_t max_characters = 800) {
  std::vector<std::string> all;
  for (const Passage& passage : split_passages(document, max_characters)) {
    all.emplace_back(document.slice(passage.text));
  }
  return all;
}

std::string words(int count, const std::string& word = "word") {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " " : "") + word;
  return text;
}

TEST(Passages, OfNothing) { EXPECT_TRUE(split_passages(Document()).empty()); }

TEST(Passages, AClauseThatFitsIsOne) {
  const Document document = DocumentMaker().clause("1", "1. One.").clause("2", "2. Two.").make();
  const auto passages = split_passages(document);
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(document.slice(passages[0].text), "1. One.");
  EXPECT_EQ(passages[0].clause, 0);
  EXPECT_EQ(passages[1].clause, 1);
}

TEST(Passages, SmallSubclausesStayWithTheWordsThatIntroduceThem) {
  const Document document = DocumentMaker()
                                .open("1")
                                .line("1. A party may:")
                                .clause("1(a)", "(a) sell; or")
                                .clause("1(b)", "(b) buy.")
                                .close()
                                .make();
  const auto passages = split_passages(document);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].clause, 0);
}

TEST(Passages, NeighboursAreJoinedWhileTheyFit) {
  DocumentMaker maker;
  maker.open("1").line("1. A party may:");
  for (const char* label : {"(a)", "(b)", "(c)", "(d)"}) {
    maker.clause(std::string("1") + label, std::string(label) + " " + words(5));
  }
  const Document document = maker.close().make();
  EXPECT_THAT(texts(document, 75),
              ElementsAre("1. A party may:\n(a) " + words(5) + "\n(b) " + words(5),
                          "(c) " + words(5) + "\n(d) " + words(5)));
}

TEST(Passages, NothingIsJoinedAcrossTheTopNorUnderAPart) {
  const Document document = DocumentMaker()
                                .line("Preamble.")
                                .open("Article I", "TERM", ClauseKind::part)
                                .line("ARTICLE I TERM")
                                .clause("1.1", "1.1 First.")
                                .clause("1.2", "1.2 Second.")
                                .close()
                                .clause("2", "2. Last.")
                                .make();
  EXPECT_THAT(texts(document),
              ElementsAre("Preamble.", "ARTICLE I TERM\n1.1 First.", "1.2 Second.", "2. Last."));
}

TEST(Passages, LongTextIsCutAtSentenceEnds) {
  const std::string first = "The Seller shall pay " + words(20) + ".";
  const std::string second = "The Buyer shall not " + words(20) + ".";
  const Document document = DocumentMaker().clause("1", first + " " + second).make();
  EXPECT_THAT(texts(document, 150), ElementsAre(first, second));
}

TEST(Passages, LongChineseTextIsCutAtSentenceEnds) {
  std::string first = "甲方应当";
  std::string second = "乙方不得";
  for (int i = 0; i < 30; ++i) first += "付", second += "退";
  first += "。";
  second += "。";
  const Document document = DocumentMaker().clause("第一条", first + second).make();
  EXPECT_THAT(texts(document, 50), ElementsAre(first, second));
}

TEST(Passages, HeadersAreSteppedOverAndContentsPartPassages) {
  const Document document = DocumentMaker()
                                .line("Contents", LineKind::contents)
                                .open("1")
                                .line("1. The Buyer")
                                .line("Page 2", LineKind::page_number)
                                .line("Confidential", LineKind::header)
                                .line("shall pay.", LineKind::body, false)
                                .close()
                                .line("see above", LineKind::footnote)
                                .line("1. The Buyer .... 2", LineKind::contents)
                                .line("Annex.")
                                .make();
  const auto passages = split_passages(document);
  ASSERT_EQ(passages.size(), 3U);
  EXPECT_EQ(document.slice(passages[0].text), "1. The Buyer\nPage 2\nConfidential\nshall pay.");
  EXPECT_EQ(fields_of(document, passages[0]).body, "1. The Buyer\nshall pay.");
  EXPECT_EQ(document.slice(passages[1].text), "see above");
  EXPECT_EQ(document.slice(passages[2].text), "Annex.");
}

TEST(Passages, FieldsHoldLabelsAndHeadingsOfAllClausesAround) {
  const Document document = DocumentMaker()
                                .open("11", "TERMINATION")
                                .line("11. TERMINATION")
                                .open("11.2", "By the Buyer")
                                .line("11.2 By the Buyer. " + words(200))
                                .clause("11.2(a)", "(a) at once.")
                                .make();
  const auto passages = split_passages(document);
  const PassageFields last = fields_of(document, passages.back());
  EXPECT_THAT(last.labels, HasSubstr("11.2(a)"));
  EXPECT_THAT(last.heading, HasSubstr("TERMINATION\nBy the Buyer"));
}

// A random tree of clauses with lines of every kind.
Document random_document(std::mt19937& random) {
  DocumentMaker maker;
  int open = 0;
  const int lines = static_cast<int>(random() % 60);
  for (int i = 0; i < lines; ++i) {
    if (random() % 3 == 0 && open < 6) {
      maker.open("1", "", random() % 4 == 0 ? ClauseKind::part : ClauseKind::clause), ++open;
    }
    std::string text;
    const int length = static_cast<int>(random() % 30);
    for (int word = 0; word < length; ++word) {
      constexpr const char* kWords[] = {"pay", "甲方", "Inc.", "end. ", "且，", "。", "é", "x;"};
      text += kWords[random() % 8];
      if (random() % 2 == 0) text += ' ';
    }
    maker.line(text, static_cast<LineKind>(random() % 7), random() % 2 == 0);
    while (open > 0 && random() % 4 == 0) maker.close(), --open;
  }
  return maker.make();
}

bool lies_in(const Document& document, Span span, std::int32_t clause) {
  if (clause < 0) return true;
  const Span around = document.clauses[static_cast<std::size_t>(clause)].text;
  return around.begin <= span.begin && span.end <= around.end;
}

// The clauses at the top of the tree (-1: none) that hold the covered text of a span.
std::set<std::int32_t> tops_of(const Document& document, Span span) {
  std::set<std::int32_t> tops;
  for (const Line& line : document.lines) {
    if (!is_covered(line.kind)) continue;
    for (std::int64_t at = std::max(line.text.begin, span.begin);
         at < std::min(line.text.end, span.end); ++at) {
      if (document.text[static_cast<std::size_t>(at)] == ' ') continue;
      std::int32_t top = -1;
      for (std::size_t i = 0; i < document.clauses.size(); ++i) {
        const Clause& clause = document.clauses[i];
        if (clause.parent == -1 && clause.text.contains(at)) top = static_cast<std::int32_t>(i);
      }
      tops.insert(top);
    }
  }
  return tops;
}

TEST(Passages, PropertiesHoldForRandomTrees) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const Document document = random_document(random);
    const std::int64_t limit = 10 + static_cast<std::int64_t>(random() % 300);
    const auto passages = split_passages(document, limit);
    std::vector<bool> is_in_passage(document.text.size(), false);
    std::int64_t end = 0;
    for (const Passage& passage : passages) {
      ASSERT_GE(passage.text.begin, end) << "round " << round;
      ASSERT_FALSE(passage.text.is_empty());
      end = passage.text.end;
      ASSERT_LE(text::count_code_points(document.slice(passage.text)), limit);
      ASSERT_TRUE(text::is_valid(document.slice(passage.text)));
      ASSERT_TRUE(lies_in(document, passage.text, passage.clause));
      std::fill(is_in_passage.begin() + passage.text.begin, is_in_passage.begin() + end, true);
      ASSERT_LE(tops_of(document, passage.text).size(), 1U) << "round " << round;
    }
    for (const Line& line : document.lines) {
      if (!is_covered(line.kind)) continue;
      for (std::int64_t at = line.text.begin; at < line.text.end; ++at) {
        const char c = document.text[static_cast<std::size_t>(at)];
        ASSERT_TRUE(c == ' ' || is_in_passage[static_cast<std::size_t>(at)])
            << "round " << round << ", byte " << at;
      }
    }
  }
}

TEST(Passages, DeepAndLongDocumentsAreQuick) {
  DocumentMaker deep;
  for (int i = 0; i < 20'000; ++i) deep.open("1").line("x");
  EXPECT_FALSE(split_passages(deep.make()).empty());
  DocumentMaker flat;
  flat.line(std::string(2'000'000, 'x')).line(words(300'000));
  EXPECT_GT(split_passages(flat.make()).size(), 2500U);
}

TEST(PassageCuts, BalanceThePieces) {
  const std::string text = words(41);  // 204 characters
  const std::vector<Span> cuts = cut_text(text, {}, 200);
  ASSERT_EQ(cuts.size(), 2U);
  EXPECT_NEAR(static_cast<double>(cuts[0].length()), 102, 5);
}

TEST(PassageCuts, PreferParagraphsToSentencesToCommas) {
  const std::string a = words(12);
  EXPECT_EQ(cut_text(a + ", " + a, {}, 80)[0].length(), static_cast<std::int64_t>(a.size()) + 1);
  const std::string sentence = "One, two " + a + ". Three, four " + a;
  EXPECT_EQ(cut_text(sentence, {}, 110)[0].length(), static_cast<std::int64_t>(a.size()) + 10);
  const std::string lines = words(10) + "\n" + words(4) + ". " + words(6);
  EXPECT_EQ(cut_text(lines, {0, 50}, 80)[0].length(), 49);
}

TEST(PassageCuts, TextWithoutBlanksIsCutBetweenCodePoints) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "é";
  for (const Span cut : cut_text(text, {}, 7)) {
    EXPECT_LE(cut.length(), 14);
    EXPECT_EQ(cut.begin % 2, 0);
  }
}

}  // namespace
}  // namespace whereof::retrieval
