#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
  // Pictures stay unread: what recognition makes of them is text_recognition_test.cc's.
  Document read(const SamplePdf& pdf) {
    ReadDocumentOptions options;
    options.recognizes_text = false;
    return read_document(folder_.write("a.pdf", pdf.bytes()), options);
  }
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

TEST_F(ReadPdf, ReadsThreeColumnsOneAfterTheOther) {
  std::string content;
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 3; ++column) {
      content += at(
          60 + 170 * column, 700 - 14 * row,
          "column " + std::to_string(column) + " of the three, in line " + std::to_string(row), 9);
    }
  }
  const Lines lines = lines_of(read(SamplePdf().page(content)));
  ASSERT_EQ(lines.size(), 36u);
  EXPECT_EQ(lines[11], "column 0 of the three, in line 11");
  EXPECT_EQ(lines[12], "column 1 of the three, in line 0");
  EXPECT_EQ(lines[24], "column 2 of the three, in line 0");
}

TEST_F(ReadPdf, KeepsMarginLineNumbersAndStampsOutOfTheBody) {
  SamplePdf pdf;
  for (int page = 0; page < 3; ++page) {
    std::string content = "BT /F1 9 Tf 0 1 -1 0 20 300 Tm (Received in the margin) Tj ET\n";
    for (int line = 1; line <= 25; ++line) {
      content += at(40, 720 - 24 * line, std::to_string(line), 8);
      content +=
          at(72, 720 - 24 * line,
             "text of page " + std::to_string((page * 37 + line * 11) % 100) + " in its line");
    }
    pdf.page(content);
  }
  const Document document = read(pdf);
  for (const std::string& line : lines_of(document))
    EXPECT_EQ(line.find("text of page"), 0u) << line;
  EXPECT_EQ(lines_of(document).size(), 75u);
}

TEST_F(ReadPdf, TakesDoubledCharactersAndLigaturesOnce) {
  const Document document =
      read(SamplePdf().page(at(72, 700, "Bold by printing twice") +
                            at(72.3, 700, "Bold by printing twice") + at(72, 680, "all is well")));
  EXPECT_EQ(lines_of(document), (Lines{"Bold by printing twice", "all is well"}));
}

TEST_F(ReadPdf, ReadsFormFieldsAndAnnotationsApart) {
  SamplePdf pdf;
  const std::string rectangle = "/Rect [72 600 272 620]";
  const auto field = [&](const std::string& more) {
    return pdf.object("<< /Type /Annot /Subtype /Widget " + rectangle + " " + more + " >>");
  };
  const std::string price = field("/FT /Tx /T (f1) /TU (Price) /V (1,000 USD)");
  const std::string empty = field("/FT /Tx /T (f2)");
  const std::string hidden = field("/FT /Tx /T (f3) /V (obey) /F 2");
  const std::string look = pdf.object(
      "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream");
  const std::string ticked = field(
      "/FT /Btn /T (Renewal) /V /Yes /AS /Yes "
      "/AP << /N << /Yes " +
      look + " >> >>");
  const auto annotation = [&](const std::string& more) {
    return pdf.object("<< /Type /Annot " + rectangle + " " + more + " >>");
  };
  const std::string note = annotation("/Subtype /Text /T (J. Doe) /Contents (too high)");
  const std::string typed = annotation("/Subtype /FreeText /Contents (Signed in Bern)");
  const std::string link = annotation("/Subtype /Link /Contents (nothing)");
  const std::string fields = price + " " + empty + " " + hidden + " " + ticked;
  pdf.page(at(72, 700, "Text"), "/Annots [" + fields + " " + note + " " + typed + " " + link + "]");
  pdf.catalog("/AcroForm << /Fields [" + fields + "] >>");
  const Document document = read(pdf);
  EXPECT_EQ(lines_of(document), (Lines{"Text"}));
  EXPECT_EQ(lines_of(document, LineKind::form_field),
            (Lines{"Price: 1,000 USD", "Renewal: Yes", "Signed in Bern"}));
  EXPECT_EQ(lines_of(document, LineKind::annotation), (Lines{"Annotation (J. Doe): too high"}));
  EXPECT_EQ(document.report.hidden_characters, 8);  // "f3: obey"
  const auto boxes = document.boxes_of(document.lines[1].text);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR(boxes[0].box.top, 792 - 620, 0.1);
}

