#include "text/chinese_number.h"

#include <gtest/gtest.h>

#include <string>

namespace whereof::text {
namespace {

std::int64_t value(std::string_view text) {
  const auto number = chinese_number(text);
  return number ? number->value : -1;
}

// The usual way to write 1 .. 9999.
std::string written(int number) {
  constexpr const char* kDigits[] = {"零", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
  constexpr const char* kUnits[] = {"千", "百", "十", ""};
  std::string text;
  bool needs_zero = false;
  int unit = 1000;
  for (int place = 0; place < 4; ++place, unit /= 10) {
    const int digit = number / unit % 10;
    if (digit == 0) {
      needs_zero = !text.empty();
      continue;
    }
    if (needs_zero) text += kDigits[0];
    needs_zero = false;
    text += std::string(kDigits[digit]) + kUnits[place];
  }
  return text;
}

TEST(ChineseNumber, ReadsEveryNumberToTenThousand) {
  for (int number = 1; number < 10'000; ++number) {
    ASSERT_EQ(value(written(number)), number) << written(number);
  }
}

TEST(ChineseNumber, ReadsOtherSpellings) {
  EXPECT_EQ(value("十"), 10);
  EXPECT_EQ(value("十一"), 11);
  EXPECT_EQ(value("两百"), 200);
  EXPECT_EQ(value("二〇二六"), 2026);
  EXPECT_EQ(value("三十万"), 300'000);
  EXPECT_EQ(value("一万零五"), 10'005);
  EXPECT_EQ(value("12"), 12);
  EXPECT_EQ(value("１２"), 12);
  EXPECT_EQ(value("一千二百六十"), 1260);
}

TEST(ChineseNumber, StopsBehindTheNumber) {
  EXPECT_EQ(chinese_number("三条")->bytes, 3U);
  EXPECT_EQ(chinese_number("十一、")->bytes, 6U);
}

TEST(ChineseNumber, RefusesWhatIsNone) {
  for (const char* text : {"", "条", "a", "万", "十百", "一百千", "1234567890", "一万万",
                           "\xE4\xB8", "九九九九九九九九九九"}) {
    EXPECT_FALSE(chinese_number(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace whereof::text
