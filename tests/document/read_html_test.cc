#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/readers/html_references.h"
#include "document/readers/reader.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using Lines = std::vector<std::string>;

Document read(std::string_view html, const ReadLimits& limits = {}) {
  Document document;
  document.name = "a.html";
  document.type = DocumentType::html;
  document::read_html(html, limits, document);
  return document;
}

Lines lines_of(const Document& document) {
  Lines lines;
  for (const Line& line : document.lines) lines.emplace_back(document.slice(line.text));
  return lines;
}

Lines lines(std::string_view html) { return lines_of(read(html)); }

std::string error_of(std::string_view html, const ReadLimits& limits = {}) {
  try {
    read(html, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_document);
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(ReadHtml, ParagraphsAreLinesAndBlanksCollapse) {
  const Document document = read(
      "<!DOCTYPE html><html><head><title>Title</title></head><body>\n"
      "<h2>1. Term</h2><p>This  Agreement\n runs&nbsp;&nbsp; for <b>five</b>\tyears.\n"
      "<p>It<br>ends.<div>Then <span>not</span>.</div></body></html>");
  EXPECT_EQ(lines_of(document),
            (Lines{"1. Term", "This Agreement runs for five years.", "It", "ends.", "Then not."}));
  EXPECT_EQ(document.lines[0].level, 1);
  EXPECT_TRUE(document.lines[0].is_bold);
  EXPECT_FALSE(document.lines[1].is_bold);
  EXPECT_TRUE(document.lines[2].starts_paragraph);
  EXPECT_FALSE(document.lines[3].starts_paragraph);
  EXPECT_EQ(document.report.pages, 0);
  EXPECT_EQ(document.pages.size(), 1u);
}

TEST(ReadHtml, GivesPlacesInTheSource) {
  const std::string html = "<p>§ 1 &amp; 损失</p><ol><li>one</ol>";
  const Document document = read(html);
  ASSERT_EQ(document.text, "§ 1 & 损失\n1. one\n");
  const auto place = [&](std::string_view word) {
    return document.source_code_point(static_cast<std::int64_t>(document.text.find(word)));
  };
  EXPECT_EQ(place("§"), 3);
  EXPECT_EQ(place("&"), 7);
  EXPECT_EQ(place("损"), 13);
  EXPECT_EQ(place("失"), 14);
  EXPECT_EQ(place("1. one"), 23);  // a computed number stands at its item's tag
  EXPECT_EQ(place("one"), 27);
}

TEST(ReadHtml, ScriptsStylesTemplatesAndMenusAreNoText) {
  EXPECT_EQ(lines("<style>p{color:red}</style><script>if (a < b) document.write('<p>x</p>')"
                  "</script><template><p>t</template><noscript>n</noscript><!-- c --><p>seen"
                  "<select><option>o<option>q</select><textarea><p>w</textarea><svg><title>s"
                  "</title><path/><text>v</text></svg> text"),
            (Lines{"seen text"}));
}

TEST(ReadHtml, InvisibleTextIsKeptOutAndCounted) {
  const Document document = read(
      "<p>seen<span style='display:none'>abc</span><span hidden>de</span>"
      "<i style='VISIBILITY: hidden !important'>f<b style='visibility:visible'> too</b></i>"
      "<font color=white>gh</font><span style='font-size:0'>i<u style='font-size:9pt'>,</u></span>"
      "<span style='font-size:1px;color:black'>jk</span><span style='opacity:0.0'>l</span></p>"
      "<table bgcolor=navy><tr><td><font color='#FFFFFF'>white on navy</font></table>");
  EXPECT_EQ(lines_of(document), (Lines{"seen too,", "white on navy"}));
  EXPECT_EQ(document.report.hidden_characters, 12);
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0], "12 hidden characters kept out of the text");
}

TEST(ReadHtml, StyleSheetsHideToo) {
  const Document document = read(
      "<style>.gone, #end, p.note { color: red; display: None } /* p { display: none } */\n"
      "@media print { p { display: none } } @media (max-width: 9px) { b { display: none } }\n"
      "@import 'x.css'; @media screen { i { visibility: hidden } } i.seen{visibility:visible}\n"
      "u { opacity: 0 !important } .u { opacity: 1 } div > p { display: none }\n"
      ".roman { list-style-type: upper-roman } .Gone { display: block } s { display: none; }"
      "</style><style media=print>h1 { display: none }</style>"
      "<h1 class=Gone>seen</h1><p>text<p class='x gone'>ab<p id=end>cd<p class=note>ef"
      "<p><b class=note>bold</b> <i>gh</i><i class=seen>it</i> <u class=u>ij</u>"
      "<s style='display:inline'>said</s><ol class=roman><li>item</ol><style>.x{display:none}");
  EXPECT_EQ(lines_of(document), (Lines{"seen", "text", "bold it said", "I. item"}));
  EXPECT_EQ(document.report.hidden_characters, 10);
}

