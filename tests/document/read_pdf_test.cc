#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using testing::at;
using ::testing::HasSubstr;
using testing::SamplePdf;
using testing::TemporaryFolder;

class ReadPdf : public ::testing::Test {
 protected:
  Document read(const SamplePdf& pdf) { return read_document(folder_.write("a.pdf", pdf.bytes())); }
  std::string error_of(const SamplePdf& pdf) {
    try {
      read(pdf);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_document);
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

std::vector<std::string> lines_of(const Document& document, LineKind kind = LineKind::body) {
  std::vector<std::string> lines;
  for (const Line& line : document.lines) {
    if (line.kind == kind) lines.emplace_back(document.slice(line.text));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_F(ReadPdf, ReadsLinesFromTopToBottomWithPlaces) {
  const Document document =
      read(SamplePdf().page(at(72, 600, "second line of it") + at(72, 700, "1.", 11, "F2") +
                            at(100, 700, "Losses", 11, "F2")));
  EXPECT_EQ(lines_of(document), (Lines{"1. Losses", "second line of it"}));
  EXPECT_TRUE(document.lines[0].is_bold);
  EXPECT_FALSE(document.lines[1].is_bold);
  EXPECT_NEAR(document.lines[0].left, 72, 1);
  EXPECT_NEAR(document.lines[0].font_size, 11, 0.1);
  ASSERT_EQ(document.pages.size(), 1u);
  EXPECT_EQ(document.pages[0].width, 612);
  EXPECT_EQ(document.report.pages, 1);
  const auto boxes = document.boxes_of({3, 9});
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR(boxes[0].box.left, 100, 1);
  EXPECT_LT(boxes[0].box.top, 792 - 700);
  EXPECT_GT(boxes[0].box.bottom, 792 - 700);
  EXPECT_EQ(document.boxes.size(), static_cast<std::size_t>(document.report.characters));
}

TEST_F(ReadPdf, TurnsRotatedPages) {
  // Written upwards on a page that is shown turned by 90 degrees clockwise.
  const std::string content = "BT /F1 11 Tf 0 1 -1 0 100 72 Tm (Turned page) Tj ET\n";
  const Document document = read(SamplePdf().page(content, "/Rotate 90"));
  EXPECT_EQ(document.text, "Turned page\n");
  EXPECT_EQ(document.pages[0].width, 792);
  const auto boxes = document.boxes_of({0, 6});
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR(boxes[0].box.left, 72, 1);
  EXPECT_NEAR(boxes[0].box.bottom, 100, 5);
}

TEST_F(ReadPdf, KeepsHeadersFootersAndPageNumbersApart) {
  SamplePdf pdf;
  for (int page = 1; page <= 4; ++page) {
    pdf.page(at(72, 760, "Share Purchase Agreement", 9) +
             at(72, 700, "Clause text of page " + std::string(1, static_cast<char>('a' + page))) +
             at(72, 400, "More of it") + at(300, 40, "- " + std::to_string(page + 6) + " -", 9));
  }
  const Document document = read(pdf);
  EXPECT_EQ(lines_of(document, LineKind::header).size(), 4u);
  EXPECT_EQ(lines_of(document, LineKind::page_number),
            (Lines{"- 7 -", "- 8 -", "- 9 -", "- 10 -"}));
  EXPECT_EQ(lines_of(document).size(), 8u);
  EXPECT_EQ(document.pages[3].label, "10");
}

TEST_F(ReadPdf, AClauseThatOnlyLooksLikeAHeaderStays) {
  SamplePdf pdf;
  for (int page = 0; page < 4; ++page) {
    pdf.page(at(72, 700 - 20 * page, "(a) the Seller") + at(72, 300 + 20 * page, "5"));
  }
  EXPECT_EQ(lines_of(read(pdf)).size(), 8u);
}

TEST_F(ReadPdf, UsesPageLabels) {
  const Document document =
      read(SamplePdf()
               .page(at(72, 700, "Contents"))
               .page(at(72, 700, "Body"))
               .catalog("/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >>"));
  EXPECT_EQ(document.pages[0].label, "i");
  EXPECT_EQ(document.pages[1].label, "1");
}

TEST_F(ReadPdf, UndoesHyphenation) {
  const Document document = read(SamplePdf().page(
      at(72, 700, "The Seller shall indem-") + at(72, 686, "nify the Buyer on a non-") +
      at(72, 672, "exclusive basis, a well-known and a third-party") +
      at(72, 658, "claim of a third-") + at(72, 644, "party, within 30-") +
      at(72, 630, "day terms - of") + at(72, 616, "it.")));
  EXPECT_EQ(document.text,
            "The Seller shall indemnify\nthe Buyer on a non-exclusive\n"
            "basis, a well-known and a third-party\nclaim of a third-party,\n"
            "within 30-day\nterms - of\nit.\n");
  // The moved half keeps its place: two boxes, one a line of the page.
  const auto begin = static_cast<std::int64_t>(document.text.find("indemnify"));
  const auto boxes = document.boxes_of({begin, begin + 9});
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_GT(boxes[1].box.top, boxes[0].box.top + 10);
}

TEST_F(ReadPdf, ReadsTwoColumnsOneAfterTheOther) {
  std::string content = at(72, 740, "A title that runs over both of the columns of this page", 16);
  for (int row = 0; row < 12; ++row) {
    const double y = 700 - 14 * row;
    content += at(72, y, "left column line number " + std::to_string(row) + " runs on", 10);
    content += at(320, y, "right column line number " + std::to_string(row) + " runs", 10);
  }
  const Lines lines = lines_of(read(SamplePdf().page(content)));
  ASSERT_EQ(lines.size(), 25u);
  EXPECT_THAT(lines[1], HasSubstr("left column line number 0"));
  EXPECT_THAT(lines[12], HasSubstr("left column line number 11"));
  EXPECT_THAT(lines[13], HasSubstr("right column line number 0"));
}

TEST_F(ReadPdf, ReadsATableByRows) {
  std::string content;
  for (int row = 0; row < 12; ++row) {
    const double y = 700 - 14 * row;
    content += at(72, y, "Item " + std::to_string(row)) + at(320, y, std::to_string(row * 10));
  }
  const Lines lines = lines_of(read(SamplePdf().page(content)));
  ASSERT_EQ(lines.size(), 12u);
  EXPECT_EQ(lines[3], "Item 3 30");
}

TEST_F(ReadPdf, MarksContents) {
  std::string content = at(280, 740, "Contents", 13);
  for (int i = 1; i <= 5; ++i) {
    content += at(72, 740 - 20 * i,
                  std::to_string(i) + ". Clause heading" + std::string(40, '.') + " " +
                      std::to_string(i + 2));
  }
  content += at(72, 600, "1. Definitions");
  const Document document = read(SamplePdf().page(content));
  EXPECT_EQ(lines_of(document, LineKind::contents).size(), 6u);
  EXPECT_EQ(lines_of(document), (Lines{"1. Definitions"}));
}

TEST_F(ReadPdf, KeepsHiddenTextOut) {
  const Document document = read(SamplePdf().page(
      at(72, 700, "Seen.") + at(72, 680, "Invisible", 11, "F1", "3 Tr") + "0 Tr\n" + "1 1 1 rg\n" +
      at(72, 660, "White") + "0 0 0 rg\n" + at(72, 640, "Tiny", 0.5) + at(900, 620, "Outside") +
      at(72, 600, "Seen too.")));
  EXPECT_EQ(document.text, "Seen.\nSeen too.\n");
  EXPECT_EQ(document.report.hidden_characters, 9 + 5 + 4 + 7);
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0], "25 hidden characters kept out of the text");
}

TEST_F(ReadPdf, WhiteTextOnADarkGroundIsSeen) {
  const Document document = read(SamplePdf().page("0 0 0.4 rg 60 690 300 30 re f\n1 1 1 rg\n" +
                                                  at(72, 700, "Heading") + "0 0 0 rg\n"));
  EXPECT_EQ(document.text, "Heading\n");
  EXPECT_EQ(document.report.hidden_characters, 0);
}

constexpr const char* kPicture = "q 500 0 0 700 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x55 EI Q\n";

TEST_F(ReadPdf, TheTextLayerOfAScanIsSeen) {
  const Document document =
      read(SamplePdf().page(kPicture + at(72, 680, "Recognised", 11, "F1", "3 Tr")));
  EXPECT_EQ(document.text, "Recognised\n");
  EXPECT_EQ(document.report.hidden_characters, 0);
}

TEST_F(ReadPdf, NamesAScan) {
  const std::string message = error_of(SamplePdf().page(kPicture).page(kPicture));
  EXPECT_THAT(message, HasSubstr("0 characters of text on 2 pages"));
  EXPECT_THAT(message, HasSubstr("a scan"));
}

TEST_F(ReadPdf, NamesPagesWithoutText) {
  const Document document = read(
      SamplePdf().page(at(72, 700, "Text")).page(kPicture).page("").page(kPicture).page(kPicture));
  EXPECT_EQ(document.report.pages_without_text, 4);
  EXPECT_EQ(document.report.warnings,
            (Lines{"page 2, 4-5 of 5: pictures without text, not read", "page 3 of 5: empty"}));
  EXPECT_EQ(document.page_of(0), 0);
}

TEST_F(ReadPdf, NamesAnEncryptedFile) {
  // Standard security handler, revision 3: neither entry fits the empty password.
  const std::string entry(64, 'A');
  const std::string message =
      error_of(SamplePdf()
                   .page(at(72, 700, "Secret"))
                   .trailer("/Encrypt << /Filter /Standard /V 2 /R 3 "
                            "/Length 128 /P -44 /O <" +
                            entry + "> /U <" + entry + "> >> /ID [<00> <00>]"));
  EXPECT_THAT(message, HasSubstr("encrypted PDF that needs a password"));
}

TEST_F(ReadPdf, NamesABrokenFile) {
  const auto path = folder_.write("b.pdf", "%PDF-1.7\nnothing of use\n%%EOF\n");
  try {
    read_document(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_document);
    EXPECT_STREQ(error.what(), "b.pdf: a broken PDF; no page could be found in its 30 bytes");
  }
}

TEST_F(ReadPdf, HoldsItsLimits) {
  SamplePdf pdf;
  pdf.page(at(72, 700, "12345")).page(at(72, 700, "12345"));
  const auto path = folder_.write("a.pdf", pdf.bytes());
  ReadDocumentOptions options;
  options.limits.pages = 2;
  options.limits.characters = 12;  // with the newlines
  EXPECT_EQ(read_document(path, options).report.characters, 12);
  options.limits.characters = 11;
  EXPECT_THROW(read_document(path, options), Error);
  options.limits.characters = 12;
  options.limits.pages = 1;
  EXPECT_THROW(read_document(path, options), Error);
}

}  // namespace
}  // namespace whereof
