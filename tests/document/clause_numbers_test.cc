#include "document/clause_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/clause_numerals.h"

namespace whereof::document {
namespace {

struct Scanned {
  const char* text;
  NumberForm form;
  Alphabet alphabet;
  std::int32_t value;
  const char* number;  // as printed
};

TEST(ClauseNumbers, AreReadAsPrinted) {
  const Scanned cases[] = {
      {"3. Liability", NumberForm::decimal, Alphabet::digit, 3, "3"},
      {"3.2 Cap", NumberForm::decimal, Alphabet::digit, 2, "3.2"},
      {"3.2.11. Cap", NumberForm::decimal, Alphabet::digit, 11, "3.2.11"},
      {"3A Cap", NumberForm::decimal, Alphabet::digit, 3, "3A"},
      {"3\\. Liability", NumberForm::decimal, Alphabet::digit, 3, "3"},
      {"1.DEFINITIONS", NumberForm::decimal, Alphabet::digit, 1, "1"},
      {"3) Liability", NumberForm::half_paren, Alphabet::digit, 3, "3)"},
      {"(a) the", NumberForm::paren, Alphabet::lower, 1, "(a)"},
      {"(iv) the", NumberForm::paren, Alphabet::lower_roman, 4, "(iv)"},
      {"(A) the", NumberForm::paren, Alphabet::upper, 1, "(A)"},
      {"( 12 ) the", NumberForm::paren, Alphabet::digit, 12, "( 12 )"},
      {"(bb) the", NumberForm::paren, Alphabet::doubled, 2, "(bb)"},
      {"IV. TERM", NumberForm::dot, Alphabet::upper_roman, 4, "IV"},
      {"b. the", NumberForm::dot, Alphabet::lower, 2, "b"},
      {"Article III", NumberForm::article, Alphabet::upper_roman, 3, "Article III"},
      {"ARTICLE I. DEFINITIONS", NumberForm::article, Alphabet::upper_roman, 1, "ARTICLE I"},
      {"ARTICLE ONE", NumberForm::article, Alphabet::digit, 1, "ARTICLE ONE"},
      {"Section 3.02 Notices", NumberForm::section, Alphabet::digit, 2, "Section 3.02"},
      {"SECTION 4. Notices", NumberForm::section, Alphabet::digit, 4, "SECTION 4"},
      {"\u00A7 3.1 Notices", NumberForm::section, Alphabet::digit, 1, "\u00A7 3.1"},
      {"Schedule 2", NumberForm::schedule, Alphabet::digit, 2, "Schedule 2"},
      {"EXHIBIT A", NumberForm::schedule, Alphabet::upper, 1, "EXHIBIT A"},
      {"Exhibit C", NumberForm::schedule, Alphabet::upper, 3, "Exhibit C"},
      {"第三条 定义", NumberForm::section, Alphabet::han, 3, "第三条"},
      {"第 12 条", NumberForm::section, Alphabet::han, 12, "第 12 条"},
      {"第一千二百六十条", NumberForm::section, Alphabet::han, 1260, "第一千二百六十条"},
      {"第二分编", NumberForm::title, Alphabet::han, 2, "第二分编"},
      {"第十章 附则", NumberForm::chapter, Alphabet::han, 10, "第十章"},
      {"三、价款", NumberForm::comma, Alphabet::han, 3, "三"},
      {"（十二）其他", NumberForm::paren, Alphabet::han, 12, "（十二）"},
      {"附件一：清单", NumberForm::schedule, Alphabet::han, 1, "附件一"},
      {"③ 其他", NumberForm::circled, Alphabet::digit, 3, "③"},
      {"物权编", NumberForm::book, Alphabet::han, 0, "物权编"},
  };
  for (const Scanned& c : cases) {
    const std::optional<NumberToken> token = scan_number(c.text);
    ASSERT_TRUE(token) << c.text;
    EXPECT_EQ(token->form, c.form) << c.text;
    EXPECT_EQ(token->reading[0].alphabet, c.alphabet) << c.text;
    EXPECT_EQ(token->reading[0].value, c.value) << c.text;
    EXPECT_EQ(std::string_view(c.text).substr(0, token->number_bytes), c.number) << c.text;
    EXPECT_LE(token->number_bytes, token->bytes) << c.text;
  }
}

TEST(ClauseNumbers, OtherTextIsNoNumber) {
  for (const char* text : {"",
                           "section 3.2 of",
                           "e.g. this",
                           "U.S. law",
                           "10:00 a.m.",
                           "31/12/2026",
                           "2026",
                           "1.500 kg",
                           "31.12.2026",
                           "(2026)",
                           "(the \"Seller\")",
                           "(abcdefg)",
                           "Sectional",
                           "Articles of",
                           "第三方",
                           "第三",
                           "一切",
                           "（甲方）",
                           "1,000",
                           "50%",
                           "3-year",
                           "Exhibit 10-K",
                           "(",
                           "（",
                           "1.2.3.4.5.6.7.8.9",
                           "iiii.",
                           "Schedule of",
                           "物权编写"}) {
    EXPECT_FALSE(scan_number(text)) << text;
  }
}

TEST(ClauseNumbers, RomanAndLetterAreBothKept) {
  const std::optional<NumberToken> token = scan_number("(i) the");
  ASSERT_TRUE(token);
  ASSERT_EQ(token->readings, 2);
  EXPECT_EQ(token->reading[0].value, 9);
  EXPECT_EQ(token->reading[0].alphabet, Alphabet::lower);
  EXPECT_EQ(token->reading[1].value, 1);
  EXPECT_EQ(token->reading[1].alphabet, Alphabet::lower_roman);
}

// An independent way to write roman numbers: by greedy subtraction.
std::string roman(std::int32_t value) {
  const std::pair<std::int32_t, const char*> steps[] = {
      {1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"},
      {40, "xl"},  {10, "x"},   {9, "ix"},  {5, "v"},    {4, "iv"},  {1, "i"}};
  std::string text;
  for (const auto& [size, sign] : steps) {
    for (; value >= size; value -= size) text += sign;
  }
  return text;
}

TEST(ClauseNumbers, RomanNumbersRoundTripAndOthersAreRefused) {
  for (std::int32_t value = 1; value <= 3999; ++value) {
    EXPECT_EQ(roman_value(roman(value)), value) << roman(value);
  }
  // Every string of i, v, x up to five letters is a number only if it is written canonically.
  for (int code = 0; code < 1024; ++code) {
    std::string text;
    for (int rest = code; rest > 0; rest /= 4) {
      if (rest % 4 > 0) text.push_back("?ivx"[rest % 4]);
    }
    const std::optional<std::int32_t> value = roman_value(text);
    EXPECT_TRUE(!value || roman(*value) == text) << text;
  }
}

// An independent way to write Chinese numbers: sign by sign.
std::string han(std::int32_t value) {
  const char* digits[] = {"零", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
  const char* units[] = {"", "十", "百", "千"};
  std::string text;
  bool gap = false;
  for (int place = 3; place >= 0; --place) {
    std::int32_t power = 1;
    for (int n = 0; n < place; ++n) power *= 10;
    const std::int32_t digit = value / power % 10;
    if (digit == 0) {
      gap = !text.empty();
      continue;
    }
    if (gap) text += digits[0];
    gap = false;
    if (!(digit == 1 && place == 1 && text.empty())) text += digits[digit];
    text += units[place];
  }
  return text;
}

TEST(ClauseNumbers, ChineseNumbersRoundTrip) {
  for (std::int32_t value = 1; value <= 9999; ++value) {
    std::size_t bytes = 0;
    const std::string text = han(value);
    EXPECT_EQ(han_value(text, bytes), value) << text;
    EXPECT_EQ(bytes, text.size()) << text;
  }
  std::size_t bytes = 0;
  EXPECT_EQ(han_value("二〇二六年", bytes), 2026);
  EXPECT_EQ(han_value("１２", bytes), 12);
}

// Cut at every length: a shorter text may be another number or none, never read past its end.
TEST(ClauseNumbers, CutTextsAreReadWithinTheirEnd) {
  for (const std::string whole : {"Section 3.02. Notices", "第一千二百六十条之十二", "（十二）其他",
                                  "3.2.11. Cap", "附件 12：清单", "ARTICLE XXIII. TERM", "①其他"}) {
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const std::vector<char> exact(whole.begin(), whole.begin() + static_cast<long>(size));
      const std::optional<NumberToken> token = scan_number({exact.data(), exact.size()});
      EXPECT_LE(token ? static_cast<std::size_t>(token->bytes) : 0, size);
    }
  }
}

}  // namespace
}  // namespace whereof::document
