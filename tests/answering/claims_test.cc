#include "answering/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answering/agreement.h"
#include "document/clause_text.h"

namespace whereof::answering {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Strings = std::vector<std::string>;

std::string slice(std::string_view text, Span span) {
  return std::string(
      text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.length())));
}

Strings claims_in(std::string_view answer, std::string_view question = "") {
  Strings found;
  for (const Claim& claim : claims_of(answer, question)) found.push_back(slice(answer, claim.text));
  return found;
}

TEST(Claims, AreFiguresNamesAndQuotations) {
  EXPECT_THAT(claims_in("The Buyer pays Acme Holdings Inc. $5 million within 30 days."),
              ElementsAre("$5 million", "30 days", "Acme Holdings Inc"));
  EXPECT_THAT(claims_in("It is the State of New York."), ElementsAre("State of New York"));
  EXPECT_THAT(claims_in("They are \"Losses\" and \"all costs ... and fees\"."),
              ElementsAre("Losses", "all costs ", " and fees"));
  EXPECT_THAT(claims_in("即“损失”，见《公司法》。"), ElementsAre("损失", "公司法"));
}

TEST(Claims, AreNotWhatTheQuestionSaidNorClausesAndDates) {
  EXPECT_THAT(claims_in("Yes, Acme Holdings may.", "May Acme Holdings assign it?"), IsEmpty());
  EXPECT_THAT(claims_in("Under Section 3 and Article IV the Seller may."), IsEmpty());
  EXPECT_THAT(claims_in("The two parties agree. The Buyer may."), IsEmpty());
  EXPECT_THAT(claims_in("30 days, yes 30 days or thirty (30) days"), ElementsAre("30 days"));
}

TEST(Claims, FirstWordsOfSentencesMayBeNoPartOfAName) {
  const Document document = document::document_of("1. Seller\n\nThe Selling Shareholder pays.\n");
  const std::vector<ReadSentence> sentences = {{{11, 40}, {0, 5}, -1}};
  const auto claims = claims_of("Indeed Selling Shareholder pays.", "");
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(Agreement(document, sentences, claims).places({-1})[0], ClaimPlace::cited);
}

TEST(Claims, WordsAreHeldWholeWhateverTheirSpelling) {
  EXPECT_TRUE(holds_words(plain_words("the ACME\nHoldings, Inc. of Ohio"),
                          plain_words("Acme Holdings Inc.")));
  EXPECT_TRUE(holds_words(plain_words("Purchase Prices"), plain_words("Purchase Price")));
  EXPECT_FALSE(holds_words(plain_words("Acme Holdingsworth"), plain_words("Acme Holdings")));
  EXPECT_FALSE(holds_words(plain_words("Pacme Holdings"), plain_words("Acme Holdings")));
  EXPECT_TRUE(holds_words(plain_words("该等损\n失由卖方承担"), plain_words("损失")));
}

// One clause a line; sentences as they are read.
struct Read {
  Document document;
  std::vector<ReadSentence> sentences;
};

Read read(const std::vector<std::string>& clauses) {
  Read read;
  std::int64_t token = 0;
  for (const std::string& text : clauses) {
    const auto begin = static_cast<std::int64_t>(read.document.text.size());
    read.document.text += text + "\n";
    Clause clause;
    clause.number = clause.label = text.substr(0, text.find(' '));
    clause.text = clause.own_text = {begin, begin + static_cast<std::int64_t>(text.size())};
    read.sentences.push_back({clause.text,
                              {token, token + 10},
                              static_cast<std::int32_t>(read.document.clauses.size())});
    read.document.clauses.push_back(clause);
    token += 10;
  }
  return read;
}

TEST(Agreement, TellsCitedFromReadFromNowhere) {
  const Read text = read({"1 The term is 12 months.", "2 It pays $5,000,000 to Acme Holdings."});
  const auto claims = claims_of("12 months, $5 million, 99 units; Acme Holdings.", "");
  const Agreement agreement(text.document, text.sentences, claims);
  EXPECT_THAT(agreement.places({0}), ElementsAre(ClaimPlace::cited, ClaimPlace::read,
                                                 ClaimPlace::nowhere, ClaimPlace::read));
  EXPECT_THAT(agreement.places({1}), ElementsAre(ClaimPlace::read, ClaimPlace::cited,
                                                 ClaimPlace::nowhere, ClaimPlace::cited));
  EXPECT_NEAR(agreement.borne_out()[0], 1.0 / 3, 1e-12);
}

// "The term is 12 years" was once called supported because "12" stood somewhere.
TEST(Agreement, TheSameDigitsOfSomethingElseAreNoSupport) {
  const Read text = read({"12 The term is five years.", "2 It has 12 units."});
  const auto claims = claims_of("The term is 12 years.", "");
  const Agreement agreement(text.document, text.sentences, claims);
  EXPECT_THAT(agreement.places({0, 1}), ElementsAre(ClaimPlace::nowhere));
}

TEST(Agreement, CountsTheClauseAboveACitedOne) {
  Read text = read({"1 Within 30 days the Buyer shall", "(a) pay the price."});
  text.document.clauses[1].parent = 0;
  const auto claims = claims_of("It pays within 30 days.", "");
  EXPECT_THAT(Agreement(text.document, text.sentences, claims).places({1}),
              ElementsAre(ClaimPlace::cited));
}

TEST(InventedClauses, AreThoseThatTheDocumentNeitherHasNorMentions) {
  Document document = document::document_of(
      "1. Goods\n\nGoods, as in Exhibit B.\n\n2. Price\n\n2.1 Ten.\n\n2.2 Twenty.\n");
  find_clauses(document);
  const auto invented = [&](std::string_view answer) {
    Strings found;
    for (const Span span : invented_clauses(document, answer)) found.push_back(slice(answer, span));
    return found;
  };
  EXPECT_THAT(invented("Clause 2.1 and Section 1 say so; see Exhibit B."), IsEmpty());
  EXPECT_THAT(invented("Clause 7.3 says so."), ElementsAre("Clause 7.3"));
  EXPECT_THAT(invented("Section 1542, and Section 2"), ElementsAre("Section 1542"));
  EXPECT_THAT(invented("见第九条。"), ElementsAre("第九条"));
  EXPECT_THAT(invented("Section 13(d) of the Exchange Act"), IsEmpty());
  EXPECT_THAT(invented(""), IsEmpty());
}

}  // namespace
}  // namespace whereof::answering