TEST(ReadHtml, APageThatHidesEverythingIsAnError) {
  EXPECT_EQ(error_of("<div style='display:none'>secret</div>"),
            "a.html: 0 characters of text that is seen in its 38 bytes, 6 that are hidden");
  EXPECT_NE(error_of("<script>only()</script>"), "");
  EXPECT_NE(error_of(""), "");
}

TEST(ReadHtml, DeletedTextIsLeftOutAndNamed) {
  const Document document = read("<p>at <del>sixty</del><ins>thirty</ins> days");
  EXPECT_EQ(document.text, "at thirty days\n");
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0], "5 characters of deleted text (<del>) left out");
}

TEST(ReadHtml, ListsGetTheirComputedNumbers) {
  const Document document = read(
      "<ol start=3><li>three<ol type=a><li>first<li>second</ol><li value=7>seven<li>eight</ol>"
      "<ol type=i><li>one<ul><li>free</ul><li type=A>two</ol>"
      "<ol reversed><li>y<li>x</ol><ol style='list-style-type: cjk-ideographic'><li>甲</ol>"
      "<ol style='list-style:none'><li>1.1 own</ol>");
  EXPECT_EQ(lines_of(document),
            (Lines{"3. three", "a. first", "b. second", "7. seven", "8. eight", "i. one", "free",
                   "B. two", "2. y", "1. x", "一、 甲", "1.1 own"}));
  EXPECT_EQ(document.lines[1].number_bytes, 2);
  EXPECT_EQ(document.lines[1].level, 1);
  EXPECT_EQ(document.lines[6].number_bytes, 0);
}

// An <ul> or <ol> right inside an <ol> is wrong and common; libxml2, for one, ends the outer list.
TEST(ReadHtml, AListThatBeginsBetweenItemsDoesNotRestartTheCount) {
  EXPECT_EQ(lines("<ol><li>a</li><ul><li>x</li></ul><li>b</li><ol type=i><li>y</ol><li>c</ol>"),
            (Lines{"1. a", "x", "2. b", "i. y", "3. c"}));
}

TEST(ReadHtml, AnItemWithoutTextKeepsItsNumber) {
  EXPECT_EQ(lines("<ol><li><p>a</p><li><ol type=A><li>b</ol><li></ol>"),
            (Lines{"1. a", "2.", "A. b", "3."}));
}

TEST(ReadHtml, RowsOfTablesAreLines) {
  const Document document =
      read("<table><tr><th>Item<th>Price<tr><td>Bolts<td>40<br>euros<tr><td><td></table>");
  EXPECT_EQ(lines_of(document), (Lines{"Item | Price", "Bolts | 40 euros"}));
  EXPECT_EQ(document.lines[0].kind, LineKind::table);
  EXPECT_EQ(document.lines[1].kind, LineKind::table);
}

TEST(ReadHtml, TablesThatOnlyFrameTextAreNotSeen) {
  const Document document = read(
      "<table><tr><td>(a)<td>&nbsp;<td>the Seller pays;</tr><tr><td>12<td>is no number here</tr>"
      "<tr><td></td><td><p>One.<p>Two.</td></tr></table>"
      "<table><tr><td><h1>Head</h1><p>left<td><p>right<table><tr><td>in<td>ner</table></table>");
  EXPECT_EQ(lines_of(document), (Lines{"(a) the Seller pays;", "12 | is no number here", "One.",
                                       "Two.", "Head", "left", "right", "in | ner"}));
  EXPECT_EQ(document.lines[0].kind, LineKind::body);
  EXPECT_EQ(document.lines[2].kind, LineKind::body);
  EXPECT_EQ(document.lines[7].kind, LineKind::table);
}

TEST(ReadHtml, ContentsInTablesAndNavigationAreContents) {
  const Document document = read(
      "<nav><a href=x>Home</a></nav><p>TABLE OF CONTENTS<table><tr><td>1. Definitions<td>3"
      "<tr><td>2. Term<td>5<tr><td>3. Price<td>12</table><p>1. Definitions");
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(document.lines[i].kind, LineKind::contents) << i;
  EXPECT_EQ(document.lines[5].kind, LineKind::body);
}

