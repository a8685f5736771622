// Definitions of small texts: each case is a way in which contracts and statutes define terms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/clause_text.h"
#include "whereof/references.h"

namespace whereof::document {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

Document read(std::string text) {
  Document document = document_of(std::move(text));
  find_clauses(document);
  return document;
}

std::vector<std::string> terms_of(std::string text) {
  std::vector<std::string> terms;
  for (const Definition& definition : find_definitions(read(std::move(text)))) {
    terms.push_back(definition.term);
  }
  return terms;
}

struct Case {
  const char* name;
  const char* text;
  std::vector<std::string> expected;
};
std::string name_of_case(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

class DefinedTerms : public ::testing::TestWithParam<Case> {};

TEST_P(DefinedTerms, AreFound) {
  EXPECT_THAT(terms_of(GetParam().text), ElementsAreArray(GetParam().expected));
}

const Case kCases[] = {
    {"means", "\"Affiliate\" means a company. “Price” shall mean a sum.", {"Affiliate", "Price"}},
    {"two_share_a_verb", "“Losses” or “Damages” means costs.", {"Losses", "Damages"}},
    {"pointer", "“Cap” has the meaning set forth in Section 3.", {"Cap"}},
    {"in_brackets", "Alpha Inc. (the \"Buyer\") buys from Beta (“Seller”).", {"Buyer", "Seller"}},
    {"collectively",
     "Alpha (each, a “Party” and collectively, the “Parties”) agree.",
     {"Party"}},  // the plural is the same term
    {"hereinafter", "Alpha, hereinafter referred to as the \"Agent\", acts.", {"Agent"}},
    {"unquoted_head", "1.1 Business Day means a weekday.\n\nIt means nothing.", {"Business Day"}},
    {"quoted_words_are_none", "He said \"No Way\" and left (see \"Risk Factors\").", {}},
    {"list",
     "1. Definitions\n\nAffiliate: a company.\n\nBusiness Day – a weekday.\n\n2. Use\n\nNote: "
     "no.\n",
     {"Affiliate", "Business Day"}},
    {"table", "1. Definitions\n\nAffiliate\ta company.\n\nPrice\ta sum.\n", {"Affiliate", "Price"}},
    {"bold", "**Affiliate** means a company.\n\n**“Price”**: a sum.\n", {"Affiliate", "Price"}},
    {"words_about_words",
     "The words “include” and “including” mean without limit. It is done by\n\n"
     "We work by means of the “Plan” alone.",
     {}},
    {"han_naming", "甲公司（以下简称“转让方”）与乙（以下简称受让方）。", {"转让方", "受让方"}},
    {"han_means", "“标的股权”指股权。\n\n“交割日”：指某日。", {"标的股权", "交割日"}},
    {"han_so_called",
     "本协议所称损失是指直接损失。\n\n本法所称“合同”，是指协议。",
     {"损失", "合同"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, DefinedTerms, ::testing::ValuesIn(kCases), name_of_case);

TEST(DefinitionUses, FormsOfATermAreUses) {
  const Document document = read(
      "1. Words\n\n\"Affiliate\" means a company.\n\n"
      "2. Use\n\nAffiliates, the Affiliate's staff and THE AFFILIATE, but no affiliate.\n");
  const std::vector<Definition> definitions = find_definitions(document);
  ASSERT_EQ(definitions.size(), 1u);
  EXPECT_EQ(document.slice(definitions[0].term_text), "Affiliate");
  EXPECT_EQ(document.slice(definitions[0].text), "\"Affiliate\" means a company.");
  EXPECT_EQ(definitions[0].clause, 0);
  std::vector<std::string> uses;
  for (const TermUse& use : definitions[0].uses) {
    uses.emplace_back(document.slice(use.text));
    EXPECT_EQ(use.clause, 1);
  }
  EXPECT_THAT(uses, ElementsAre("Affiliates", "Affiliate", "AFFILIATE"));
}

TEST(DefinitionUses, TheLongestTermIsUsed) {
  const Document document = read("“股权”指甲。“标的股权”指乙。转让标的股权，不转让其他股权。");
  const std::vector<Definition> definitions = find_definitions(document);
  ASSERT_EQ(definitions.size(), 2u);
  EXPECT_EQ(definitions[0].uses.size(), 1u);
  EXPECT_EQ(definitions[1].uses.size(), 1u);
}

TEST(Definitions, TheOneThatSaysWhatItMeansComesBeforeAPointer) {
  const Document document = read(
      "“Cap” has the meaning given in clause 3.\n\n3. Cap\n\nA limit of ten (the “Cap”) "
      "applies.\n");
  const std::vector<Definition> definitions = find_definitions(document);
  ASSERT_EQ(definitions.size(), 1u);
  EXPECT_EQ(document.slice(definitions[0].text), "A limit of ten (the “Cap”) applies.");
  EXPECT_EQ(definitions[0].more.size(), 1u);
}

TEST(UndefinedTerms, AreUsedTwiceBehindAnArticleAndNeverDefined) {
  const Document document = read(
      "1. Use\n\nThe “Price” means ten. The Buyer pays the Price into the Escrow Account.\n\n"
      "2. End\n\nMoney in the Escrow Account is the Securities Act's, the State of Ohio's, a "
      "Cap.\n");
  const std::vector<UndefinedTerm> terms =
      find_undefined_terms(document, find_definitions(document));
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].term, "Escrow Account");
  ASSERT_EQ(terms[0].uses.size(), 2u);
  EXPECT_EQ(terms[0].uses[0].clause, 0);
  EXPECT_EQ(terms[0].uses[1].clause, 1);
}

}  // namespace
}  // namespace whereof::document
