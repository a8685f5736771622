#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/readers/number_format.h"
#include "document/sample_docx.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using ::testing::HasSubstr;
using namespace testing;
using Lines = std::vector<std::string>;

class ReadDocx : public ::testing::Test {
 protected:
  Document read(const SampleDocx& docx, const ReadDocumentOptions& options = {}) {
    return read_document(folder_.write("a.docx", docx.bytes()), options);
  }
  std::string error_of(const SampleDocx& docx, const ReadDocumentOptions& options = {}) {
    try {
      read(docx, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_document);
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

Lines lines_of(const Document& document, LineKind kind = LineKind::body) {
  Lines lines;
  for (const Line& line : document.lines) {
    if (line.kind == kind) lines.emplace_back(document.slice(line.text));
  }
  return lines;
}

const std::string kContract = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") +
                              level(2, "lowerLetter", "(%3)") + level(3, "lowerRoman", "(%4)");

TEST_F(ReadDocx, CountsNestedLists) {
  const Document document =
      read(SampleDocx()
               .numbering(abstract(7, kContract) + list(1, 7))
               .body(numbered(1, 0, "Losses") + numbered(1, 1, "means") + numbered(1, 2, "one") +
                     numbered(1, 2, "two") + numbered(1, 3, "deep") + numbered(1, 1, "next") +
                     numbered(1, 2, "again") + paragraph("plain") + numbered(1, 0, "Cap") +
                     numbered(1, 1, "first")));
  EXPECT_EQ(lines_of(document), (Lines{"1. Losses", "1.1 means", "(a) one", "(b) two", "(i) deep",
                                       "1.2 next", "(a) again", "plain", "2. Cap", "2.1 first"}));
  EXPECT_EQ(document.lines[1].number_bytes, 3);
  EXPECT_EQ(document.lines[1].level, 1);
  EXPECT_EQ(document.lines[7].number_bytes, 0);
  EXPECT_EQ(document.lines[7].level, -1);
}

TEST_F(ReadDocx, ListsOverOneAbstractShareCountersUntilRestarted) {
  const std::string restart =
      "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/></w:lvlOverride>";
  const Document document =
      read(SampleDocx()
               .numbering(abstract(0, kContract) + list(1, 0) + list(2, 0) + list(3, 0, restart))
               .body(numbered(1, 0, "a") + numbered(2, 0, "b") + numbered(3, 0, "c") +
                     numbered(3, 0, "d") + numbered(1, 0, "e")));
  EXPECT_EQ(lines_of(document), (Lines{"1. a", "2. b", "1. c", "2. d", "3. e"}));
}

TEST_F(ReadDocx, AnOverriddenLevelHasItsOwnFormat) {
  const std::string own = "<w:lvlOverride w:ilvl=\"0\">" +
                          level(0, "upperRoman", "Article %1", "<w:start w:val=\"4\"/>") +
                          "</w:lvlOverride>";
  EXPECT_EQ(lines_of(read(SampleDocx()
                              .numbering(abstract(0, kContract) + list(1, 0, own))
                              .body(numbered(1, 0, "Term") + numbered(1, 1, "x")))),
            (Lines{"Article IV Term", "IV.1 x"}));
}

TEST_F(ReadDocx, LegalLevelsCountInDecimal) {
  const std::string levels =
      level(0, "upperRoman", "Article %1") +
      level(1, "decimalZero", "Section %1.%2", "<w:start w:val=\"1\"/><w:isLgl/>");
  EXPECT_EQ(
      lines_of(read(SampleDocx()
                        .numbering(abstract(0, levels) + list(1, 0))
                        .body(numbered(1, 0, "A") + numbered(1, 0, "B") + numbered(1, 1, "C")))),
      (Lines{"Article I A", "Article II B", "Section 2.1 C"}));
}

TEST_F(ReadDocx, RestartsWhereTheLevelSays) {
  // Level 2 restarts after level 1 only, level 3 never.
  const std::string levels =
      level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") +
      level(2, "lowerLetter", "(%3)", "<w:start w:val=\"1\"/><w:lvlRestart w:val=\"1\"/>") +
      level(3, "decimal", "#%4", "<w:start w:val=\"1\"/><w:lvlRestart w:val=\"0\"/>");
  EXPECT_EQ(
      lines_of(read(SampleDocx()
                        .numbering(abstract(0, levels) + list(1, 0))
                        .body(numbered(1, 0, "x") + numbered(1, 1, "x") + numbered(1, 2, "x") +
                              numbered(1, 3, "x") + numbered(1, 1, "x") + numbered(1, 2, "x") +
                              numbered(1, 0, "x") + numbered(1, 2, "x") + numbered(1, 3, "x")))),
      (Lines{"1. x", "1.1 x", "(a) x", "#1 x", "1.2 x", "(b) x", "2. x", "(a) x", "#2 x"}));
}

TEST_F(ReadDocx, TakesNumbersFromStyles) {
  const std::string styles =
      "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"/>"
      "<w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr>"
      "<w:numId w:val=\"1\"/></w:numPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:rPr><w:b/></w:rPr>"
      "</w:style>"
      "<w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:basedOn w:val=\"H1\"/></w:style>"
      "<w:style w:type=\"paragraph\" w:styleId=\"H3\"><w:basedOn w:val=\"H1\"/><w:rPr>"
      "<w:b w:val=\"0\"/></w:rPr></w:style>";
  const std::string levels =
      level(0, "decimal", "%1.", "<w:start w:val=\"1\"/><w:pStyle w:val=\"H1\"/>") +
      level(1, "decimal", "%1.%2", "<w:start w:val=\"1\"/><w:pStyle w:val=\"H2\"/>");
  const auto styled = [](const std::string& style, const std::string& more = "") {
    return paragraph("x", "<w:pStyle w:val=\"" + style + "\"/>" + more);
  };
  const Document document =
      read(SampleDocx()
               .styles(styles)
               .numbering(abstract(0, levels) + list(1, 0))
               .body(styled("H1") + styled("H2") + styled("H2") + styled("H3") +
                     styled("H1", "<w:numPr><w:numId w:val=\"0\"/></w:numPr>") + styled("None")));
  EXPECT_EQ(lines_of(document), (Lines{"1. x", "1.1 x", "1.2 x", "2. x", "x", "x"}));
  EXPECT_TRUE(document.lines[1].is_bold);
  EXPECT_FALSE(document.lines[3].is_bold);
  EXPECT_EQ(document.lines[4].level, 0);
}

TEST_F(ReadDocx, CountsInChinese) {
  const std::string levels =
      level(0, "chineseCountingThousand", "第%1条") +
      level(1, "chineseCounting", "（%2）", "<w:start w:val=\"1\"/><w:suff w:val=\"nothing\"/>");
  std::string body;
  for (int i = 0; i < 21; ++i) body += numbered(1, 0, "损失");
  body += numbered(1, 1, "赔偿");
  const Lines lines =
      lines_of(read(SampleDocx().numbering(abstract(0, levels) + list(1, 0)).body(body)));
  ASSERT_EQ(lines.size(), 22u);
  EXPECT_EQ(lines[9], "第十条 损失");
  EXPECT_EQ(lines[10], "第十一条 损失");
  EXPECT_EQ(lines[20], "第二十一条 损失");
  EXPECT_EQ(lines[21], "（一）赔偿");
}

TEST(FormatNumber, CountsAsWordDoes) {
  const auto counted = [](std::string_view format, std::vector<int> values) {
    Lines lines;
    for (const int value : values) lines.push_back(document::format_number(value, format));
    return lines;
  };
  EXPECT_EQ(counted("lowerLetter", {1, 26, 27, 53}), (Lines{"a", "z", "aa", "aaa"}));
  EXPECT_EQ(counted("upperRoman", {4, 9, 14, 1994}), (Lines{"IV", "IX", "XIV", "MCMXCIV"}));
  EXPECT_EQ(counted("decimalZero", {9, 10}), (Lines{"09", "10"}));
  EXPECT_EQ(counted("ordinal", {1, 2, 3, 4, 11, 21}),
            (Lines{"1st", "2nd", "3rd", "4th", "11th", "21st"}));
  EXPECT_EQ(counted("ordinalText", {1, 12, 20, 21}),
            (Lines{"First", "Twelfth", "Twentieth", "Twenty-First"}));
  EXPECT_EQ(counted("cardinalText", {1, 40, 99}), (Lines{"One", "Forty", "Ninety-Nine"}));
  EXPECT_EQ(counted("chineseCountingThousand", {1, 10, 11, 20, 101, 110, 1001, 1260, 10001}),
            (Lines{"一", "十", "十一", "二十", "一百零一", "一百一十", "一千零一", "一千二百六十",
                   "一万零一"}));
  EXPECT_EQ(counted("japaneseCounting", {10, 21, 101, 1100}),
            (Lines{"十", "二十一", "百一", "千百"}));
  EXPECT_EQ(counted("ideographDigital", {1, 10, 105}), (Lines{"一", "一〇", "一〇五"}));
  EXPECT_EQ(counted("chineseLegalSimplified", {1, 12}), (Lines{"壹", "壹拾贰"}));
  EXPECT_EQ(counted("ideographTraditional", {1, 10, 11}), (Lines{"甲", "癸", "11"}));
  EXPECT_EQ(counted("decimalEnclosedCircle", {1, 20, 21}), (Lines{"①", "⑳", "21"}));
  EXPECT_EQ(counted("unknown", {-1, 0, 2147483647}), (Lines{"-1", "0", "2147483647"}));
}

TEST_F(ReadDocx, ReadsRevisionsAsAccepted) {
  const std::string deleted = "<w:del w:id=\"1\"><w:r><w:delText>ten</w:delText></w:r></w:del>";
  const std::string inserted = "<w:ins w:id=\"2\">" + run("twenty") + "</w:ins>";
  const std::string moved = "<w:moveFrom>" + run("gone") + "</w:moveFrom>";
  const std::string mark = "<w:rPr><w:del w:id=\"3\"/></w:rPr>";
  EXPECT_EQ(lines_of(read(SampleDocx().body(
                paragraph_of(run("pays ") + deleted + inserted + moved + run(" days")) +
                paragraph("joined ", mark) + paragraph("to this")))),
            (Lines{"pays twenty days", "joined to this"}));
}

TEST_F(ReadDocx, ReadsFieldsTextBoxesAndControlsOnce) {
  const auto mark = [](const std::string& type) {
    return "<w:r><w:fldChar w:fldCharType=\"" + type + "\"/></w:r>";
  };
  const std::string field = mark("begin") + "<w:r><w:instrText>REF _1 \\r</w:instrText></w:r>" +
                            run("not this") + mark("separate") + run("3.2") + mark("end");
  const std::string box = "<w:txbxContent>" + paragraph("In the box") + "</w:txbxContent>";
  const std::string shape = "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>" + box +
                            "</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>" +
                            box + "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>";
  const std::string control =
      "<w:sdt><w:sdtPr/><w:sdtContent>" + run("controlled") + "</w:sdtContent></w:sdt>";
  EXPECT_EQ(lines_of(read(SampleDocx().body(
                paragraph_of(run("under clause ") + field + run(" only") + shape) +
                paragraph_of(control + "<w:r><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t></w:r>")))),
            (Lines{"under clause 3.2 only", "In the box", "controlled\tx", "y"}));
}

TEST_F(ReadDocx, ReadsTablesByRows) {
  const auto cell = [](const std::string& content) { return "<w:tc>" + content + "</w:tc>"; };
  const auto row = [](const std::string& cells) { return "<w:tr>" + cells + "</w:tr>"; };
  const std::string inner = "<w:tbl>" + row(cell(paragraph("p")) + cell(paragraph("q"))) +
                            row(cell(paragraph("r")) + cell(paragraph("s"))) + "</w:tbl>";
  const Document document =
      read(SampleDocx()
               .numbering(abstract(0, kContract) + list(1, 0))
               .body("<w:tbl>" + row(cell(paragraph("Name")) + cell(paragraph("Sum"))) +
                     row(cell(paragraph("A") + paragraph("B")) + cell(inner)) +
                     row(cell(numbered(1, 0, "Clause")) + cell(paragraph("条款"))) + "</w:tbl>" +
                     "<w:tbl>" + row(cell(paragraph("framed") + paragraph("text"))) + "</w:tbl>"));
  EXPECT_EQ(lines_of(document, LineKind::table), (Lines{"Name | Sum", "A B | p q r s"}));
  EXPECT_EQ(lines_of(document), (Lines{"1. Clause | 条款", "framed", "text"}));
  EXPECT_EQ(document.lines[2].number_bytes, 2);
}

TEST_F(ReadDocx, KeepsFootnotesAndContentsApart) {
  const std::string reference = "<w:r><w:footnoteReference w:id=\"2\"/></w:r>";
  const std::string styles =
      "<w:style w:type=\"paragraph\" w:styleId=\"T1\"><w:name w:val=\"TOC 1\"/></w:style>";
  const std::string control =
      "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/>"
      "</w:docPartObj></w:sdtPr><w:sdtContent>" +
      paragraph("2. Cap") + "</w:sdtContent></w:sdt>";
  const Document document =
      read(SampleDocx()
               .styles(styles)
               .footnotes("<w:footnote w:type=\"separator\" w:id=\"0\">" + paragraph("---") +
                          "</w:footnote><w:footnote w:id=\"2\">" + paragraph("A note.") +
                          "</w:footnote>")
               .body(paragraph("CONTENTS") + paragraph("1. Losses", "<w:pStyle w:val=\"T1\"/>") +
                     control + paragraph_of(run("Body") + reference) + paragraph("End")));
  EXPECT_EQ(lines_of(document, LineKind::contents), (Lines{"CONTENTS", "1. Losses", "2. Cap"}));
  EXPECT_EQ(lines_of(document), (Lines{"Body", "End"}));
  EXPECT_EQ(lines_of(document, LineKind::footnote), (Lines{"A note."}));
}

TEST_F(ReadDocx, KeepsCommentsApart) {
  const Document document = read(
      SampleDocx()
          .comments("<w:comment w:id=\"0\" w:author=\"J. Doe\">" + paragraph("too high") +
                    paragraph("ask again") + "</w:comment>")
          .body(paragraph_of(run("Price: 5") + "<w:r><w:commentReference w:id=\"0\"/></w:r>")));
  EXPECT_EQ(lines_of(document), (Lines{"Price: 5"}));
  EXPECT_EQ(lines_of(document, LineKind::annotation),
            (Lines{"Annotation (J. Doe): too high ask again"}));
}

TEST_F(ReadDocx, AnEmptyCellKeepsItsColumn) {
  const auto cell = [](const std::string& text) { return "<w:tc>" + paragraph(text) + "</w:tc>"; };
  const Document document = read(SampleDocx().body("<w:tbl><w:tr>" + cell("4") + cell("") +
                                                   cell("6") + cell("") + "</w:tr></w:tbl>"));
  EXPECT_EQ(document.text, "4 | | 6\n");
}

TEST_F(ReadDocx, AHiddenParagraphIsNotCounted) {
  const std::string number = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
  EXPECT_EQ(lines_of(read(SampleDocx()
                              .numbering(abstract(0, kContract) + list(1, 0))
                              .body(numbered(1, 0, "a") +
                                    paragraph_of(run("gone", "<w:vanish/>"),
                                                 number + "<w:rPr><w:vanish/></w:rPr>") +
                                    numbered(1, 0, "b")))),
            (Lines{"1. a", "2. b"}));
}

TEST_F(ReadDocx, LevelAndListMayComeFromDifferentPlaces) {
  // The list from a style that this style is based on, the level from the paragraph; and the level
  // from the style, the list from the paragraph.
  const std::string styles =
      "<w:style w:type=\"paragraph\" w:styleId=\"B\"><w:pPr><w:numPr><w:numId w:val=\"1\"/>"
      "</w:numPr></w:pPr></w:style>"
      "<w:style w:type=\"paragraph\" w:styleId=\"C\"><w:basedOn w:val=\"B\"/><w:pPr><w:numPr>"
      "<w:ilvl w:val=\"2\"/></w:numPr></w:pPr></w:style>";
  const auto styled = [](const std::string& style, const std::string& more) {
    return paragraph("x", "<w:pStyle w:val=\"" + style + "\"/><w:numPr>" + more + "</w:numPr>");
  };
  EXPECT_EQ(lines_of(read(SampleDocx()
                              .styles(styles)
                              .numbering(abstract(0, kContract) + list(1, 0) + list(2, 0))
                              .body(styled("B", "") + styled("B", "<w:ilvl w:val=\"1\"/>") +
                                    styled("C", "") + styled("C", "<w:numId w:val=\"2\"/>")))),
            (Lines{"1. x", "1.1 x", "(a) x", "(b) x"}));
}

TEST_F(ReadDocx, KeepsHiddenTextOut) {
  const Document document = read(SampleDocx().body(paragraph_of(
      run("seen") + run("hidden", "<w:vanish/>") + run("white", "<w:color w:val=\"FFFFFF\"/>") +
      run("tiny", "<w:sz w:val=\"2\"/>") +
      run(" shaded", "<w:color w:val=\"FFFFFF\"/><w:shd w:fill=\"000080\"/>"))));
  EXPECT_EQ(document.text, "seen shaded\n");
  EXPECT_EQ(document.report.hidden_characters, 15);
}

TEST_F(ReadDocx, RefusesATypeDefinition) {
  EXPECT_THAT(
      error_of(SampleDocx().part("word/document.xml",
                                 "<!DOCTYPE x [<!ENTITY a \"b\">]><document><body/></document>")),
      HasSubstr("document type definition"));
}

TEST_F(ReadDocx, HoldsTheDepthLimit) {
  const auto nested = [](int depth) {
    std::string open, close;
    for (int i = 0; i < depth; ++i) {
      open += "<w:ins>";
      close += "</w:ins>";
    }
    return SampleDocx().body("<w:p>" + open + run("x") + close + "</w:p>");
  };
  // document, body, p, the insertions, r, t, text.
  EXPECT_EQ(read(nested(250)).text, "x\n");
  EXPECT_THAT(error_of(nested(251)), HasSubstr("deeper than 256 levels"));
}

TEST_F(ReadDocx, HoldsTheEntryLimit) {
  SampleDocx docx;
  docx.body(paragraph("x"));
  for (int i = 0; i < 10000; ++i) docx.part("a" + std::to_string(i), "");
  EXPECT_THAT(error_of(docx), HasSubstr("a package of 10004 files; the limit is 2000"));
}

TEST_F(ReadDocx, HoldsTheRatioLimit) {
  EXPECT_THAT(error_of(SampleDocx().body(paragraph(std::string(8 << 20, 'a')))),
              HasSubstr("inflates to more than 200 times"));
}

TEST_F(ReadDocx, HoldsTheInflatedLimit) {
  SampleDocx docx;
  docx.body(paragraph("x"));
  ReadDocumentOptions options;
  options.limits.inflated_bytes = 2000;
  EXPECT_EQ(read(docx, options).text, "x\n");
  options.limits.inflated_bytes = 400;
  EXPECT_THAT(error_of(docx, options), HasSubstr("more than 400 bytes when inflated"));
}

TEST_F(ReadDocx, NamesWhatIsBroken) {
  EXPECT_THAT(error_of(SampleDocx().part("word/styles.xml", "<a/>")),
              HasSubstr("without a document part"));
  EXPECT_THAT(error_of(SampleDocx().part("word/document.xml", "<w:document><w:body>")),
              HasSubstr("no well-formed XML"));
  EXPECT_THAT(error_of(SampleDocx().body("")), HasSubstr("0 characters"));
}

}  // namespace
}  // namespace whereof