TEST_F(ReadPdf, AFormThatIsOnlyFilledInIsADocument) {
  SamplePdf pdf;
  const std::string field = pdf.object(
      "<< /Type /Annot /Subtype /Widget /Rect [72 600 272 620] /FT /Tx /T (Name) /V (Doe) >>");
  pdf.page("", "/Annots [" + field + "]").catalog("/AcroForm << /Fields [" + field + "] >>");
  EXPECT_EQ(read(pdf).text, "Name: Doe\n");
}

TEST_F(ReadPdf, TheOutlineNamesHeadings) {
  // Without it, what stands at the top of every page in the same words is a header.
  SamplePdf pdf;
  const std::string root = "1000 0 R", first = "1001 0 R", second = "1002 0 R";
  pdf.object("<< /Type /Outlines /First " + first + " /Last " + first + " >>");
  pdf.object("<< /Title (General terms) /Parent " + root + " /First " + second + " /Last " +
             second + " /Dest [" + SamplePdf::page_reference(0) + " /Fit] >>");
  pdf.object("<< /Title (Ring) /Parent " + first + " /Next " + second + " /Dest [" +
             SamplePdf::page_reference(1) + " /Fit] >>");
  for (int page = 0; page < 3; ++page) {
    pdf.page(at(72, 760, "General Terms", 9) +
             at(72, 700, page == 0 ? "1. GENERAL TERMS" : "Clause text", 14) +
             at(72, 600, page == 1 ? "Ring" : "more of it"));
  }
  pdf.catalog("/Outlines " + root);
  const Document document = read(pdf);
  EXPECT_EQ(lines_of(document, LineKind::header).size(), 3u);
  const Line& heading = document.lines[1];
  EXPECT_EQ(document.slice(heading.text), "1. GENERAL TERMS");
  EXPECT_EQ(heading.level, 0);
  const auto ring = std::find_if(document.lines.begin(), document.lines.end(),
                                 [&](const Line& l) { return document.slice(l.text) == "Ring"; });
  ASSERT_NE(ring, document.lines.end());
  EXPECT_EQ(ring->level, 1);
}

// A font that shows its bytes from 'A' on as characters from `first` on.
std::string mapped_font(SamplePdf& pdf, const std::string& first) {
  const std::string map =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
      "/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange\n"
      "1 beginbfrange <41> <7A> <" +
      first +
      "> endbfrange\n"
      "endcmap end end\n";
  const std::string stream = pdf.object("<< /Length " + std::to_string(map.size()) +
                                        " >>\nstream\n" + map + "\nendstream");
  return pdf.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode " + stream +
                    " >>");
}

TEST_F(ReadPdf, ReadsFromRightToLeft) {
  SamplePdf pdf;
  pdf.fonts("/F3 " + mapped_font(pdf, "05D0"));
  // Shown from left to right: 12, then the word DCBA, then EFG.
  pdf.page(at(72, 700, "12") + at(100, 700, "DCBA", 11, "F3") + at(150, 700, "GFE", 11, "F3") +
           at(72, 680, "Latin words stay"));
  const Document document = read(pdf);
  EXPECT_EQ(lines_of(document),
            (Lines{"\u05D4\u05D5\u05D6 \u05D0\u05D1\u05D2\u05D3 12", "Latin words stay"}));
}

TEST_F(ReadPdf, ReadsVerticalColumnsFromTheRight) {
  SamplePdf pdf;
  const std::string below = pdf.object(
      "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry "
      "(Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 >>");
  pdf.fonts("/F3 " + pdf.object("<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding "
                                "/UniGB-UCS2-H /DescendantFonts [" +
                                below + "] >>"));
  std::string content;
  const auto column = [&](double x, const std::vector<std::string>& characters) {
    double y = 700;
    for (const std::string& each : characters) {
      content += "BT /F3 12 Tf 1 0 0 1 " + std::to_string(x) + " " + std::to_string(y) + " Tm <" +
                 each + "> Tj ET\n";
      y -= 13;
    }
  };
  column(500, {"7B2C", "4E00", "6761", "635F", "5931", "662F", "6307"});  // 第一条损失是指
  column(480, {"76F4", "63A5", "7ECF", "6D4E", "635F", "5931"});          // 直接经济损失
  EXPECT_EQ(lines_of(read(pdf.page(content))), (Lines{"第一条损失是指", "直接经济损失"}));
}

