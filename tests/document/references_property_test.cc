// What holds for the definitions and references of any text at all: random pieces of contracts,
// stray bytes among them, and shapes that make a careless search quadratic.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

#include "document/clause_text.h"
#include "whereof/references.h"

namespace whereof::document {
namespace {

const char* const kPieces[] = {"1.",
                               "1.1",
                               "2.",
                               "(a)",
                               "(b)",
                               "(i)",
                               "Article I",
                               "Section 1.1",
                               "Sections 1.1",
                               "Section",
                               "§§ 1",
                               "clause (a)",
                               "and (b)",
                               ", (b) and (c)",
                               "to 2.1",
                               "through",
                               "Schedule 1",
                               "Exhibit A-1",
                               "of Schedule 1",
                               "of the Exchange Act",
                               "of this Agreement",
                               "hereof",
                               "thereof",
                               "this Section",
                               "the foregoing paragraph",
                               "第一条",
                               "第二条第一款",
                               "第（一）项",
                               "至第九条",
                               "、第三条",
                               "本条",
                               "前款",
                               "前两条",
                               "《公司法》",
                               "附件一",
                               "附件",
                               "“X”",
                               "\"Price\"",
                               "means",
                               "means of",
                               "(the \"Buyer\")",
                               "(collectively, the “Buyers”)",
                               "Buyers",
                               "Price's",
                               "以下简称“甲方”",
                               "以下简称乙方）",
                               "（",
                               "）",
                               "“标的”指",
                               "所称标的是指",
                               "标的",
                               "DEFINITIONS",
                               "Affiliate: a company",
                               "the Escrow Account",
                               "\t",
                               "|",
                               "**",
                               "\"",
                               "“",
                               "(",
                               ")",
                               ",",
                               ";",
                               ".",
                               "\xE7",
                               "\xFF",
                               "\xC2",
                               "\u00A0",
                               "\u3000",
                               "IN WITNESS WHEREOF",
                               "Amendment to",
                               "amended"};

Document random_document(std::mt19937_64& random) {
  std::string text;
  const auto pieces = random() % 160;
  for (std::uint64_t n = 0; n < pieces; ++n) {
    text += kPieces[random() % std::size(kPieces)];
    const auto gap = random() % 8;
    text += gap < 4 ? " " : gap < 5 ? "\n" : gap < 6 ? "\n\n" : "";
  }
  Document document = document_of(std::move(text));
  for (Line& line : document.lines) {
    if (random() % 10 == 0) line.kind = static_cast<LineKind>(random() % 7);
  }
  find_clauses(document);
  return document;
}

void expect_inside(Span span, const Document& document) {
  ASSERT_LE(0, span.begin);
  ASSERT_LT(span.begin, span.end);
  ASSERT_LE(span.end, static_cast<std::int64_t>(document.text.size()));
}

void expect_references(const Document& document, const Document& other) {
  std::int64_t end = 0;
  for (const Reference& reference : find_references(document, {&other})) {
    expect_inside(reference.text, document);
    ASSERT_LE(end, reference.text.begin) << "ascending and disjoint";
    end = reference.text.end;
    ASSERT_EQ(reference.clause, document.clause_at(reference.text.begin));
    ASSERT_LE(-1, reference.document);
    ASSERT_LE(reference.document, 0);
    const Document& named = reference.document < 0 ? document : other;
    for (const std::int32_t target : reference.targets) {
      ASSERT_LE(0, target);
      ASSERT_LT(target, static_cast<std::int32_t>(named.clauses.size()));
    }
    for (const Span& missing : reference.missing) expect_inside(missing, document);
    if (reference.kind == ReferenceKind::resolved) {
      ASSERT_FALSE(reference.targets.empty());
      ASSERT_TRUE(reference.missing.empty());
    } else if (reference.kind == ReferenceKind::external) {
      ASSERT_TRUE(reference.targets.empty());
    } else {
      ASSERT_FALSE(reference.missing.empty());
    }
  }
}

void expect_uses(const std::vector<TermUse>& uses, const Document& document) {
  std::int64_t end = 0;
  for (const TermUse& use : uses) {
    expect_inside(use.text, document);
    ASSERT_LE(end, use.text.begin) << "ascending and disjoint";
    end = use.text.end;
    ASSERT_EQ(use.clause, document.clause_at(use.text.begin));
  }
}

void expect_definitions(const Document& document) {
  const std::vector<Definition> definitions = find_definitions(document);
  std::int64_t begin = 0;
  for (const Definition& definition : definitions) {
    ASSERT_FALSE(definition.term.empty());
    expect_inside(definition.term_text, document);
    expect_inside(definition.text, document);
    ASSERT_LE(begin, definition.term_text.begin) << "ascending";
    begin = definition.term_text.begin;
    ASSERT_LE(definition.text.begin, definition.term_text.begin);
    ASSERT_LE(definition.term_text.end, definition.text.end);
    for (const Span& more : definition.more) expect_inside(more, document);
    expect_uses(definition.uses, document);
  }
  for (const UndefinedTerm& term : find_undefined_terms(document, definitions)) {
    expect_uses(term.uses, document);
  }
}

TEST(ReferenceProperties, SpansLieInTheTextInOrder) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Document other = random_document(random);
  for (int round = 0; round < 2000; ++round) {
    const Document document = random_document(random);
    expect_references(document, other);
    expect_definitions(document);
    if (::testing::Test::HasFatalFailure()) {
      FAIL() << "round " << round << " of the text:\n" << document.text;
    }
  }
}

TEST(ReferenceProperties, LinesThatLieAboutTheirPlaceAreHarmless) {
  Document document = document_of("1. Sale\n\nSection 1 “X” means Y.\n\n2. Price\n");
  find_clauses(document);
  document.lines[0].text = {5, 900};
  document.lines[1].text = {-7, 3};
  document.lines.push_back({{800, 900}});
  expect_references(document, document);
  expect_definitions(document);
}

// A tenth of the largest text that is read, so that the test stays short; the bound is many times
// what it takes, for slow machines and sanitizers: a quadratic search takes hours.
TEST(ReferenceProperties, TimeIsLinearInTheText) {
  constexpr std::size_t kBytes = 400'000;
  const char* const kShapes[] = {"Section 1 ",
                                 "Sections 1 to 299, ",
                                 "1. A\n\nSections 1 to 9.\n\n",
                                 "(a) ",
                                 "Section 1(a)(a)(a)(a)(a)(a)(a)(a) and (a), ",
                                 "clause (b) ",
                                 "“A",
                                 "(the \"A\") ",
                                 "\"A\" or ",
                                 "(",
                                 "“A” means ",
                                 "第一条",
                                 "第一、",
                                 "第一条至第九条、",
                                 "前款",
                                 "以下简称",
                                 "《",
                                 "附件一、",
                                 "the Big ",
                                 "A: b c d\n\n",
                                 "of the Act Section 1 "};
  for (const char* shape : kShapes) {
    std::string text = "1. Definitions\n\n(a) one\n\n";
    while (text.size() < kBytes) text += shape;
    Document document = document_of(std::move(text));
    find_clauses(document);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Definition> definitions = find_definitions(document);
    find_undefined_terms(document, definitions);
    find_references(document, {&document});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 60.0) << shape;
    RecordProperty(std::string("seconds_") + shape, std::to_string(took.count()));
  }
}

}  // namespace
}  // namespace whereof::document
