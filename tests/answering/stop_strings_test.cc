#include "answering/stop_strings.h"

#include <gtest/gtest.h>

#include <random>

#include "answering/text_stream.h"
#include "whereof/error.h"

namespace whereof::answering {
namespace {

// What is before the first stop string to end, by looking at every prefix.
std::string plain_cut(const std::string& text, const std::vector<std::string>& stops) {
  for (std::size_t end = 1; end <= text.size(); ++end) {
    std::size_t longest = 0;
    for (const std::string& stop : stops) {
      const bool ends =
          end >= stop.size() && text.compare(end - stop.size(), stop.size(), stop) == 0;
      if (ends) longest = std::max(longest, stop.size());
    }
    if (longest > 0) return text.substr(0, end - longest);
  }
  return text;
}

TEST(StopStrings, CutWhereAPlainSearchCuts) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    const auto letters = [&](std::size_t most) {
      std::string text(1 + random() % most, 'a');
      for (char& c : text) c = static_cast<char>('a' + random() % 2);
      return text;
    };
    const std::string text = letters(24);
    std::vector<std::string> stops = {letters(6), letters(4)};
    StopStrings matcher(stops);
    std::string given;  // what was certain at each step
    std::size_t appended = 0;
    bool is_found = false;
    while (!is_found && appended < text.size()) {
      const std::size_t count = std::min<std::size_t>(1 + random() % 3, text.size() - appended);
      is_found = matcher.append(text.substr(appended, count));
      appended += count;
      const std::string certain = text.substr(0, matcher.certain_bytes());
      ASSERT_TRUE(certain.starts_with(given)) << text << " " << stops[0] << " " << stops[1];
      given = certain;
    }
    const std::string wanted = plain_cut(text, stops);
    ASSERT_TRUE(wanted.starts_with(given)) << "a byte of a stop string was certain";
    if (is_found) {
      ASSERT_EQ(given, wanted) << text << " " << stops[0] << " " << stops[1];
    } else {
      ASSERT_EQ(wanted, text);
    }
  }
}

TEST(StopStrings, WithoutAnyAllIsCertainAtOnce) {
  StopStrings matcher({});
  EXPECT_FALSE(matcher.append("abc"));
  EXPECT_EQ(matcher.certain_bytes(), 3U);
}

TEST(StopStrings, RefuseAnEmptyOne) {
  const std::vector<std::string> stops = {"a", ""};
  EXPECT_THROW(StopStrings{stops}, Error);
}

TEST(TextStream, GivesWholeCharactersAndAllOfThem) {
  const std::string text = "a é 甲乙 🙂 end";
  for (std::size_t step = 1; step <= 5; ++step) {
    std::string given;
    TextStream stream([&](std::string_view piece) {
      given += piece;
      const auto lead = static_cast<unsigned char>(piece.front());
      EXPECT_NE(lead & 0xC0U, 0x80U) << "a piece begins inside a character";
    });
    for (std::size_t at = 0; at < text.size(); at += step) stream.append(text.substr(at, step));
    EXPECT_EQ(given, text);
    EXPECT_EQ(stream.whole_text(), text);
  }
}

TEST(TextStream, ReplacesWhatIsNoCharacterAndDropsOneThatWasCut) {
  std::string given;
  TextStream stream([&](std::string_view piece) { given += piece; });
  stream.append("a\xFF");
  stream.append("b\x80");
  stream.append("\xE7\x94");  // the begin of a character
  EXPECT_EQ(given, "a\uFFFDb\uFFFD");
  EXPECT_EQ(stream.whole_text(), given);
}

}  // namespace
}  // namespace whereof::answering
