// Trees of clauses from small texts. Each case is a shape that contracts have, or a fault that was
// seen in one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/clause_text.h"
#include "whereof/document.h"

namespace whereof::document {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct Case {
  const char* name;
  const char* text;
  std::vector<std::string> expected;
};

std::string name_of_case(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

class ClauseTree : public ::testing::TestWithParam<Case> {};

TEST_P(ClauseTree, IsAsWritten) {
  EXPECT_THAT(outline_of(GetParam().text), ElementsAreArray(GetParam().expected));
}

const Case kEnglish[] = {
    {"nested_decimals_and_letters",
     "SHARE PURCHASE AGREEMENT\n\n"
     "1. Definitions\n\n1.1 In this Agreement words have meanings.\n\n"
     "2. Liability\n\n2.1 Cap. The liability of the Seller is limited as follows:\n\n"
     "(a) for Warranties, to the price; and\n\n"
     "(b) for other Losses:\n\n(i) to the amount insured; or\n\n(ii) to one million.\n\n"
     "(c) in no case twice.\n\n2.2 Time limits. No claim after two years.\n",
     {"preamble", "1 | Definitions", "  1.1", "2 | Liability", "  2.1 | Cap", "    2.1(a)",
      "    2.1(b)", "      2.1(b)(i)", "      2.1(b)(ii)", "    2.1(c)", "  2.2 | Time limits"}},
    {"articles_and_sections",
     "ARTICLE I\n\nDEFINITIONS\n\nSection 1.01 Defined Terms. In this Agreement:\n\n"
     "Section 1.02 Construction. The word including means without limit.\n\n"
     "ARTICLE II\n\nTHE LOAN\n\nSection 2.01 The Loan. The Lender lends.\n\n"
     "(a) Draw. It is drawn at once.\n\n(b) Term. It is repaid in a year.\n",
     {"part Article I | DEFINITIONS", "  Section 1.01 | Defined Terms",
      "  Section 1.02 | Construction", "part Article II | THE LOAN", "  Section 2.01 | The Loan",
      "    Section 2.01(a) | Draw", "    Section 2.01(b) | Term"}},
    {"articles_without_sections_are_clauses",
     "Article 1. Scope\n\nThis Agreement applies to goods.\n\n"
     "Article 2. Price\n\nThe price is fixed:\n\n(a) in dollars; and\n\n(b) for a year.\n",
     {"Article 1 | Scope", "Article 2 | Price", "  Article 2(a)", "  Article 2(b)"}},
    {"second_list_of_a_clause_has_labels_of_its_own",
     "5. Fees\n\n5.1 The Buyer shall pay:\n\n(a) ten; and\n\n(b) one.\n\nIt does not pay:\n\n"
     "(a) tax; or\n\n(b) duty.\n\n6. End\n\nA year.\n",
     {"5 | Fees", "  5.1", "    5.1(a)", "    5.1(b)", "    5.1, second (a)", "    5.1, second (b)",
      "6 | End"}},
    {"rows_of_a_numbered_table_are_no_clauses",
     "4. Price\n\nIt is fixed.\n\n5. Payment\n\nThese are paid:\n\nNo. Name Amount\n"
     "1. Ms. Chen USD100\n2. Mr. Zheng USD50\n3. Mr. Gu USD50\n\n6. PROCESS\n\nIt is quick.\n\n"
     "7. Law\n\nThat of Ruritania.\n",
     {"4 | Price", "5 | Payment", "6 | PROCESS", "7 | Law"}},
    {"rows_that_pass_the_number_of_their_clause_close_nothing",
     "7. Payments\n\n7.1 Fees. They are paid.\n\n7.2 Milestones. These are paid:\n\n"
     "7. For a filing EUR 5\n\n8. For a sale EUR 6\n\n9. For the last EUR 7\n\n"
     "7.3 Royalties. They are paid.\n\n7.4 Taxes. They are paid.\n\n8. Notices\n\n"
     "8.1 Form. In writing.\n\n9. Law\n\nThat of Ruritania.\n",
     {"7 | Payments", "  7.1 | Fees", "  7.2 | Milestones", "  7.3 | Royalties", "  7.4 | Taxes",
      "8 | Notices", "  8.1 | Form", "9 | Law"}},
    {"an_attachment_that_a_sentence_names_at_the_head_of_a_line_is_no_schedule",
     "1. Start\n\nNotice is given in the form attached hereto as\n\nSchedule H-1.\n\n"
     "2. End\n\nIt ends.\n\nSchedule H-1\n\nForm of notice\n",
     {"1 | Start", "2 | End", "schedule Schedule H-1 | Form of notice"}},
    {"numbering_that_begins_anew_has_labels_of_its_own",
     "1. Sale\n\nGoods.\n\n2. Price\n\nTen.\n\nGENERAL TERMS\n\n1. Law\n\nNone.\n\n"
     "1.1 It is so.\n\n2. Notices\n\nBy post.\n",
     {"1 | Sale", "2 | Price", "second 1 | Law", "  1.1", "second 2 | Notices"}},
    {"contents_without_page_numbers_are_no_clauses",
     "Table of Contents\n\nArticle 1. Words\n\nArticle 2. Grant of Rights\n\n"
     "Article 3. General Terms\n\nTHIS AGREEMENT is made.\n\nARTICLE 1.\n\nWORDS\n\n"
     "Section 1.1 Words. They mean.\n\nARTICLE 2.\n\nGRANT OF RIGHTS\n\n"
     "Section 2.1 Grant. It is granted.\n\nARTICLE 3.\n\nGENERAL TERMS\n\n"
     "Section 3.1 Law. None.\n",
     {"preamble", "part Article 1 | WORDS", "  Section 1.1 | Words",
      "part Article 2 | GRANT OF RIGHTS", "  Section 2.1 | Grant", "part Article 3 | GENERAL TERMS",
      "  Section 3.1 | Law"}},
    {"headings_without_dots",
     "1 Definitions\n\nWords have meanings.\n\n2 Limitation of liability\n\n"
     "The Seller is liable to the price.\n\n3 Termination\n\nEither party may end it.\n",
     {"1 | Definitions", "2 | Limitation of liability", "3 | Termination"}},
    {"numbers_on_their_own_line",
     "1.\n\nDefinitions\n\nWords have meanings.\n\n2.\n\nLimitation of liability\n\n"
     "The Seller is liable to the price.\n",
     {"1 | Definitions", "2 | Limitation of liability"}},
    {"schedules_restart_numbering",
     "1. Sale\n\nThe Seller sells.\n\n2. Price\n\nThe Buyer pays.\n\n"
     "SCHEDULE 1\n\nCompletion Accounts\n\n1. Preparation\n\n1.1 They are drawn up.\n\n"
     "2. Disputes\n\nSchedule 2 - Properties\n\n1. The Rotherham Property\n",
     {"1 | Sale", "2 | Price", "schedule Schedule 1 | Completion Accounts",
      "  Schedule 1, 1 | Preparation", "    Schedule 1, 1.1", "  Schedule 1, 2 | Disputes",
      "schedule Schedule 2 | Properties", "  Schedule 2, 1 | The Rotherham Property"}},
    {"roman_i_after_h_is_a_letter_when_j_follows",
     "1. Events of Default\n\n(a) one;\n\n(b) two;\n\n(c) three;\n\n(d) four;\n\n(e) five;\n\n"
     "(f) six;\n\n(g) seven;\n\n(h) eight;\n\n(i) nine;\n\n(j) ten.\n",
     {"1 | Events of Default", "  1(a)", "  1(b)", "  1(c)", "  1(d)", "  1(e)", "  1(f)", "  1(g)",
      "  1(h)", "  1(i)", "  1(j)"}},
    {"roman_i_after_h_is_a_number_when_ii_follows",
     "1. Events of Default\n\n(a) one;\n\n(b) two;\n\n(c) three;\n\n(d) four;\n\n(e) five;\n\n"
     "(f) six;\n\n(g) seven;\n\n(h) eight, that is:\n\n(i) nine;\n\n(ii) ten.\n\n(i) last.\n\n"
     "(j) very last.\n",
     {"1 | Events of Default", "  1(a)", "  1(b)", "  1(c)", "  1(d)", "  1(e)", "  1(f)", "  1(g)",
      "  1(h)", "    1(h)(i)", "    1(h)(ii)", "  1(i)", "  1(j)"}},
    {"numbers_that_jump",
     "1. Sale\n\nText.\n\n2. Price\n\nText.\n\n4. Completion\n\nText.\n\n5. Warranties\n\nText.\n",
     {"1 | Sale", "2 | Price", "4 | Completion", "5 | Warranties"}},
    {"chained_numbers",
     "3. Payments\n\n3.1 (a) The Buyer pays.\n\n(b) The Seller counts.\n\n3.2 (a)(i) first;\n\n"
     "(ii) second.\n\n4. Notices\n\nBy post.\n",
     {"3 | Payments", "  3.1", "    3.1(a)", "    3.1(b)", "  3.2", "    3.2(a)", "      3.2(a)(i)",
      "      3.2(a)(ii)", "4 | Notices"}},
    {"parties_and_recitals_lie_in_the_preamble",
     "Parties\n\n(1) Alpha Limited; and\n\n(2) Beta Limited.\n\nBackground\n\n"
     "(A) Alpha owns a mill.\n\n(B) Beta wants it.\n\nAgreed terms\n\n"
     "1. Sale\n\n1.1 Alpha sells.\n\n2. Price\n\n2.1 Beta pays.\n",
     {"preamble", "  (1)", "  (2)", "  (A)", "  (B)", "1 | Sale", "  1.1", "2 | Price", "  2.1"}},
    {"a_line_that_holds_a_page",
     "1. TERM 1.1 Start This agreement starts now. 1.2 End It ends later. 2. PRICE 2.1 Sum. The "
     "price is fixed. 2.2 Payment. It is paid as Section 2.1 says.\n",
     {"1 | TERM", "  1.1", "  1.2", "2 | PRICE", "  2.1 | Sum", "  2.2 | Payment"}},
    {"spelled_and_section_sign",
     "ARTICLE ONE\n\nGENERAL\n\n§ 1.1 Scope. All goods.\n\n§ 1.2 Law. English law.\n\n"
     "ARTICLE TWO\n\nPRICE\n\n§ 2.1 Sum. Ten.\n",
     {"part Article ONE | GENERAL", "  § 1.1 | Scope", "  § 1.2 | Law", "part Article TWO | PRICE",
      "  § 2.1 | Sum"}},
    {"letters_with_dots_under_numbers",
     "1. Product Concept.\n\na. Product description. It has songs.\n\nb. Branding. It has a logo.\n"
     "\n2. Marketing.\n\na. Distribution. Wide.\n",
     {"1 | Product Concept", "  1.a | Product description", "  1.b | Branding", "2 | Marketing",
      "  2.a | Distribution"}},
    {"letters_over_numbers",
     "A. Definitions\n\n1. Account means a login.\n\n2. User means a person.\n\nB. Payment\n\n"
     "1. Prices are in dollars.\n\n2. Invoices are monthly.\n",
     {"A | Definitions", "  A.1", "  A.2", "B | Payment", "  B.1", "  B.2"}},
    {"capitals_that_begin_a_sentence_are_no_heading",
     "1. DUTIES\n\n1.1 ACME, and its affiliates, keep books.\n\n1.2 NASA shall be told.\n\n"
     "2. TERM OF AGREEMENT This Agreement begins today.\n",
     {"1 | DUTIES", "  1.1", "  1.2", "2 | TERM OF AGREEMENT"}},
    {"semicolons_that_a_font_maps_to_greek",
     "1. Cover\n\nInsurance: (a) of cars\u037E (b) of houses\u037E and (c) of ships.\n\n2. "
     "Law\n\nEnglish.\n",
     {"1 | Cover", "  1(a)", "  1(b)", "  1(c)", "2 | Law"}},
    {"page_numbers_alone_on_their_lines",
     "1\n\nFILED WITH THE COMMISSION\n\n2\n\nINDEX\n\n1. Sale\n\nText.\n\n2. Price\n\nText.\n\n"
     "3. Term\n\nText.\n\n4. Law\n\nText.\n",
     {"preamble", "1 | Sale", "2 | Price", "3 | Term", "4 | Law"}},
    {"headings_before_their_first_letter",
     "4. Compensation; Allocation of Costs (a) In full consideration the Fund pays. (b) The Fund "
     "bears fees.\n\n5. Duration (a) This Agreement lasts. (b) It ends.\n",
     {"4 | Compensation; Allocation of Costs", "  4(a)", "  4(b)", "5 | Duration", "  5(a)",
      "  5(b)"}},
    {"markdown_marks",
     "# Terms\n\n**1. The Agreement**. These are terms.\n\n**2. Data**.\n\n**2.1.** Use. It is "
     "used.\n\n## 3. Fees\n\nThey are paid.\n",
     {"preamble", "1 | The Agreement", "2 | Data", "  2.1 | Use", "3 | Fees"}},
};
INSTANTIATE_TEST_SUITE_P(English, ClauseTree, ::testing::ValuesIn(kEnglish), name_of_case);

const Case kChinese[] = {
    {"articles_with_items",
     "股权收购协议\n\n第一条 定义\n\n本协议中：\n\n（一）“损失”是指直接损失；\n\n"
     "（二）“交割”是指过户。\n\n第二条 赔偿\n\n依照第一条的规定，卖方赔偿。\n\n第三条 附则\n\n"
     "本协议自签署之日起生效。\n",
     {"preamble", "第一条 | 定义", "  第一条（一）", "  第一条（二）", "第二条 | 赔偿",
      "第三条 | 附则"}},
    {"chapters_and_articles_that_count_on",
     "第一章 总则\n\n第一条 为了保护权益，制定本法。\n\n第二条 本法调整关系。\n\n第二章 合同\n\n"
     "第一节 一般规定\n\n第三条 合同依法成立。\n\n第二节 效力\n\n第四条 合同自成立时生效。\n",
     {"part 第一章 | 总则", "  第一条", "  第二条", "part 第二章 | 合同",
      "  part 第一节 | 一般规定", "    第三条", "  part 第二节 | 效力", "    第四条"}},
    {"chapters_of_two_books_are_told_apart",
     "第一编 总则\n\n第一章 范围\n\n第一条 甲。\n\n第二编 分则\n\n第一章 价款\n\n第二条 乙。\n",
     {"part 第一编 | 总则", "  part 第一编第一章 | 范围", "    第一条", "part 第二编 | 分则",
      "  part 第二编第一章 | 价款", "    第二条"}},
    {"enumeration_commas",
     "一、合同标的\n\n（一）设备；\n\n（二）软件。\n\n二、价款\n\n1. 总价为一百万元。\n\n"
     "2. 分期支付。\n\n三、交付\n\n货到付款。\n",
     {"一 | 合同标的", "  一（一）", "  一（二）", "二 | 价款", "  二1", "  二2", "三 | 交付"}},
    {"arabic_articles_and_decimals",
     "第 1 条 定义\n\n1.1 本协议所称交割，是指过户。\n\n1.2 本协议所称损失，是指直接损失。\n\n"
     "第 2 条 价款\n\n2.1 价款为一百万元。\n",
     {"第1条 | 定义", "  1.1", "  1.2", "第2条 | 价款", "  2.1"}},
    {"annexes",
     "第一条 定义\n\n见附件一。\n\n附件一：目标公司\n\n一、基本情况\n\n（一）名称；\n\n"
     "附件二\n\n交割清单\n\n1、章程；\n\n2、印章。\n",
     {"第一条 | 定义", "schedule 附件一 | 目标公司", "  附件一，一 | 基本情况",
      "    附件一，一（一）", "schedule 附件二 | 交割清单", "  附件二，1", "  附件二，2"}},
    {"references_at_line_starts",
     "第一条 定义\n\n第二条 赔偿\n\n卖方应当依照\n第三条的规定赔偿，并遵守\n第三条、第四条。\n\n"
     "第三条 上限\n\n第四条 终止\n",
     {"第一条 | 定义", "第二条 | 赔偿", "第三条 | 上限", "第四条 | 终止"}},
    {"printed_paragraphs",
     "第二条　损失\n\n第一款　损失包括：\n\n（一）中国法律规定的罚款；\n\n（二）目标公司的律师费。"
     "\n\n"
     "第二款　第一款规定的损失应当减轻。\n\n第三条　上限\n\n第一款　以价款为限。\n",
     {"第二条 | 损失", "  第二条第一款", "    第二条第一款（一）", "    第二条第一款（二）",
      "  第二条第二款", "第三条 | 上限", "  第三条第一款"}},
    {"lists_of_a_single_item_in_an_annex",
     "第一条 定义\n\n见附件。\n\n附件一：规则\n\n一、原则\n\n（一）如下：\n\n1. 先到先得；\n\n2. "
     "后到后得。\n\n"
     "二、争议\n\n（一）协商。\n",
     {"第一条 | 定义", "schedule 附件一 | 规则", "  附件一，一 | 原则", "    附件一，一（一）",
      "      附件一，一（一）1", "      附件一，一（一）2", "  附件一，二 | 争议",
      "    附件一，二（一）"}},
    {"inserted_articles",
     "第一百二十条 甲罪。\n\n第一百二十条之一 乙罪。\n\n第一百二十一条 丙罪。\n",
     {"第一百二十条", "第一百二十条之一", "第一百二十一条"}},
};
INSTANTIATE_TEST_SUITE_P(Chinese, ClauseTree, ::testing::ValuesIn(kChinese), name_of_case);

// What looks like a number of a clause and is none.
const Case kNotHeadings[] = {
    {"cross_reference_at_a_line_start",
     "3. Liability\n\n3.1 The cap does not apply where the Seller is liable under\n"
     "Section 3.2 of this Agreement or as set out in clause\n3.2 above, which governs.\n\n"
     "3.2 Fraud. There is no cap for fraud.\n\n4. Term\n\nOne year.\n",
     {"3 | Liability", "  3.1", "  3.2 | Fraud", "4 | Term"}},
    {"a_sentence_that_begins_with_section",
     "1. Sale\n\nSection 3.2 shall apply to the sale.\n\n2. Price\n\nArticle 5 applies.\n\n"
     "3. Term\n\nSchedule 2 sets out the properties.\n",
     {"1 | Sale", "2 | Price", "3 | Term"}},
    {"amounts_dates_and_years",
     "1. Price\n\nThe price is\n1.5 million dollars, payable on\n2 March 2026 or in\n"
     "2027 at the latest, within\n2 days.\n\n2. Term\n\nThe term ends on\n3 December.\n",
     {"1 | Price", "2 | Term"}},
    {"contents_page",
     "TABLE OF CONTENTS\n\n1. Definitions ........ 1\n2. Sale ........ 4\n3. Price ........ 9\n\n"
     "This Agreement is made today between the parties named below.\n\n"
     "1. Definitions\n\nText.\n\n2. Sale\n\nText.\n\n3. Price\n\nText.\n",
     {"preamble", "1 | Definitions", "2 | Sale", "3 | Price"}},
    {"contents_without_page_numbers",
     "Contents\n\nArticle 1. Definitions Article 2. Sale 2.1 The sale 2.2 The price\n\n"
     "Article 3. Term\n\nThis Agreement is made today between the parties named below.\n\n"
     "Article 1. Definitions\n\n1.1 A means B.\n\nArticle 2. Sale\n\n2.1 The sale. It is made.\n\n"
     "2.2 The price. It is paid.\n\nArticle 3. Term\n\n3.1 A year.\n",
     {"preamble", "part Article 1 | Definitions", "  1.1", "part Article 2 | Sale",
      "  2.1 | The sale", "  2.2 | The price", "part Article 3 | Term", "  3.1"}},
    {"contents_in_one_line",
     "1. RIGHTS GRANTED 2 2. TERM OF AGREEMENT 5 3. FEES 9\n\nA. We own a brand.\n\nB. You want "
     "it.\n\n1. RIGHTS GRANTED\n\n1.1 We grant it.\n\n2. TERM OF AGREEMENT\n\nA year.\n\n"
     "3. FEES\n\nTen.\n",
     {"preamble", "  A", "  B", "1 | RIGHTS GRANTED", "  1.1", "2 | TERM OF AGREEMENT",
      "3 | FEES"}},
    {"list_of_schedules_behind_contents",
     "TABLE OF CONTENTS\n\n1. Sale 2\n2. Price 3\n3. Term 4\n\nSchedule 1 - Shares\n\n"
     "Schedule 2 - Property\n\nThis Agreement is made today.\n\n1. Sale\n\nText.\n\n2. Price\n\n"
     "Text.\n\n3. Term\n\nText.\n",
     {"preamble", "1 | Sale", "2 | Price", "3 | Term"}},
    {"enumeration_inside_a_sentence",
     "1. Notices\n\nNotices may be sent by (a) hand, (b) post or (c) telex.\n\n2. "
     "Law\n\nEnglish.\n",
     {"1 | Notices", "2 | Law"}},
    {"references_to_letters",
     "1. Payment\n\n(a) on signing;\n\n(b) on completion, if paragraphs\n(a) and (c) are met; "
     "and\n\n"
     "(c) later.\n\n2. Law\n\nEnglish.\n",
     {"1 | Payment", "  1(a)", "  1(b)", "  1(c)", "2 | Law"}},
    {"exhibit_number_of_a_filing",
     "Exhibit 10.4\n\nSALE AGREEMENT\n\n1. Sale\n\nText.\n\n2. Price\n\nText.\n",
     {"preamble", "1 | Sale", "2 | Price"}},
    {"signatures_belong_to_no_clause",
     "1. Sale\n\nText.\n\n2. Price\n\nText.\n\nIN WITNESS WHEREOF the parties sign.\n\n"
     "3 High Street, London\n",
     {"1 | Sale", "2 | Price", "closing"}},
    {"each_closing_ends_where_the_next_unit_begins",
     "1. Sale\n\nText.\n\n2. Price\n\nText.\n\nIN WITNESS WHEREOF the parties sign.\n\n"
     "[Signature page follows]\n\nSchedule 1\n\nShares\n\n1. One\n\nText.\n\n2. Two\n\n"
     "Text.\n\nIn witness whereof they sign again.\n",
     {"1 | Sale", "2 | Price", "closing", "schedule Schedule 1 | Shares", "  Schedule 1, 1 | One",
      "  Schedule 1, 2 | Two", "closing"}},
};
INSTANTIATE_TEST_SUITE_P(NotHeadings, ClauseTree, ::testing::ValuesIn(kNotHeadings), name_of_case);

TEST(Clauses, TextWithoutNumbersHasNone) {
  EXPECT_THAT(outline_of("A letter.\n\nIt has no clauses.\n"), IsEmpty());
  EXPECT_THAT(outline_of(""), IsEmpty());
}

TEST(Clauses, SpansHoldWhatTheyName) {
  Document document = document_of(
      "Title\n\n1. Sale\n\nThe Seller sells:\n\n(a) the Shares; and\n\n(b) the Loan.\n\n"
      "2. Price\n\nTen.\n");
  find_clauses(document);
  ASSERT_EQ(document.clauses.size(), 5u);
  EXPECT_EQ(document.slice(document.clauses[0].text), "Title");
  EXPECT_EQ(document.slice(document.clauses[1].text),
            "1. Sale\n\nThe Seller sells:\n\n(a) the Shares; and\n\n(b) the Loan.");
  EXPECT_EQ(document.slice(document.clauses[1].own_text), "1. Sale\n\nThe Seller sells:");
  EXPECT_EQ(document.slice(document.clauses[2].text), "(a) the Shares; and");
  EXPECT_EQ(document.slice(document.clauses[3].text), "(b) the Loan.");
  EXPECT_EQ(document.slice(document.clauses[4].text), "2. Price\n\nTen.");
  EXPECT_EQ(document.clauses[1].number, "1");
  EXPECT_EQ(document.clauses[2].number, "(a)");
}

TEST(Clauses, RunningLinesAreNoClausesAndEndNone) {
  Document document = document_of(
      "1. Sale\n\nText that goes on\n2\nafter the page number.\n\n2. Price\n\nTen.\n\n3\n");
  document.lines[2].kind = LineKind::page_number;
  document.lines.back().kind = LineKind::page_number;
  find_clauses(document);
  EXPECT_THAT(outline(document), ElementsAre("1 | Sale", "2 | Price"));
  EXPECT_EQ(document.slice(document.clauses[1].text), "2. Price\n\nTen.");
}

TEST(Clauses, ContentsLinesOfTheReaderAreNoClauses) {
  Document document = document_of("1. Sale\n2. Price\n\n1. Sale\n\nText.\n\n2. Price\n\nTen.\n");
  document.lines[0].kind = document.lines[1].kind = LineKind::contents;
  find_clauses(document);
  EXPECT_THAT(outline(document), ElementsAre("1 | Sale", "2 | Price"));
  EXPECT_EQ(document.slice(document.clauses[0].text), "1. Sale\n\nText.");
}

TEST(Clauses, AutomaticNumbersAreTakenAsTheyAre) {
  Document document = document_of("3. Sale\n\n7. Price\n\n(c) in cash\n");
  const std::int32_t bytes[] = {3, 3, 4};
  for (std::size_t i = 0; i < 3; ++i) document.lines[i].number_bytes = bytes[i];
  find_clauses(document);
  EXPECT_THAT(outline(document), ElementsAre("3 | Sale", "7 | Price", "  7(c)"));
}

TEST(Clauses, PagesComeFromTheDocument) {
  Document document = document_of("1. Sale\n\nText.\n\n2. Price\n\nTen.\n\nMore.\n");
  document.pages.resize(2);
  document.pages[0].text = {0, 27};
  document.pages[1].text = {27, static_cast<std::int64_t>(document.text.size())};
  find_clauses(document);
  ASSERT_EQ(document.clauses.size(), 2u);
  EXPECT_EQ(document.clauses[0].first_page, 0);
  EXPECT_EQ(document.clauses[0].last_page, 0);
  EXPECT_EQ(document.clauses[1].first_page, 0);
  EXPECT_EQ(document.clauses[1].last_page, 1);
}

// The text of the clause with this label, lines joined.
std::string text_of(const Document& document, const std::string& label) {
  for (const Clause& clause : document.clauses) {
    if (clause.label == label) return joined_lines(document.slice(clause.text));
  }
  return "no such clause";
}

TEST(ClauseTails, TextBehindAListIsNoPartOfItsLastItem) {
  Document document = document_of(
      "1. Sale\n\n1.1 The Seller sells:\n\n(a) the Shares; and\n\n(b) the Loan.\n\n"
      "The Seller warrants that it may.\n\n1.2 The Buyer buys.\n");
  find_clauses(document);
  EXPECT_EQ(text_of(document, "1.1(b)"), "(b) the Loan.");
  const auto place = static_cast<std::int64_t>(document.text.find("warrants"));
  EXPECT_EQ(document.clauses[static_cast<std::size_t>(document.clause_at(place))].label, "1.1");
}

TEST(ClauseTails, AnItemOfSeveralParagraphsKeepsThem) {
  Document document = document_of(
      "1. Sale\n\n1.1 The Seller sells:\n\n(a) the Shares.\n\nThey are paid up.\n\n"
      "(b) the Loan.\n\nIt is due.\n\n1.2 The Buyer buys.\n");
  find_clauses(document);
  EXPECT_EQ(text_of(document, "1.1(b)"), "(b) the Loan. It is due.");
}

TEST(ClauseTails, TheLeftEdgeTellsWhereAParagraphBelongs) {
  Document document = document_of(
      "1.1 The Seller sells:\n\n(a) the Shares.\n\nThey are paid up.\n\n(b) the Loan.\n\n"
      "It is due.\n\nThe Seller may not.\n\n1.2 The Buyer buys.\n");
  const float lefts[] = {50, 80, 80, 80, 80, 50, 50};
  ASSERT_EQ(document.lines.size(), std::size(lefts));
  for (std::size_t i = 0; i < std::size(lefts); ++i) document.lines[i].left = lefts[i];
  find_clauses(document);
  EXPECT_EQ(text_of(document, "1.1(b)"), "(b) the Loan. It is due.");
}

TEST(ClausePages, NumbersThatCountWithThePagesAreNoClauses) {
  Document document;
  std::string text = "ARTICLE I\n\nWORDS\n\n";
  std::vector<std::int64_t> page_ends;
  for (int page = 1; page <= 4; ++page) {
    text += "1." + std::to_string(page) + " Words mean what they say.\n\n" + std::to_string(page) +
            "\n\nCONFIDENTIAL TREATMENT REQUESTED\n\n";
    page_ends.push_back(static_cast<std::int64_t>(text.size()));
  }
  document = document_of(std::move(text));
  std::int64_t begin = 0;
  for (const std::int64_t end : page_ends) {
    document.pages.push_back({{begin, end}, "", 0, 0});
    begin = end;
  }
  find_clauses(document);
  EXPECT_THAT(outline(document),
              ElementsAre("part Article I | WORDS", "  1.1", "  1.2", "  1.3", "  1.4"));
}

}  // namespace
}  // namespace whereof::document