TEST(ReadHtml, ALinkToTheContentsOnEachPageHeadsNoContents) {
  std::string html;
  for (int page = 1; page <= 4; ++page) {
    html += "<p>Table of Contents<p>" + std::string(400, 'x') +
            "<table><tr><td>Premiums<td>$<td>181,600<td>174,902<tr><td>Claims<td>40<td>41"
            "<tr><td>Costs of " +
            std::string(static_cast<std::size_t>(page), 'y') + "<td>7<td>8.5</table><p>" +
            std::to_string(page) + "<hr style='page-break-after:always'>";
  }
  const Document document = read(html);
  ASSERT_EQ(document.lines.size(), 24u);
  for (std::size_t i = 0; i < 24; i += 6) {
    EXPECT_EQ(document.lines[i].kind, LineKind::footer);
    for (std::size_t row = 2; row < 5; ++row) {
      EXPECT_EQ(document.lines[i + row].kind, LineKind::table);
    }
    EXPECT_EQ(document.lines[i + 5].kind, LineKind::page_number);
  }
}

TEST(ReadHtml, PageMarksOfFilingsArePages) {
  const Document document = read(
      "<p>one<PAGE><p>two<hr style='page-break-after:always'><div style='break-before:page'>"
      "<table><tr><td>three<p style='page-break-before:always'>four</table></div>");
  EXPECT_EQ(document.report.pages, 4);
  ASSERT_EQ(document.pages.size(), 4u);
  EXPECT_EQ(document.slice(document.pages[1].text), "two\n");
  EXPECT_EQ(document.slice(document.pages[3].text), "four\n");
}

TEST(ReadHtml, PreformattedTextKeepsItsLines) {
  const Document document = read("<pre>\n  1. Term\n     of  five\n\nEnd</pre>after");
  EXPECT_EQ(lines_of(document), (Lines{"1. Term", "of  five", "End", "after"}));
  EXPECT_EQ(document.lines[0].left, 2);
  EXPECT_FALSE(document.lines[1].starts_paragraph);
  EXPECT_TRUE(document.lines[2].starts_paragraph);
}

TEST(ReadHtml, ReferencesAreReplacedAsTheStandardSays) {
  EXPECT_EQ(lines("<p>&lt;&#8220;&#x201c;&#147;&euro;&copy2026 &AMP &notanentity; &; &# &bogus; a&b"
                  " &lpar;a&rpar; &#0;&#xD800;&#99999999999;"),
            (Lines{"<“““€©2026 & ¬anentity; &; &# &bogus; a&b (a) ���"}));
  EXPECT_EQ(document::html_attribute_value("a?b&copy=1&amp;&lt"), "a?b&copy=1&<");
}

TEST(ReadHtml, EncodingsAreFound) {
  EXPECT_EQ(lines("<meta charset=gb2312><p>\xB5\xDA\xD2\xBB\xCC\xF5"), (Lines{"第一条"}));
  EXPECT_EQ(lines("<meta http-equiv=Content-Type content='text/html; charset=big5'><p>"
                  "\xB2\xC4\xA4\x40\xB1\xF8"),
            (Lines{"第一條"}));
  EXPECT_EQ(lines("<?xml version='1.0' encoding='gbk'?><p>\xB5\xDA\xD2\xBB\xCC\xF5"),
            (Lines{"第一条"}));
  EXPECT_EQ(lines("<meta charset=iso-8859-1><p>\x93x\x94 \x80"), (Lines{"“x” €"}));
  EXPECT_EQ(lines("<meta charset=iso-8859-1><p>“said so, but UTF-8”"),
            (Lines{"“said so, but UTF-8”"}));
  EXPECT_EQ(lines(std::string("\xFF\xFE<\0p\0>\0\x5F\x63\x31\x59", 12)), (Lines{"损失"}));
  EXPECT_EQ(lines("<meta charset=utf-7><p>+AFg-"), (Lines{"+AFg-"}));
}

TEST(ReadHtml, OverlappingAndUnclosedTagsLoseNothing) {
  EXPECT_EQ(lines("<b>a<p>b</b>c</p></div>d<table><tr><td>e</p></div>f</table>g</body></html>h"),
            (Lines{"a", "bc", "d", "e", "f", "gh"}));
  EXPECT_EQ(lines("<b><div hidden>x</b>y</div>z"), (Lines{"z"}));
  EXPECT_EQ(lines("a < b <3 <> </> <!x> <?y> 1<2"), (Lines{"a < b <3 <> 1<2"}));
}

TEST(ReadHtml, WhatACutTagSwallowsIsSaid) {
  const Document document = read("<p>seen<a href=\"x>all this is inside the tag");
  EXPECT_EQ(document.text, "seen\n");
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0],
            "what begins at character 7 of the source is never closed; nothing behind it was read");
  EXPECT_EQ(read("<p>seen<!-- x").report.warnings.size(), 1u);
  EXPECT_EQ(read("<p>seen<script>x").report.warnings.size(), 1u);
}

