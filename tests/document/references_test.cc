// References of small texts: each case is a way in which contracts and statutes name their clauses.
#include "whereof/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/clause_text.h"

namespace whereof::document {
namespace {

using ::testing::ElementsAreArray;

Document read(std::string text) {
  Document document = document_of(std::move(text));
  find_clauses(document);
  return document;
}

// "Section 3.1 > 3.1", "Exhibit A ! unattached", "Section 3 > #0: 3", one a reference.
std::vector<std::string> lines_of(const Document& document,
                                  const std::vector<const Document*>& others) {
  std::vector<std::string> lines;
  for (const Reference& reference : find_references(document, others)) {
    std::string line = joined_lines(document.slice(reference.text));
    constexpr const char* kKinds[] = {"", " ! external", " ! unattached", " ! dangling"};
    if (!reference.targets.empty()) line += " >";
    if (reference.document >= 0) line += " #" + std::to_string(reference.document) + ":";
    const Document& named =
        reference.document < 0 ? document : *others[static_cast<std::size_t>(reference.document)];
    for (const std::int32_t target : reference.targets) {
      line += ' ' + named.clauses[static_cast<std::size_t>(target)].label;
    }
    lines.push_back(line + kKinds[static_cast<int>(reference.kind)]);
  }
  return lines;
}

std::vector<std::string> references_of(std::string text) {
  return lines_of(read(std::move(text)), {});
}

const char* const kContract =
    "1. Definitions\n\nWords have meanings.\n\n"
    "2. Sale\n\n2.1 The Seller sells:\n\n(a) the Shares; and\n\n(b) the Loan.\n\n"
    "2.2 The Buyer buys.\n\n2.3 It is done at once.\n\n"
    "3. Price\n\n3.1 The price is fixed.\n\n3.2 ";
const char* const kRest =
    "\n\n4. End\n\n4.1 It ends (i) by notice or (ii) by breach.\n\n"
    "Schedule 1\n\nAccounts\n\n1. Preparation\n\n1.1 They are drawn up.\n\n2. Disputes\n\nAn "
    "expert.\n";

struct Case {
  const char* name;
  const char* sentence;  // of clause 3.2
  std::vector<std::string> expected;
};
std::string name_of_case(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

class EnglishReference : public ::testing::TestWithParam<Case> {};

TEST_P(EnglishReference, NamesItsClauses) {
  EXPECT_THAT(references_of(std::string(kContract) + GetParam().sentence + kRest),
              ElementsAreArray(GetParam().expected));
}

const Case kEnglish[] = {
    {"one", "It is paid under Section 2.1.", {"Section 2.1 > 2.1"}},
    {"with_brackets", "It is paid under clause 2.1(b) above.", {"clause 2.1(b) > 2.1(b)"}},
    {"list",
     "Subject to Sections 2.1, 2.2 and 4.1, it is paid.",
     {"Sections 2.1, 2.2 and 4.1 > 2.1 2.2 4.1"}},
    {"brackets_go_on", "See Sections 2.1(a) and (b).", {"Sections 2.1(a) and (b) > 2.1(a) 2.1(b)"}},
    {"range", "See Sections 2.1 to 2.3.", {"Sections 2.1 to 2.3 > 2.1 2.2 2.3"}},
    {"range_with_the_noun_again",
     "See Section 2.1 through Section 2.3 hereof.",
     {"Section 2.1 through Section 2.3 > 2.1 2.2 2.3"}},
    {"part_of_a_section",
     "See paragraph (b) of Section 2.1.",
     {"paragraph (b) of Section 2.1 > 2.1(b)"}},
    {"item_in_running_text", "See Section 4.1(ii).", {"Section 4.1(ii) > 4.1"}},
    {"itself", "Nothing in this Section limits it.", {"this Section > 3.2"}},
    {"the_one_before", "See the foregoing Section.", {"the foregoing Section > 3.1"}},
    {"schedule", "See Schedule 1.", {"Schedule 1 > Schedule 1"}},
    {"inside_a_schedule",
     "See paragraph 2 of Schedule 1.",
     {"paragraph 2 of Schedule 1 > Schedule 1, 2"}},
    {"letter_for_an_item", "See Section 2.1B.", {"Section 2.1B > 2.1(b)"}},
    {"numbered_document",
     "See Section 7.3.3 of AIA Document A201-1997.",
     {"Section 7.3.3 ! external"}},
    {"statute",
     "See Section 13(d) of the Exchange Act and Section 365 of the Bankruptcy Code.",
     {"Section 13(d) ! external", "Section 365 ! external"}},
    {"statute_before_its_section", "See Exchange Act Section 3.", {"Section 3 ! external"}},
    {"dangling", "See Section 9.4.", {"Section 9.4 ! dangling"}},
    {"half_dangling", "See Sections 2.1 and 9.4.", {"Sections 2.1 and 9.4 > 2.1 ! dangling"}},
    {"unattached", "See Exhibit C.", {"Exhibit C ! unattached"}},
    {"across_lines", "It is paid under Section\n2.1 at once.", {"Section 2.1 > 2.1"}},
    {"double_commas", "See Sections 2.1, , 2.2.", {"Sections 2.1, , 2.2 > 2.1 2.2"}},
    {"titles_between",
     "See Sections 2.1 (Sale) and 2.2 [Purchase] hereof.",
     {"Sections 2.1 (Sale) and 2.2 > 2.1 2.2"}},
    {"a_list_of_the_sentence",
     "Either (a) under Section 2.1(a), (b) to pay or (c) not.",
     {"Section 2.1(a) > 2.1(a)"}},
    {"capital_letters", "See Section 2.1(B).", {"Section 2.1(B) > 2.1(b)"}},
    {"article_and_section", "See Article 2, Section 2.2.", {"Article 2 > 2", "Section 2.2 > 2.2"}},
    {"regulation", "Under Regulation S-K, Item 601(b).", {"Item 601(b) ! external"}},
    {"names_with_part", "MPEG-4 Part 2 and Medicare Part D.", {}},
    {"statute_named_once",
     "Section 1542 of the Civil Code. Section 1542 is waived.",
     {"Section 1542 ! external", "Section 1542 ! external"}},
    {"days_are_no_section", "Under Section 2.1, 30 days later.", {"Section 2.1 > 2.1"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, EnglishReference, ::testing::ValuesIn(kEnglish), name_of_case);

const char* const kStatute =
    "第一章 总则\n\n第一条 为了规范，制定本法。\n\n第二条 本法所称合同是协议。\n\n"
    "本法也适用于章程。\n\n第三条 有下列情形之一的，合同无效：\n\n（一）一；\n\n（二）二；\n\n"
    "（三）三。\n\n第四条 ";
const char* const kStatuteRest =
    "\n\n第二章 附则\n\n第五条 本法自公布之日起施行。\n\n附件一 清单\n\n内容。\n";

class HanReference : public ::testing::TestWithParam<Case> {};

TEST_P(HanReference, NamesItsClauses) {
  EXPECT_THAT(references_of(std::string(kStatute) + GetParam().sentence + kStatuteRest),
              ElementsAreArray(GetParam().expected));
}

const Case kHan[] = {
    {"one", "依照第三条的规定。", {"第三条 > 第三条"}},
    {"item", "依照第三条第二项的规定。", {"第三条第二项 > 第三条（二）"}},
    {"item_in_brackets", "依照本法第三条第（三）项。", {"第三条第（三）项 > 第三条（三）"}},
    {"paragraph", "依照第二条第二款的规定。", {"第二条第二款 > 第二条"}},
    {"paragraph_that_is_not_there", "依照第二条第五款的规定。", {"第二条第五款 ! dangling"}},
    {"range", "适用第一条至第三条。", {"第一条至第三条 > 第一条 第二条 第三条"}},
    {"list", "适用第一条、第二条和第五条。", {"第一条、第二条和第五条 > 第一条 第二条 第五条"}},
    {"shared_unit", "适用第三条第一、三项。", {"第三条第一、三项 > 第三条（一） 第三条（三）"}},
    {"itself", "本条另有规定的除外。", {"本条 > 第四条"}},
    {"the_one_before", "前条规定不适用。", {"前条 > 第三条"}},
    {"two_before", "前两条规定不适用。", {"前两条 > 第二条 第三条"}},
    {"paragraph_before", "甲。\n\n前款规定不适用。", {"前款 > 第四条"}},
    {"own_paragraph", "甲。\n\n依照本条第一款。", {"本条第一款 > 第四条"}},
    {"chapter", "适用本章和第二章的规定。", {"本章和第二章 > 第一章 第二章"}},
    {"other_statute", "依照《公司法》第三条。", {"第三条 ! external"}},
    {"dangling", "依照第九条。", {"第九条 ! dangling"}},
    {"attachment", "见附件一。", {"附件一 > 附件一"}},
    {"no_reference", "本章程和本项目、前条件。", {}},
};
INSTANTIATE_TEST_SUITE_P(Cases, HanReference, ::testing::ValuesIn(kHan), name_of_case);

TEST(References, OfAnAmendmentLieInTheAgreementThatItAmends) {
  const Document agreement = read(
      "SUPPLY AGREEMENT\n\n1. Goods\n\nGoods.\n\n2. Price\n\nTen.\n\n"
      "3. Term\n\nA year.\n");
  const Document amendment = read(
      "AMENDMENT NO. 1 TO SUPPLY AGREEMENT\n\n1. Section 3 of the Agreement is amended.\n\n"
      "2. Section 9 of the Agreement is deleted.\n");
  EXPECT_THAT(lines_of(amendment, {}),
              ElementsAreArray({"Section 3 ! external", "Section 9 ! external"}));
  EXPECT_THAT(lines_of(amendment, {&agreement}),
              ElementsAreArray({"Section 3 > #0: 3", "Section 9 #0: ! dangling"}));
}

TEST(References, OfAnotherDocumentAreFoundByItsTitleOrItsDefinedName) {
  const Document lease = read("LEASE AGREEMENT\n\n1. Rent\n\nTen.\n\n2. Term\n\nA year.\n");
  const Document deed = read("SHARE DEED\n\n1. Shares\n\nAll.\n\n2. Price\n\nTen.\n");
  const Document agreement = read(
      "1. Words\n\nThe lease agreement of 3 May (the \"Lease\") is known.\n\n"
      "2. Use\n\nSection 2 of the Lease and Section 1 of the Share Deed apply, not Section 7 of "
      "the Loan Agreement.\n");
  EXPECT_THAT(lines_of(agreement, {&deed, &lease}),
              ElementsAreArray({"Section 2 > #1: 2", "Section 1 > #0: 1", "Section 7 ! external"}));
}

TEST(References, InASecondNumberingMeanThatNumbering) {
  const std::vector<std::string> found = references_of(
      "1. Parties\n\nTwo.\n\n2. Fee\n\nSee Section 1.\n\nGENERAL TERMS\n\n"
      "1. Words\n\nSee Section 2.\n\n2. Law\n\nSee Section 1.\n");
  EXPECT_THAT(found,
              ElementsAreArray({"Section 1 > 1", "Section 2 > second 2", "Section 1 > second 1"}));
}

TEST(References, PartsOfOneFileAreNamedByTheirHeadings) {
  const std::vector<std::string> found = references_of(
      "BASIC TERMS\n\n1. Parties\n\nSee Section 2 of the General Terms.\n\n2. Fee\n\nTen.\n\n"
      "3. End\n\nA year.\n\nGENERAL TERMS\n\n1. Words\n\nNone.\n\n2. Law\n\nNone.\n");
  EXPECT_THAT(found, ElementsAreArray({"Section 2 > second 2"}));
}

TEST(References, OfATextAboutADocumentAreLookedUpThere) {
  const Document agreement = read(
      "SUPPLY AGREEMENT\n\n1. Goods\n\nAll (a) new and (b) old goods.\n\n2. Price\n\n"
      "2.1 Ten.\n\n2.2 Within 30 days.\n");
  const std::string answer =
      "Under Section 2.1 and Section 1(b), not Section 7.3 or clause 1542, nor Section 13(d) of "
      "the Exchange Act.";
  std::vector<std::string> found;
  for (const Reference& one : find_references_to(agreement, answer)) {
    std::string line = answer.substr(static_cast<std::size_t>(one.text.begin),
                                     static_cast<std::size_t>(one.text.length()));
    for (const std::int32_t target : one.targets) {
      line += " > " + agreement.clauses[static_cast<std::size_t>(target)].label;
    }
    if (one.kind == ReferenceKind::dangling) line += " dangling";
    if (one.kind == ReferenceKind::external) line += " external";
    found.push_back(line);
  }
  EXPECT_THAT(found,
              ElementsAreArray({"Section 2.1 > 2.1", "Section 1(b) > 1", "Section 7.3 dangling",
                                "clause 1542 dangling", "Section 13(d) external"}));
}

}  // namespace
}  // namespace whereof::document
