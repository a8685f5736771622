#include <gtest/gtest.h>

#include <string>

#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using testing::TemporaryFolder;

class ReadPlain : public ::testing::Test {
 protected:
  Document read(const std::string& name, std::string_view bytes) {
    return read_document(folder_.write(name, bytes));
  }
  static std::vector<std::string> lines_of(const Document& document) {
    std::vector<std::string> lines;
    for (const Line& line : document.lines) lines.emplace_back(document.slice(line.text));
    return lines;
  }
  static std::int64_t source_of(const Document& document, std::string_view needle) {
    const std::size_t at = document.text.find(needle);
    EXPECT_NE(at, std::string::npos) << needle;
    return document.source_code_point(static_cast<std::int64_t>(at)).value_or(-1);
  }
  TemporaryFolder folder_;
};

TEST_F(ReadPlain, CountsCodePointsOfTheFileAsItIsOnDisk) {
  const Document document = read("a.txt", "  §1 Term\r\n\r\n\r\n“Losses” \t \r\nmeans 损失。\n");
  EXPECT_EQ(lines_of(document), (std::vector<std::string>{"§1 Term", "“Losses”", "means 损失。"}));
  EXPECT_EQ(source_of(document, "§1"), 2);
  EXPECT_EQ(source_of(document, "Term"), 5);
  EXPECT_EQ(source_of(document, "“Losses"), 15);
  EXPECT_EQ(source_of(document, "means"), 28);
  EXPECT_EQ(source_of(document, "失"), 35);
  EXPECT_EQ(document.type, DocumentType::text);
  EXPECT_EQ(document.pages.size(), 1u);
  EXPECT_TRUE(document.lines[1].starts_paragraph);
  EXPECT_EQ(document.lines[0].left, 2);
}

TEST_F(ReadPlain, CountsAByteOrderMark) {
  const Document document = read("a.txt", "\xEF\xBB\xBFTerm");
  EXPECT_EQ(document.text, "Term\n");
  EXPECT_EQ(source_of(document, "Term"), 1);
  EXPECT_EQ(document.report.stripped_characters, 0);
}

TEST_F(ReadPlain, StripsWhatCannotBeSeen) {
  // Zero-width space, right-to-left override, a tag character, a soft hyphen.
  const Document document = read(
      "a.txt", "The\xE2\x80\x8B Sel\xE2\x80\xAEler\xF3\xA0\x81\x81 shall\xC2\xAD pay\xC2\xA0now");
  EXPECT_EQ(document.text, "The Seller shall pay now\n");
  EXPECT_EQ(document.report.stripped_characters, 4);
  EXPECT_EQ(source_of(document, "Seller"), 5);
  EXPECT_EQ(source_of(document, "ler shall"), 9);
  EXPECT_EQ(source_of(document, "now"), 25);
}