TEST(ReadHtml, DeeperThan256LevelsIsAnErrorNotSilence) {
  EXPECT_EQ(lines(repeated("<div>", 256) + "deep"), (Lines{"deep"}));
  EXPECT_EQ(error_of(repeated("<div>", 257) + "deep"),
            "a.html: <div> is nested deeper than 256 levels");
}

TEST(ReadHtml, LimitsAreKept) {
  ReadLimits limits;
  limits.characters = 9;
  EXPECT_EQ(read("<p>12345678", limits).text, "12345678\n");
  EXPECT_EQ(error_of("<p>123456789", limits), "a.html: more than 9 characters of text");
  EXPECT_EQ(error_of("<table><td>123456789<td>0", limits),
            "a.html: more than 9 characters of text");
  EXPECT_EQ(error_of(repeated("<br>", 2'000'001)), "a.html: more than 2000000 HTML elements");
}

// Each would take minutes if any step looked back over what was read.
TEST(ReadHtml, TimeIsLinearInHostileInput) {
  const int n = 300'000;
  for (const std::string& html :
       {repeated("<b>", 200) + repeated("<p></b><b>", n), repeated("<a <", n), repeated("&amp", n),
        repeated("<!--", n), repeated("</script", n) + "x", "<script>" + repeated("</scrip", n),
        repeated("<table><tr><td>", 80) + repeated("x<br>", n),
        repeated("<ol reversed><li></ol>", n), repeated("<p style='", n), repeated("<li>x", n),
        "<title>" + repeated("</", n), repeated("<table>x</table>", n),
        "<a " + repeated("x ", n) + ">y", "<style>" + repeated("@a;", n) + "{",
        "<style>" + repeated("@media screen{", n),
        "<style>" + repeated(".a,", n) + "b{" + repeated("display:none;", n) +
            "}</style><a class='" + repeated("a ", n) + "'>x",
        "<style>" + repeated("/*", n), "<style>" + repeated("a{", n)}) {
    try {
      read("<p>seen" + html);
    } catch (const Error&) {
    }
  }
}

TEST(ReadHtml, FilingsOfTheSecAreReadPartByPart) {
  const Document document = read(
      "<SEC-DOCUMENT>x.txt : 20241004\n<DOCUMENT>\n<TYPE>10-K\n<FILENAME>a.htm\n<TEXT>\n<html>"
      "<p>Annual report</html>\n</TEXT>\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>EX-10\n<TEXT>\n<PAGE> 1\n"
      "   LEASE\n   of rooms\n<TABLE>\n<S>   <C>\nRent  50\n</TABLE>\n<PAGE>\nEnd\n</TEXT>\n"
      "</DOCUMENT>\n<DOCUMENT>\n<TYPE>GRAPHIC\n<FILENAME>logo.jpg\n<TEXT>\nbegin 644 logo.jpg\n"
      "M34X\n</TEXT>\n</DOCUMENT>\n");
  EXPECT_EQ(lines_of(document), (Lines{"Annual report", "LEASE", "of rooms", "Rent  50", "End"}));
  EXPECT_EQ(document.report.pages, 3);
  EXPECT_EQ(document.slice(document.pages[2].text), "End\n");
  EXPECT_EQ(document.report.warnings,
            (Lines{"parts of the filing that are no text were not read: logo.jpg"}));
}

TEST(ReadHtml, IsKnownByItsNameOrItsBeginning) {
  const auto type = [](const char* name, std::string_view bytes) {
    return document_type(name, bytes);
  };
  EXPECT_EQ(type("a.html", "text"), DocumentType::html);
  EXPECT_EQ(type("a.HTM", "text"), DocumentType::html);
  EXPECT_EQ(type("a", "\xEF\xBB\xBF <!-- x --> <!DOCTYPE HTML>"), DocumentType::html);
  EXPECT_EQ(type("a.txt", "<?xml version='1.0'?>\n<html xmlns='x'>"), DocumentType::html);
  EXPECT_EQ(type("a.txt", "1. Use of <html> tags"), DocumentType::text);
  EXPECT_THROW(document_type("a.html", std::string_view("\0\1\2\3", 4)), Error);
}

TEST(ReadHtml, ThroughTheWorker) {
  const testing::TemporaryFolder folder;
  const Document document = read_document(
      folder.write("a.html", "<ol><li>Term. This Agreement runs for a year.<li>Price. Free.</ol>"));
  EXPECT_EQ(document.type, DocumentType::html);
  ASSERT_EQ(document.clauses.size(), 2u);
  EXPECT_EQ(document.clauses[1].label, "2");
}

}  // namespace
}  // namespace whereof
