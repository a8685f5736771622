// The project's own examples, which come as PDF, DOCX and TXT of one text.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "whereof/document.h"

namespace whereof {
namespace {

std::filesystem::path example(const std::string& name) {
  return std::filesystem::path(WHEREOF_SOURCE_DIR) / "examples" / name;
}

std::string without_spaces(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("\xE3\x80\x80")) {
      i += 2;
    } else if (line[i] != ' ') {
      out += line[i];
    }
  }
  return out;
}

// Lines of the body from the one after the cover and the contents; tables are set differently.
std::vector<std::string> body_of(const Document& document, std::string_view first) {
  std::vector<std::string> lines;
  for (const Line& line : document.lines) {
    if (line.kind == LineKind::body) lines.push_back(without_spaces(document.slice(line.text)));
  }
  const auto begin = std::find(lines.begin(), lines.end(), without_spaces(first));
  lines.erase(lines.begin(), begin);
  return lines;
}

void expect_same_numbers(const std::string& name, std::string_view first, int least) {
  const Document docx = read_document(example(name + ".docx"));
  const auto in_docx = body_of(docx, first);
  const auto in_text = body_of(read_document(example(name + ".txt")), first);
  ASSERT_FALSE(in_docx.empty());
  int automatic = 0;
  for (const Line& line : docx.lines) automatic += line.number_bytes > 0 ? 1 : 0;
  EXPECT_GE(automatic, least);
  // Every line of the DOCX body stands in the text file, in this order, number and all. (The text
  // file has further lines: its rows of tables.)
  auto at = in_text.begin();
  for (const std::string& line : in_docx) {
    const auto found = std::find(at, in_text.end(), line);
    ASSERT_NE(found, in_text.end()) << line;
    at = found + 1;
  }
  EXPECT_GE(in_docx.size() * 100, in_text.size() * 90);
}

TEST(Examples, WordCountsTheNumbersOfTheEnglishAgreement) {
  expect_same_numbers("acquisition-agreement", "Parties", 500);
}

TEST(Examples, WordCountsTheNumbersOfTheChineseAgreement) {
  expect_same_numbers("收购协议", "鉴于", 200);
}

void expect_clean_pages(const std::string& name, const std::string& title,
                        const std::string& first_entry) {
  const Document document = read_document(example(name));
  EXPECT_GE(document.pages.size(), 30u);
  EXPECT_EQ(document.report.pages_without_text, 0);
  EXPECT_EQ(document.report.stripped_characters, 0);
  std::size_t headers = 0, footers = 0, contents = 0;
  for (const Line& line : document.lines) {
    const std::string text = without_spaces(document.slice(line.text));
    const std::int32_t page = document.page_of(line.text.begin);
    headers += line.kind == LineKind::header ? 1 : 0;
    footers += line.kind == LineKind::footer ? 1 : 0;
    contents += line.kind == LineKind::contents ? 1 : 0;
    if (line.kind == LineKind::contents) {
      EXPECT_EQ(page, 1) << text;
    }
    if (line.kind != LineKind::body) continue;
    EXPECT_EQ(text.find("......"), std::string::npos) << text;
    if (page > 1) {
      EXPECT_NE(text, title) << "page " << page;
    }
  }
  // Every page but the cover has one of each.
  EXPECT_EQ(headers, document.pages.size() - 1);
  EXPECT_EQ(footers, document.pages.size() - 1);
  EXPECT_GE(contents, 30u);
  const auto at = document.text.find(first_entry);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(document.page_of(static_cast<std::int64_t>(at)), 1);
}

TEST(Examples, ThePdfOfTheEnglishAgreementHasCleanPages) {
  expect_clean_pages("acquisition-agreement.pdf",
                     "SharePurchaseAgreementAshlarPrecisionComponentsLimited", "2. Losses");
}

TEST(Examples, ThePdfOfTheChineseAgreementHasCleanPages) {
  expect_clean_pages("收购协议.pdf", "股权收购协议衡川轴系科技有限公司", "第二条");
}

// The words of the PDF's body, joined, are those of the text file.
void expect_same_text(const std::string& name, std::string_view from, std::string_view to) {
  const auto joined = [&](const Document& document) {
    std::string all;
    for (const Line& line : document.lines) {
      if (line.kind == LineKind::body) all += without_spaces(document.slice(line.text));
    }
    for (char& c : all) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    const std::size_t begin = all.find(from);
    const std::size_t end = all.find(to, begin);
    EXPECT_NE(begin, std::string::npos);
    EXPECT_NE(end, std::string::npos);
    return all.substr(begin, end - begin);
  };
  const std::string pdf = joined(read_document(example(name + ".pdf")));
  const std::string text = joined(read_document(example(name + ".txt")));
  EXPECT_GT(pdf.size(), 30000u);
  EXPECT_TRUE(pdf == text)
      << pdf.size() << " and " << text.size() << " bytes; they part at \""
      << pdf.substr(static_cast<std::size_t>(
                        std::mismatch(pdf.begin(), pdf.end(), text.begin(), text.end()).first -
                        pdf.begin()),
                    80)
      << "\"";
}

TEST(Examples, ThePdfOfTheEnglishAgreementHasTheTextOfItsTwin) {
  expect_same_text("acquisition-agreement", "THISAGREEMENTISDATED", "SCHEDULE1PARTICULARS");
}

TEST(Examples, ThePdfOfTheChineseAgreementHasTheTextOfItsTwin) {
  expect_same_text("收购协议", "第一条定义与解释", "附件一目标公司及其子公司的基本情况");
}

}  // namespace
}  // namespace whereof