TEST_F(ReadPlain, ALineOfNothingSeenIsNoLine) {
  EXPECT_EQ(lines_of(read("a.txt", "a\xE2\x80\x8B \n\xE2\x80\x8B \t\nb")),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(lines_of(read("a.md", "a\n** \nb")), (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW(read("b.txt", "\xE2\x80\x8B \n"), Error);
}

TEST_F(ReadPlain, ExpandsLigaturesAndKeepsChinesePunctuation) {
  const Document document = read("a.txt",
                                 "of\xEF\xAC\x81"
                                 "ce e\xEF\xAC\x83x，（一）。");
  EXPECT_EQ(document.text, "office effix，（一）。\n");
  EXPECT_EQ(source_of(document, "ce e"), 3);
  EXPECT_EQ(source_of(document, "ice"), 2);
}

TEST_F(ReadPlain, DecodesUtf16AndGb18030) {
  const std::string utf16(
      "\xFF\xFE"
      "1\0.\0 \0\x5F\x63\x31\x59\n\0",
      14);
  EXPECT_EQ(read("a.txt", utf16).text, "1. 损失\n");
  EXPECT_EQ(read("b.txt", utf16.substr(2) + utf16.substr(2, 6)).text, "1. 损失\n1.\n");
  // Four bytes a time, as UTF-32 has them, but not its mark.
  EXPECT_EQ(read("d.txt", utf16.substr(0, 12)).text, "1. 损失\n");
  const std::string utf32("\xFF\xFE\0\0\x5F\x63\0\0\x31\x59\0\0", 12);
  EXPECT_EQ(read("e.txt", utf32).text, "损失\n");
  const std::string big5 =
      "\xB2\xC4\xA4\x40\xB1\xF8 \xA5\xBB\xB1\xF8\xA9\xD2\xBA\xD9\xA5\xD2\xA4\xE8\xA1\x41"
      "\xA8\xE4\xA5\xF4\xB4\xC1\xAC\xB0\xA4\xAD\xA6\x7E\xA1\x43\n";
  EXPECT_EQ(read("f.txt", big5).text, "第一條 本條所稱甲方，其任期為五年。\n");
  const std::string gb =
      "\xB5\xDA\xD2\xBB\xCC\xF5 \xCB\xF0\xCA\xA7\xA3\xAC\xD6\xB8\xBA\xCF\xCD\xAC\xA1\xA3\n";
  const Document document = read("c.txt", gb);
  EXPECT_EQ(document.text, "第一条 损失，指合同。\n");
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0], "encoding guessed: GB18030");
  EXPECT_EQ(source_of(document, "指"), 7);
}

TEST_F(ReadPlain, DecodesWindows1252) {
  const Document document = read("a.txt",
                                 "The \x93"
                                 "Buyer\x94 pays \x80"
                                 "5 \x96 at once.\n");
  EXPECT_EQ(document.text, "The “Buyer” pays €5 – at once.\n");
}

TEST_F(ReadPlain, TagsOfHtmlInMarkdownAreNoText) {
  const Document document =
      read("a.md",
           "1. <span class=\"header_2\" id=\"1\">Service</span>\n"
           "  1. <b>Use.</b> a < b <br/>and <Company Name> <a\n\n<span></span>\n");
  EXPECT_EQ(lines_of(document),
            (std::vector<std::string>{"1. Service", "1. Use. a < b  and <Company Name> <a"}));
  EXPECT_EQ(document.lines[1].left, 2);
  EXPECT_EQ(source_of(document, "Service"), 33);
  EXPECT_EQ(read("a.txt", "1. <b>Use</b>\n").text, "1. <b>Use</b>\n");
}

TEST_F(ReadPlain, HeadingsThatFilingsTearAreOneLine) {
  const Document document = read("a.txt",
                                 "§\n6.1 Changes are agreed.\n\nARTICLE \n5 PRICE\n"
                                 "ARTICLE\n\nSection\n7\nArticle\n");
  EXPECT_EQ(lines_of(document),
            (std::vector<std::string>{"§ 6.1 Changes are agreed.", "ARTICLE  5 PRICE", "ARTICLE",
                                      "Section", "7", "Article"}));
  EXPECT_EQ(source_of(document, "6.1"), 2);
}

TEST_F(ReadPlain, ArticlesAtTheHeadOfPagesAreNoRunningTitles) {
  std::string text;
  for (int page = 1; page <= 6; ++page) {
    text += "ARTICLE " + std::to_string(page) + ".\n\n" + std::string(600, 'x') +
            " Text of this article, which goes on for a " +
            "good while so that its page is a page and not a line, as in any contract.\n\n" +
            "SUPPLY AGREEMENT " + std::to_string(page) + "\n\n" + std::to_string(page) + "\n\n";
  }
  const Document document = read("a.txt", text);
  int articles = 0;
  for (const Line& line : document.lines) {
    const bool is_article = document.slice(line.text).starts_with("ARTICLE");
    articles += is_article && line.kind == LineKind::body ? 1 : 0;
    if (document.slice(line.text).starts_with("SUPPLY")) {
      EXPECT_EQ(line.kind, LineKind::footer);
    }
  }
  EXPECT_EQ(articles, 6);
}

TEST_F(ReadPlain, ReadsMarkdownHeadings) {
  const Document document =
      read("a.md", "# Terms #\nText of **1\\. it**\ngoes on\n- item\n\n## 2. Next\n");
  EXPECT_EQ(lines_of(document),
            (std::vector<std::string>{"Terms", "Text of 1. it", "goes on", "- item", "2. Next"}));
  EXPECT_EQ(document.type, DocumentType::markdown);
  EXPECT_EQ(document.lines[0].level, 0);
  EXPECT_EQ(document.lines[4].level, 1);
  EXPECT_TRUE(document.lines[0].is_bold);
  EXPECT_TRUE(document.lines[1].starts_paragraph);
  EXPECT_FALSE(document.lines[2].starts_paragraph);
  EXPECT_TRUE(document.lines[3].starts_paragraph);
  EXPECT_EQ(source_of(document, "2. Next"), 48);
}

TEST_F(ReadPlain, KnowsPageNumbersByTheirCount) {
  std::string text;
  for (int page = 1; page <= 4; ++page) {
    text += std::string(400, 'x') + "\n\n" + std::to_string(page) + "\n\nSource: ACME, 10-K\n\n";
  }
  text += "7\n\n1\n\n";
  const Document document = read("a.txt", text);
  std::vector<LineKind> kinds;
  for (const Line& line : document.lines) kinds.push_back(line.kind);
  const auto B = LineKind::body, N = LineKind::page_number, F = LineKind::footer;
  EXPECT_EQ(kinds, (std::vector<LineKind>{B, N, F, B, N, F, B, N, F, B, N, F, B, B}));
}

TEST_F(ReadPlain, AFormFeedEndsAPage) {
  const Document document = read("a.txt", "one\ntwo\fthree\n\ffour");
  ASSERT_EQ(document.pages.size(), 3u);
  EXPECT_EQ(document.slice(document.pages[1].text), "three\n");
  EXPECT_EQ(document.page_of(static_cast<std::int64_t>(document.text.find("four"))), 2);
  EXPECT_EQ(document.report.pages, 3);
}

TEST_F(ReadPlain, PageMarksOfFilingsEndPages) {
  const Document document =
      read("a.txt",
           "<PAGE>    1\none\n\n<TABLE>\n<CAPTION>\nItem   Sum\n<S>    <C>\n"
           "Rent   50\n</TABLE>\n<page>\n<PAGE>\ntwo <PAGE>\n<S> is a letter\n");
  EXPECT_EQ(lines_of(document), (std::vector<std::string>{"one", "Item   Sum", "Rent   50",
                                                          "two <PAGE>", "<S> is a letter"}));
  ASSERT_EQ(document.pages.size(), 2u);
  EXPECT_EQ(document.report.pages, 2);
  EXPECT_EQ(source_of(document, "two"), 90);
  EXPECT_EQ(read("a.md", "one\n<PAGE>\ntwo").pages.size(), 1u);
}

TEST_F(ReadPlain, KnowsContentsByTheirLeaders) {
  const Document document = read("a.txt",
                                 "AGREEMENT\n\nTABLE OF CONTENTS\n\n1. Definitions ........ 3\n"
                                 "2. A long title that\nis wrapped . . . . . 12\n"
                                 "3. Term\xE2\x80\xA6\xE2\x80\xA6 14\nSchedule 1\n\n"
                                 "1. Definitions\n\nIn this Agreement\n");
  std::vector<LineKind> kinds;
  for (const Line& line : document.lines) kinds.push_back(line.kind);
  const auto B = LineKind::body, C = LineKind::contents;
  EXPECT_EQ(kinds, (std::vector<LineKind>{B, C, C, C, C, C, C, B, B}));
}

}  // namespace
}  // namespace whereof
