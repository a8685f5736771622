#include <gtest/gtest.h>

#include <random>

#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

Document sample() {
  Document document;
  document.name = "agreement.pdf";
  document.path = "/tmp/agreement.pdf";
  document.type = DocumentType::pdf;
  document.content_hash = std::string(64, 'a');
  document.text = "1. Losses\nmeans 损失\n";
  document.lines = {{{0, 9}, LineKind::body, true, true, 72, 11, 2, 0},
                    {{10, 22}, LineKind::footnote, false, false, 90, 9, 0, -1, 87}};
  document.pages = {{{0, 10}, "i", 612, 792}, {{10, 23}, "1", 612, 792}};
  document.clauses = {{ClauseKind::clause, -1, 0, "1", "1", "Losses", {0, 23}, {0, 10}, 0, 1},
                      {ClauseKind::clause, 0, 1, "(a)", "1(a)", "", {10, 23}, {10, 23}, 1, 1}};
  document.report.pages = 2;
  document.report.pages_recognized = 1;
  document.report.confidence = 87;
  document.report.characters = 19;
  document.report.warnings = {"page 2 of 3: empty"};
  document.boxes.assign(19, Box{1, 2, 3, 4});
  document.code_point_index = {0};
  return document;
}

TEST(SerializeDocument, KeepsEverything) {
  const Document a = sample();
  const Document b = parse_document(serialize_document(a));
  EXPECT_EQ(b.name, a.name);
  EXPECT_EQ(b.path, a.path);
  EXPECT_EQ(b.type, a.type);
  EXPECT_EQ(b.content_hash, a.content_hash);
  EXPECT_EQ(b.text, a.text);
  ASSERT_EQ(b.lines.size(), 2u);
  EXPECT_EQ(b.lines[1].text, a.lines[1].text);
  EXPECT_EQ(b.lines[1].kind, LineKind::footnote);
  EXPECT_FALSE(b.lines[1].starts_paragraph);
  EXPECT_TRUE(b.lines[0].is_bold);
  EXPECT_EQ(b.lines[0].number_bytes, 2);
  EXPECT_EQ(b.lines[1].left, 90);
  EXPECT_EQ(b.lines[1].confidence, 87);
  EXPECT_EQ(b.report.pages_recognized, 1);
  EXPECT_EQ(b.report.confidence, 87);
  ASSERT_EQ(b.pages.size(), 2u);
  EXPECT_EQ(b.pages[0].label, "i");
  ASSERT_EQ(b.clauses.size(), 2u);
  EXPECT_EQ(b.clauses[1].label, "1(a)");
  EXPECT_EQ(b.clauses[1].parent, 0);
  EXPECT_EQ(b.report.warnings, a.report.warnings);
  ASSERT_EQ(b.boxes.size(), 19u);
  EXPECT_EQ(b.boxes[18].bottom, 4);
  EXPECT_EQ(b.code_point_index, a.code_point_index);
  EXPECT_EQ(serialize_document(b), serialize_document(a));
}

TEST(SerializeDocument, RefusesEveryCut) {
  const std::string bytes = serialize_document(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_document(std::string_view(bytes).substr(0, length)), Error) << length;
  }
  EXPECT_THROW(parse_document(bytes + "x"), Error);
}

TEST(SerializeDocument, RefusesEveryFlippedBit) {
  const std::string bytes = serialize_document(sample());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      EXPECT_THROW(parse_document(flipped), Error) << "byte " << at << ", bit " << bit;
    }
  }
}

// What a worker that a hostile file has taken over could send: a right checksum over wrong spans.
TEST(SerializeDocument, RefusesSpansOutsideTheText) {
  const auto refused = [](auto change) {
    Document document = sample();
    change(document);
    const std::string bytes = serialize_document(document);
    EXPECT_THROW(parse_document(bytes), Error);
  };
  refused([](Document& d) { d.lines[1].text.end = 1000; });
  refused([](Document& d) { d.lines[1].text = {22, 10}; });
  refused([](Document& d) { d.lines[1].text.begin = -1; });
  refused([](Document& d) { d.lines[0].number_bytes = 10; });
  refused([](Document& d) { std::swap(d.lines[0], d.lines[1]); });
  refused([](Document& d) { d.pages[1].text.end = 24; });
  refused([](Document& d) { d.clauses[1].parent = 1; });
  refused([](Document& d) { d.clauses[0].last_page = 2; });
  refused([](Document& d) { d.clauses[0].text.end = 24; });
  refused([](Document& d) { d.boxes.pop_back(); });
  refused([](Document& d) { d.text[20] = '\xFF'; });
  refused([](Document& d) { d.source_runs = {{-1, 0}}; });
}

}  // namespace
}  // namespace whereof
