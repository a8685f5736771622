#include "text/quantities.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace whereof::text {
namespace {

// Whether everything that one text claims is borne out by the other, as an answer by a clause.
bool is_borne_out(std::string_view claim, std::string_view clause) {
  const std::vector<Quantity> stated = quantities(clause);
  const std::vector<Quantity> claimed = quantities(claim);
  return std::all_of(claimed.begin(), claimed.end(), [&](const Quantity& one) {
    return one.is_slight || std::any_of(stated.begin(), stated.end(), [&](const Quantity& other) {
             return bears_out(other, one);
           });
  });
}

struct Pair {
  const char* claim;
  const char* clause;
};

TEST(Quantities, AgreeHoweverTheyAreWritten) {
  for (const auto& [claim, clause] : std::initializer_list<Pair>{
           {"The term is 12 months.", "for a term of twelve (12) months"},
           {"twelve months", "a 12-month period"},
           {"one year", "a term of 12 months"},
           {"The term is 5 years.", "an initial term of five (5) contract years"},
           {"two weeks", "within fourteen (14) days"},
           {"10 business days", "ten (10) Business Days"},
           {"25 days", "twenty-five consecutive calendar days"},
           {"120,000 shares", "one hundred and twenty thousand shares"},
           {"It pays $5 million.", "the sum of US$5,000,000"},
           {"5,000,000 dollars", "five million dollars ($5,000,000)"},
           {"USD 4,500.50", "an amount of $4500.50"},
           {"$250,000", "Fee | 250,000 | payable at signing"},
           {"5 percent", "at a rate of 5% a year"},
           {"five per cent", "five percent (5%)"},
           {"5 %", "百分之五"},
           {"January 5, 2020", "on this 5th day of January, 2020"},
           {"2020-01-05", "Jan. 5, 2020"},
           {"5/1/2020", "January 5, 2020"},
           {"1/5/20", "5 January 2020"},
           {"2020年1月5日", "January 5, 2020"},
           {"January 2020", "from January 5, 2020"},
           {"in 2020", "from January 5, 2020"},
           {"at 17:30", "no later than 17:30"},
           {"The term is 12 months", "Term (months): 12"},
           {"There are 2 parties.", "the parties agree"},
           {"期限为十二个月。", "期限12个月"},
           {"一年", "十二个月"},
           {"12 months", "期限为一年"},
           {"30日内付款", "应在三十日内付款"},
           {"五个工作日", "5个工作日"},
           {"五百万元", "人民币5,000,000元"},
           {"人民币500万元", "人民币伍佰万元整"},
           {"RMB 5 million", "￥5,000,000"},
           {"1.5亿元", "人民币150,000,000元"},
           {"二〇二〇年一月五日", "2020年1月5日"},
           {"5％", "百分之五"},
           {"千分之三", "0.3%"},
           {"两年", "有效期二年"},
       }) {
    EXPECT_TRUE(is_borne_out(claim, clause)) << claim << " / " << clause;
  }
}

TEST(Quantities, DisagreeWhereTheyDiffer) {
  for (const auto& [claim, clause] : std::initializer_list<Pair>{
           {"The term is 12 years.", "for a term of 12 months"},
           {"The term is 12 years.", "under Section 12 of this Agreement"},
           {"The term is 12 years.", "12. Term\nThe term is five years."},
           {"12 years", "at 12 Main Street"},
           {"30 days", "within thirty (30) Business Days"},
           {"10 business days", "within 10 days"},
           {"30 days", "130 days"},
           {"3 days", "three months"},
           {"$5 million", "$500,000"},
           {"$5 million", "5 million euros"},
           {"$5,000", "5,000 days"},
           {"5 %", "5 days after the notice"},
           {"50%", "5%"},
           {"January 5, 2020", "January 6, 2020"},
           {"January 5, 2020", "January 5, 2021"},
           {"January 5, 2020", "2020"},
           {"2020年1月5日", "2020年1月15日"},
           {"13/1/2020", "1 February 2020"},
           {"at 17:30", "at 17:00"},
           {"account 12345678901234567890", "account 12345678901234567891"},
           {"期限为十二年", "期限为十二个月"},
           {"三十日", "三十个工作日"},
           {"五百万元", "五百万美元"},
           {"人民币500万元", "人民币50万元"},
           {"百分之五", "百分之十五"},
           {"十二年", "根据第十二条"},
           {"1,250 units", ""},
       }) {
    EXPECT_FALSE(is_borne_out(claim, clause)) << claim << " / " << clause;
  }
}

TEST(Quantities, AreNoLabels) {
  for (const char* text :
       {"Section 12", "Sections 3.1, 3.2(a) and 14", "Schedule 12", "第十二条", "第3.2条",
        "12. Term", "3.2 Price", "(12) the Buyer", "page 47", "clause 3.2.1", "十二、期限"}) {
    EXPECT_TRUE(quantities(text).empty()) << text;
  }
  EXPECT_EQ(quantities("Section 3, 30 days").size(), 1U);
}

TEST(Quantities, StandAtTheirPlace) {
  const std::string_view text = "It pays $5 million within thirty (30) days of May 4, 2021.";
  std::vector<std::string_view> found;
  for (const Quantity& one : quantities(text)) {
    found.push_back(text.substr(static_cast<std::size_t>(one.text.begin),
                                static_cast<std::size_t>(one.text.length())));
  }
  EXPECT_EQ(found, (std::vector<std::string_view>{"$5 million", "thirty (30) days", "30) days",
                                                  "May 4, 2021"}));
}

TEST(Quantities, LoneSmallNumbersAreSlight) {
  for (const char* text : {"the two parties", "each one", "2 parties", "双方各执一份", "十分"}) {
    for (const Quantity& one : quantities(text)) EXPECT_TRUE(one.is_slight) << text;
  }
}

TEST(Quantities, TakeAnyBytesInLinearTime) {
  for (const char* piece : {"1", "1,000", "one hundred ", "十", "第", "百分之", "$", "5/",
                            "Section 1, ", "May ", "\xff\xe5", "人民币", "( 1 ", "1 or or or "}) {
    std::string text;
    while (text.size() < (1U << 19)) text += piece;
    quantities(text);
  }
}

}  // namespace
}  // namespace whereof::text
