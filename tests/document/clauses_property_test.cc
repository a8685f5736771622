// What holds for the clauses of any text at all: random lines of numbers, words, references and
// stray bytes in random kinds and order.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>

#include "document/clause_text.h"
#include "whereof/document.h"

namespace whereof::document {
namespace {

const char* const kPieces[] = {"1.",
                               "2.",
                               "3",
                               "1.1",
                               "1.2",
                               "2.1",
                               "(a)",
                               "(b)",
                               "(i)",
                               "(ii)",
                               "(A)",
                               "a.",
                               "Article I",
                               "ARTICLE II",
                               "Section 1.01",
                               "Section 2",
                               "Schedule 1",
                               "EXHIBIT A",
                               "第一条",
                               "第二条",
                               "第一章",
                               "（一）",
                               "（二）",
                               "一、",
                               "附件一",
                               "① ",
                               "物权编",
                               "IN WITNESS WHEREOF",
                               "Sale",
                               "The Seller sells.",
                               "price; and",
                               "under Section 1.1 of",
                               "TERM AND END",
                               "损失是指",
                               "直接损失。",
                               "依照第一条的规定",
                               "12",
                               "........ 7",
                               "\"",
                               "(",
                               "（",
                               "\xE7",
                               "\xFF",
                               "\u00A0",
                               "\u3000",
                               "**",
                               "##",
                               "Contents",
                               "any other word",
                               ":",
                               "-"};

std::string random_text(std::mt19937_64& random) {
  std::string text;
  const int pieces = static_cast<int>(random() % 120);
  for (int n = 0; n < pieces; ++n) {
    text += kPieces[random() % std::size(kPieces)];
    const auto gap = random() % 8;
    text += gap < 4 ? " " : gap < 6 ? "\n" : gap < 7 ? "\n\n" : "";
  }
  return text;
}

Document random_document(std::mt19937_64& random) {
  Document document = document_of(random_text(random));
  for (Line& line : document.lines) {
    if (random() % 12 == 0) line.kind = static_cast<LineKind>(random() % 7);
    line.is_bold = random() % 4 == 0;
    line.left = static_cast<float>(random() % 3) * 18;
    if (random() % 30 == 0) {
      line.number_bytes = static_cast<std::int32_t>(random() % 8);
      line.level = static_cast<std::int32_t>(random() % 4);
    }
  }
  return document;
}

void expect_tree(const Document& document) {
  const auto size = static_cast<std::int64_t>(document.text.size());
  std::int64_t begin = 0;
  for (std::size_t c = 0; c < document.clauses.size(); ++c) {
    const Clause& clause = document.clauses[c];
    ASSERT_LE(begin, clause.text.begin) << "document order";
    begin = clause.text.begin;
    ASSERT_LE(clause.text.begin, clause.text.end);
    ASSERT_LE(clause.text.end, size);
    ASSERT_EQ(clause.own_text.begin, clause.text.begin);
    ASSERT_LE(clause.own_text.begin, clause.own_text.end);
    ASSERT_LE(clause.own_text.end, clause.text.end);
    ASSERT_LT(clause.parent, static_cast<std::int32_t>(c)) << "parents before children";
    ASSERT_GE(clause.parent, -1);
    if (clause.kind != ClauseKind::preamble && clause.kind != ClauseKind::closing) {
      ASSERT_FALSE(clause.number.empty());
      ASSERT_EQ(document.slice({clause.text.begin, clause.text.begin + static_cast<std::int64_t>(
                                                                           clause.number.size())}),
                clause.number);
      ASSERT_FALSE(clause.label.empty());
    }
    if (clause.parent < 0) {
      ASSERT_EQ(clause.depth, 0);
    } else {
      const Clause& parent = document.clauses[static_cast<std::size_t>(clause.parent)];
      ASSERT_EQ(clause.depth, parent.depth + 1);
      ASSERT_LE(parent.own_text.end, clause.text.begin) << "own text before the first child";
      ASSERT_LE(clause.text.end, parent.text.end) << "nested";
    }
    if (c > 0) {
      const Clause& before = document.clauses[c - 1];
      const bool is_child = clause.parent == static_cast<std::int32_t>(c) - 1;
      ASSERT_TRUE(is_child || before.text.end <= clause.text.begin) << "siblings apart";
    }
    if (!clause.text.is_empty()) {
      const std::int32_t found = document.clause_at(clause.text.begin);
      ASSERT_GE(found, static_cast<std::int32_t>(c));
    }
  }
}

TEST(ClauseProperties, SpansNestAndStayApart) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 4000; ++round) {
    Document document = random_document(random);
    find_clauses(document);
    expect_tree(document);
    if (::testing::Test::HasFatalFailure()) {
      FAIL() << "round " << round << " of the text:\n" << document.text;
    }
  }
}

TEST(ClauseProperties, LinesThatLieAboutTheirPlaceAreHarmless) {
  Document document = document_of("1. Sale\n\n2. Price\n");
  document.lines[0].text = {5, 900};
  document.lines[1].text = {-7, 3};
  document.lines.push_back({{800, 900}});
  find_clauses(document);
  expect_tree(document);
}

// The largest text that is read, 4,000,000 characters, in shapes that make a careless search
// quadratic. The bound is some twenty times what it takes, for slow machines and sanitizers.
TEST(ClauseProperties, TimeIsLinearInTheText) {
  constexpr std::size_t kCharacters = 4'000'000;
  struct Shape {
    const char* name;
    const char* unit;
  };
  const Shape shapes[] = {{"numbers", "1. A\n"},
                          {"one line", "(a) x; "},
                          {"brackets", "("},
                          {"closers", ")"},
                          {"decimals", "1.1 A "},
                          {"spaces", " "},
                          {"letters", "a"},
                          {"articles", "Article I\n\n"},
                          {"han", "第一条的"},
                          {"sections", "Section 1.1 A\n"},
                          {"romans", "(i) x;\n(h) y;\n"},
                          {"stars", "*"},
                          {"contents", "1. A 1\n"},
                          {"nested", "1.\n(a)\n(i)\n(A)\n(1)\n"}};
  for (const Shape& shape : shapes) {
    std::string text;
    while (text.size() < kCharacters) text += shape.unit;
    Document document = document_of(std::move(text));
    const auto start = std::chrono::steady_clock::now();
    find_clauses(document);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 60.0) << shape.name;
    RecordProperty(std::string("seconds_") + shape.name, std::to_string(took.count()));
  }
}

TEST(ClauseProperties, CountingOnNeedsNoMoreThanLinearTime) {
  std::string text;
  for (int article = 1; text.size() < 4'000'000; ++article) {
    text += std::to_string(article % 290 + 1) +
            ". Heading\n\nSome text of the clause.\n\n(a) one;\n\n"
            "(b) two.\n\n";
  }
  Document document = document_of(std::move(text));
  const auto start = std::chrono::steady_clock::now();
  find_clauses(document);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 60.0);
  EXPECT_GT(document.clauses.size(), 10'000u);
}

}  // namespace
}  // namespace whereof::document