TEST_F(ReadPdf, KeepsFootnotesApart) {
  std::string content;
  for (int line = 0; line < 12; ++line) {
    content += at(72, 700 - 14 * line, "body text of the page in a line of the usual size");
  }
  content += at(340, 706, "1", 6);
  content += at(72, 120, "1", 5) + at(78, 117, "The first note, in small print,", 8);
  content += at(72, 107, "which goes on in a second line.", 8);
  SamplePdf pdf;
  pdf.page(content).page(at(72, 700, "1. A clause of a page that has little text", 8));
  const Document document = read(pdf);
  EXPECT_EQ(lines_of(document, LineKind::footnote),
            (Lines{"1 The first note, in small print,", "which goes on in a second line."}));
  EXPECT_EQ(lines_of(document).size(), 13u);
}

TEST_F(ReadPdf, WhatRepeatsUnderAHeadingIsNoHeader) {
  SamplePdf pdf;
  for (int page = 0; page < 9; ++page) {
    const bool is_exhibit = page % 3 == 0;
    pdf.page(at(280, 740,
                is_exhibit ? "EXHIBIT " + std::string(1, static_cast<char>('A' + page))
                           : "text " + std::to_string(page * 7919)) +
             at(72, 700, is_exhibit ? "A minimum of:" : "other " + std::to_string(page * 104729)) +
             at(72, 500, "and the rest of the page"));
  }
  const Lines lines = lines_of(read(pdf));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "A minimum of:"), 3);
}

// A grid of rules: vertical ones at each x, horizontal ones at each y.
std::string grid(const std::vector<double>& xs, const std::vector<double>& ys) {
  std::string content = "1 w\n";
  const auto line = [&](double x1, double y1, double x2, double y2) {
    content += std::to_string(x1) + " " + std::to_string(y1) + " m " + std::to_string(x2) + " " +
               std::to_string(y2) + " l S\n";
  };
  for (const double x : xs) line(x, ys.front(), x, ys.back());
  for (const double y : ys) line(xs.front(), y, xs.back(), y);
  return content;
}

TEST_F(ReadPdf, ReadsWrappedCellsOfARuledTableWhole) {
  const Document document =
      read(SamplePdf().page(grid({70, 250, 400}, {600, 640, 680}) + at(72, 720, "1. Royalties") +
                            at(75, 665, "Net sales up to") + at(75, 652, "one million") +
                            at(255, 665, "two per") + at(255, 652, "cent") + at(75, 625, "Above") +
                            at(255, 625, "three per cent") + at(72, 560, "2. Payment")));
  EXPECT_EQ(document.text,
            "1. Royalties\nNet sales up to one million | two per cent\nAbove | three per cent\n"
            "2. Payment\n");
  EXPECT_EQ(lines_of(document, LineKind::table).size(), 2u);
  EXPECT_EQ(document.boxes_of(document.lines[1].text).size(), 4u);
}

TEST_F(ReadPdf, ClausesInARuledTableStayClauses) {
  std::string content = grid({70, 100, 500}, {300, 500, 700});
  for (const double top : {690.0, 490.0}) {
    content += at(75, top - 10, top > 600 ? "1." : "2.");
    for (int line = 0; line < 8; ++line) {
      content +=
          at(110, top - 10 - 14 * line, "what the parties agree in this clause, line by line");
    }
  }
  const Document document = read(SamplePdf().page(content));
  ASSERT_EQ(document.clauses.size(), 2u);
  EXPECT_EQ(document.clauses[1].label, "2");
  EXPECT_EQ(lines_of(document).size(), 16u);
}

TEST_F(ReadPdf, AFrameIsNoTable) {
  const Document document = read(SamplePdf().page(
      grid({60, 500}, {500, 720}) + at(72, 700, "1. Framed text") + at(72, 680, "of one cell")));
  EXPECT_EQ(lines_of(document), (Lines{"1. Framed text", "of one cell"}));
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
  EXPECT_EQ(
      document.report.warnings,
      (Lines{"page 2, 4-5 of 5: pictures without text, not read: text recognition (tesseract) "
             "is not installed or is off",
             "page 3 of 5: empty"}));
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
