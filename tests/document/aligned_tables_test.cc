// Tables without rules in PDF files, and what only looks like one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/document.h"

namespace whereof {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AlignedTables : public ::testing::Test {
 protected:
  // A page of rows, each a list of (x, words), 14 points apart.
  struct Word {
    double x;
    std::string text;
  };
  Document read(const std::vector<std::vector<Word>>& rows) {
    std::string content;
    double y = 700;
    for (const auto& row : rows) {
      for (const Word& word : row) content += at(word.x, y, word.text);
      y -= 14;
    }
    return read_document(folder_.write("a.pdf", testing::SamplePdf().page(content).bytes()));
  }
  static std::vector<std::string> lines_of(const Document& document, LineKind kind) {
    std::vector<std::string> lines;
    for (const Line& line : document.lines) {
      if (line.kind == kind) lines.emplace_back(document.slice(line.text));
    }
    return lines;
  }
  std::vector<std::string> tables(const std::vector<std::vector<Word>>& rows) {
    return lines_of(read(rows), LineKind::table);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(AlignedTables, RowsAreLinesOfCells) {
  const Document document = read({{{72, "The fees of each region are these."}},
                                  {{72, "Region"}, {250, "Fee"}, {400, "Share"}},
                                  {{72, "North America"}, {250, "1,200"}, {400, "5%"}},
                                  {{72, "Europe"}, {250, "900"}, {400, "7.5%"}},
                                  {{72, "Fees are due on the first day of each month."}}});
  EXPECT_THAT(
      lines_of(document, LineKind::table),
      ElementsAre("Region | Fee | Share", "North America | 1,200 | 5%", "Europe | 900 | 7.5%"));
  EXPECT_THAT(lines_of(document, LineKind::body),
              ElementsAre("The fees of each region are these.",
                          "Fees are due on the first day of each month."));
}

TEST_F(AlignedTables, AWrappedCellIsReadToItsEnd) {
  EXPECT_THAT(
      tables({{{72, "Product"}, {250, "Delivery"}},
              {{72, "Pumps"}, {250, "to the port of"}},
              {{250, "Rotterdam"}},
              {{72, "Valves"}, {250, "ex works"}}}),
      ElementsAre("Product | Delivery", "Pumps | to the port of Rotterdam", "Valves | ex works"));
}

TEST_F(AlignedTables, AnEmptyCellLeavesTheOthersInPlace) {
  EXPECT_THAT(tables({{{72, "Year"}, {250, "Units"}, {400, "Price"}},
                      {{72, "first"}, {250, "100"}, {400, "9.50"}},
                      {{72, "second"}, {400, "9.00"}},
                      {{72, "third"}, {250, "300"}, {400, "8.50"}}}),
              ElementsAre("Year | Units | Price", "first | 100 | 9.50", "second | 9.00",
                          "third | 300 | 8.50"));
}

TEST_F(AlignedTables, TwoLinesAreNone) {
  EXPECT_THAT(tables({{{72, "Region"}, {250, "Fee"}}, {{72, "Europe"}, {250, "900"}}}), IsEmpty());
}

TEST_F(AlignedTables, NumbersInFrontOfTextAreNone) {
  const Document document = read({{{72, "1."}, {110, "The Seller sells."}},
                                  {{72, "2."}, {110, "The Buyer pays."}},
                                  {{72, "3."}, {110, "The law is that of Ruritania."}}});
  EXPECT_THAT(lines_of(document, LineKind::table), IsEmpty());
  EXPECT_EQ(document.clauses.size(), 3U);
}

TEST_F(AlignedTables, ContentsSignaturesAndTermsAreNone) {
  EXPECT_THAT(tables({{{72, "Definitions"}, {500, "1"}},
                      {{72, "Price"}, {500, "4"}},
                      {{72, "Term"}, {500, "12"}}}),
              IsEmpty());
  EXPECT_THAT(tables({{{72, "SELLER"}, {320, "BUYER"}},
                      {{72, "By: Anna Adams"}, {320, "By: Ben Brown"}},
                      {{72, "Title: Director"}, {320, "Title: Manager"}},
                      {{72, "Date: 1 May"}, {320, "Date: 2 May"}}}),
              IsEmpty());
  const std::string meaning = "means all of the goods that are listed in the first schedule hereto";
  EXPECT_THAT(tables({{{72, "Goods"}, {150, meaning}},
                      {{72, "Services"}, {150, meaning}},
                      {{72, "Works"}, {150, meaning}}}),
              IsEmpty());
}

TEST_F(AlignedTables, TextInColumnsIsNone) {
  const std::string line = "a line of text that fills it";
  std::vector<std::vector<Word>> rows;
  for (int i = 0; i < 5; ++i) rows.push_back({{72, line}, {320, line}});
  EXPECT_THAT(tables(rows), IsEmpty());
}

}  // namespace
}  // namespace whereof
