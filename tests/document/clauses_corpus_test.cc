// Clauses of whole documents: our own examples, which must come out exactly, and the corpus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "document/clause_numbers.h"
#include "document/clause_text.h"
#include "whereof/document.h"

namespace whereof::document {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsSupersetOf;
namespace fs = std::filesystem;

fs::path example(const char* name) { return fs::path(WHEREOF_SOURCE_DIR) / "examples" / name; }

fs::path corpus() {
  if (const char* folder = std::getenv("WHEREOF_CORPUS")) return folder;
  return fs::path(WHEREOF_SOURCE_DIR) / ".." / "shared" / "corpus";
}

std::string file_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Labels and headings of the top level, in the order of the document; headings in lower case, for
// the PDF sets them in capitals.
std::vector<std::string> top_level(const Document& document) {
  std::vector<std::string> lines;
  for (const Clause& clause : document.clauses) {
    if (clause.parent >= 0) continue;
    std::string line = clause.label;
    if (!clause.heading.empty()) line += " " + clause.heading;
    for (char& c : line) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> labels(const Document& document) {
  std::vector<std::string> all;
  for (const Clause& clause : document.clauses) all.push_back(clause.label);
  return all;
}

// As their sources in examples/source have them; first the preamble, which has no label. The
// English agreement has 38 clauses and 8 schedules, the Chinese one 32 articles and 6 annexes.
const char* const kAgreement[] = {"",
                                  "1 definitions and interpretation",
                                  "2 losses",
                                  "3 limit of compensation",
                                  "4 sale and purchase",
                                  "5 consideration",
                                  "6 conditions",
                                  "7 conduct of business before completion",
                                  "8 completion",
                                  "9 completion accounts",
                                  "10 warranties of the seller",
                                  "11 termination before completion",
                                  "12 break fee",
                                  "13 tax",
                                  "14 insurance",
                                  "15 warranties of the purchaser and the guarantor",
                                  "16 guarantee",
                                  "17 transitional services",
                                  "18 restrictive covenants",
                                  "19 confidentiality",
                                  "20 announcements",
                                  "21 employees",
                                  "22 pensions",
                                  "23 intellectual property and names",
                                  "24 data protection",
                                  "25 environment",
                                  "26 wrong pockets and records",
                                  "27 shared contracts",
                                  "28 product claims and recalls",
                                  "29 financial reporting after completion",
                                  "30 conduct of claims",
                                  "31 assignment",
                                  "32 notices",
                                  "33 entire agreement",
                                  "34 variation, waiver and remedies",
                                  "35 costs and payments",
                                  "36 general",
                                  "37 governing law",
                                  "38 disputes and jurisdiction",
                                  "schedule 1 particulars of the group",
                                  "schedule 2 warranties",
                                  "schedule 3 completion obligations",
                                  "schedule 4 tax",
                                  "schedule 5 completion accounts",
                                  "schedule 6 transitional services",
                                  "schedule 7 properties",
                                  "schedule 8 separation"};
const char* const kChinese[] = {"",
                                "第一条 定义与解释",
                                "第二条 损失",
                                "第三条 赔偿的限额与期限",
                                "第四条 股权转让",
                                "第五条 价款及其支付",
                                "第六条 先决条件",
                                "第七条 过渡期安排",
                                "第八条 交割",
                                "第九条 交割审计",
                                "第十条 转让方的保证",
                                "第十一条 协议的终止",
                                "第十二条 分手费",
                                "第十三条 受让方和担保方的保证",
                                "第十四条 担保",
                                "第十五条 税务",
                                "第十六条 保险",
                                "第十七条 过渡期服务",
                                "第十八条 竞业限制",
                                "第十九条 员工",
                                "第二十条 知识产权与商号",
                                "第二十一条 环境责任",
                                "第二十二条 遗漏资产与记录",
                                "第二十三条 第三方索赔",
                                "第二十四条 保密与公告",
                                "第二十五条 违约责任",
                                "第二十六条 不可抗力",
                                "第二十七条 通知",
                                "第二十八条 变更、转让与弃权",
                                "第二十九条 费用",
                                "第三十条 一般规定",
                                "第三十一条 适用法律",
                                "第三十二条 争议解决",
                                "附件一 目标公司及其子公司的基本情况",
                                "附件二 转让方的保证",
                                "附件三 交割事项清单",
                                "附件四 交割审计规则",
                                "附件五 过渡期服务",
                                "附件六 税务补偿"};

TEST(ExampleClauses, EnglishTextIsExact) {
  const Document document = read_document(example("acquisition-agreement.txt"));
  EXPECT_THAT(top_level(document), ElementsAreArray(kAgreement));
  EXPECT_THAT(labels(document), IsSupersetOf({"2.1", "3.1", "3.2(a)", "5.2(a)(i)", "11.1",
                                              "Schedule 4, 2.1(f)", "Schedule 2, 6.1(f)"}));
}

TEST(ExampleClauses, ChineseTextIsExact) {
  const Document document = read_document(example("收购协议.txt"));
  EXPECT_THAT(top_level(document), ElementsAreArray(kChinese));
  EXPECT_THAT(labels(document),
              IsSupersetOf({"第二条第一款（二）", "第三条第一款", "第十一条第一款",
                            "附件二，五（一）1", "附件一，第一部分"}));
}

// Whatever the file type, the same clauses under the same names.
TEST(ExampleClauses, PdfAndTextAgree) {
  for (const char* name : {"acquisition-agreement", "收购协议"}) {
    const Document text = read_document(example((std::string(name) + ".txt").c_str()));
    const Document pdf = read_document(example((std::string(name) + ".pdf").c_str()));
    EXPECT_THAT(labels(pdf), ElementsAreArray(labels(text))) << name;
    EXPECT_THAT(top_level(pdf), ElementsAreArray(top_level(text))) << name;
  }
}

TEST(ExampleClauses, DocxAndTextAgree) {
  for (const char* name : {"acquisition-agreement", "收购协议"}) {
    const Document text = read_document(example((std::string(name) + ".txt").c_str()));
    const Document docx = read_document(example((std::string(name) + ".docx").c_str()));
    EXPECT_THAT(labels(docx), ElementsAreArray(labels(text))) << name;
    EXPECT_THAT(top_level(docx), ElementsAreArray(top_level(text))) << name;
  }
}

TEST(CorpusClauses, CivilCodeHas1260Articles) {
  const fs::path path = corpus() / "zh" / "civil-code.txt";
  if (!fs::exists(path)) GTEST_SKIP() << "no corpus at " << path;
  Document document = document_of(file_text(path));
  find_clauses(document);
  std::int32_t articles = 0;
  std::set<ClauseKind> kinds;
  for (const Clause& clause : document.clauses) {
    if (clause.kind == ClauseKind::part) {
      EXPECT_FALSE(clause.number.ends_with("条"));
      kinds.insert(clause.kind);
    }
    if (clause.kind != ClauseKind::clause || !clause.number.ends_with("条")) continue;
    const auto token = scan_number(clause.number);
    ASSERT_TRUE(token);
    ++articles;
    EXPECT_EQ(token->reading[0].value, articles) << "the next article";
    EXPECT_EQ(clause.label, clause.number);
  }
  EXPECT_EQ(articles, 1260);
  EXPECT_TRUE(kinds.contains(ClauseKind::part));
}

// The contracts that have numbered clauses, all but two, show them. The counts are printed, not
// fixed: docs/documents.md has what they were and what was seen by eye.
TEST(CorpusClauses, ContractsShowTheirClauses) {
  const fs::path folder = corpus() / "cuad";
  if (!fs::exists(folder)) GTEST_SKIP() << "no corpus at " << folder;
  std::vector<std::string> without;
  int contracts = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    const Document document = read_document(entry.path());
    ++contracts;
    if (document.clauses.size() < 9)
      without.push_back(entry.path().filename().string().substr(0, 2));
    std::cout << entry.path().stem().string() << ": " << document.clauses.size() << " clauses\n";
  }
  std::sort(without.begin(), without.end());
  EXPECT_EQ(contracts, 36);
  EXPECT_THAT(without, ::testing::ElementsAre("10", "22"));
}

}  // namespace
}  // namespace whereof::document
