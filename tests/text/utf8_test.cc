#include "text/utf8.h"

#include <gtest/gtest.h>

namespace whereof::text {
namespace {

TEST(Utf8, EveryScalarValueRoundTrips) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string bytes;
    append(bytes, value);
    const CodePoint point = decode_at(bytes, 0);
    ASSERT_TRUE(point.is_valid);
    ASSERT_EQ(point.value, value);
    ASSERT_EQ(static_cast<std::size_t>(point.bytes), bytes.size());
  }
}

TEST(Utf8, RefusesWhatIsNotUtf8) {
  for (const char* bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xE4\xB8", "\xFF", "\xF8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(is_valid(bad)) << bad;
    EXPECT_EQ(decode_at(bad, 0).bytes, 1);
  }
  EXPECT_TRUE(is_valid("第三条 Ünïcode 🧾"));
}

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(count_code_points(""), 0);
  EXPECT_EQ(count_code_points("第三条"), 3);
  EXPECT_EQ(count_code_points("a\xFF"
                              "b"),
            3);
}

TEST(Utf8, FindsBoundaries) {
  const std::string text = "a第b";
  EXPECT_EQ(floor_boundary(text, 0), 0U);
  EXPECT_EQ(floor_boundary(text, 1), 1U);
  EXPECT_EQ(floor_boundary(text, 2), 1U);
  EXPECT_EQ(floor_boundary(text, 3), 1U);
  EXPECT_EQ(floor_boundary(text, 4), 4U);
  EXPECT_EQ(floor_boundary(text, 99), 5U);
}

TEST(Utf8, StepsBackwards) {
  const std::string text = "a第𠀀\xFF";
  EXPECT_EQ(decode_before(text, 1).value, U'a');
  EXPECT_EQ(decode_before(text, 4).value, U'第');
  EXPECT_EQ(decode_before(text, 8).value, U'𠀀');
  EXPECT_FALSE(decode_before(text, 9).is_valid);
  EXPECT_FALSE(decode_before(text, 3).is_valid);
}

TEST(Utf8, JoinsLinesWithoutABlankInChineseOnly) {
  EXPECT_TRUE(joins_without_blank(U'赔', U'偿'));
  EXPECT_TRUE(joins_without_blank(U'，', U'累'));
  EXPECT_TRUE(joins_without_blank(U'”', U'的'));
  EXPECT_FALSE(joins_without_blank(U'a', U'b'));
  EXPECT_FALSE(joins_without_blank(U'赔', U'b'));
  EXPECT_FALSE(joins_without_blank(U'”', U'“'));
}

}  // namespace
}  // namespace whereof::text
