#include "model/byte_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "model/byte_pair_alphabet.h"
#include "model/pre_tokenizer.h"
#include "model/special_tokens.h"
#include "text/utf8.h"

namespace whereof::model {
namespace {

using testing::ElementsAre;

// A random table over the bytes a, b and c: token i has texts[i], rank r makes texts[3 + r].
struct SmallTable {
  std::vector<std::string> texts = {"a", "b", "c"};
  std::vector<std::pair<TokenId, TokenId>> pairs;
  std::array<TokenId, 256> byte_tokens{};
  MergeTable merges{40};

  explicit SmallTable(std::mt19937& random) {
    byte_tokens.fill(kNoToken);
    for (TokenId id = 0; id < 3; ++id) byte_tokens[static_cast<std::size_t>('a' + id)] = id;
    std::set<std::string> known(texts.begin(), texts.end());
    for (int attempt = 0; attempt < 40; ++attempt) {
      const auto left = static_cast<TokenId>(random() % texts.size());
      const auto right = static_cast<TokenId>(random() % texts.size());
      const std::string text =
          texts[static_cast<std::size_t>(left)] + texts[static_cast<std::size_t>(right)];
      if (text.size() > 6 || !known.insert(text).second) continue;
      merges.add(left, right, static_cast<TokenId>(texts.size()));
      pairs.emplace_back(left, right);
      texts.push_back(text);
    }
  }

  // The definition: while any neighbours can merge, merge the leftmost pair of the lowest rank.
  std::vector<TokenId> merged_slowly(const std::string& word) const {
    std::vector<TokenId> symbols;
    for (const char c : word) symbols.push_back(c - 'a');
    while (true) {
      std::size_t best_rank = pairs.size();
      std::size_t best = 0;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        for (std::size_t rank = 0; rank < best_rank; ++rank) {
          if (pairs[rank] == std::pair(symbols[i], symbols[i + 1])) best_rank = rank, best = i;
        }
      }
      if (best_rank == pairs.size()) return symbols;
      symbols[best] = static_cast<TokenId>(3 + best_rank);
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
  }
};

// Every word of up to 7 letters, with 40 random tables, and long random words.
TEST(BytePair, MergesByTheDefinition) {
  constexpr unsigned kSeed = 12;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 40; ++round) {
    const SmallTable table(random);
    BytePairMerger merger(table.merges, table.byte_tokens);
    std::vector<std::string> words = {""};
    for (std::size_t i = 0; words[i].size() < 7; ++i) {
      for (const char c : {'a', 'b', 'c'}) words.push_back(words[i] + c);
    }
    for (int i = 0; i < 20; ++i) {
      std::string& word = words.emplace_back(50 + random() % 100, 'a');
      for (char& c : word) c = static_cast<char>('a' + random() % 3);
    }
    for (const std::string& word : words) {
      Encoding encoding;
      merger.encode(word, 100, encoding);
      ASSERT_EQ(encoding.ids, table.merged_slowly(word)) << word << " seed " << kSeed;
      std::int64_t end = 100;
      for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
        end += std::ssize(table.texts[static_cast<std::size_t>(encoding.ids[i])]);
        ASSERT_EQ(encoding.ends[i], end);
      }
    }
  }
}

TEST(BytePair, TheFirstOfEqualPairsCounts) {
  MergeTable table(2);
  table.add(1, 2, 7);
  table.add(1, 2, 8);
  table.add(2, 1, 9);
  EXPECT_EQ(table.merged(table.find(1, 2)), 7);
  EXPECT_EQ(table.find(2, 1), 2U);
  EXPECT_EQ(table.find(1, 1), MergeTable::kNoRank);
  EXPECT_EQ(table.find(kNoToken, 1), MergeTable::kNoRank);
}

TEST(BytePair, TheAlphabetHasALetterForEachByte) {
  std::string letters;
  std::string all;
  std::set<char32_t> distinct;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t letter = letter_of_byte(static_cast<std::uint8_t>(byte));
    distinct.insert(letter);
    text::append(letters, letter);
    all += static_cast<char>(byte);
  }
  EXPECT_EQ(distinct.size(), 256U);
  EXPECT_EQ(letter_of_byte(' '), 0x120U);
  EXPECT_EQ(letter_of_byte('\n'), 0x10AU);
  EXPECT_EQ(letter_of_byte('A'), U'A');
  std::string bytes = "kept";
  EXPECT_TRUE(append_bytes_of_letters(letters, bytes));
  EXPECT_EQ(bytes, "kept" + all);
  for (const char* foreign : {" ", "a b", "第", "\xFF", "\u0144", "\u00AD"}) {
    EXPECT_FALSE(append_bytes_of_letters(foreign, bytes)) << foreign;
  }
  EXPECT_EQ(bytes, "kept" + all);
}

std::vector<std::string> words_of(PreTokenizer kind, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_word(kind, text, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

TEST(PreTokenizer, Qwen2Words) {
  const auto words = [](std::string_view text) { return words_of(PreTokenizer::qwen2, text); };
  EXPECT_THAT(words("We'll pay it"), ElementsAre("We", "'ll", " pay", " it"));
  EXPECT_THAT(words("DON'T"), ElementsAre("DON", "'T"));
  EXPECT_THAT(words("'x 'S"), ElementsAre("'x", " '", "S"));
  EXPECT_THAT(words("12 345"), ElementsAre("1", "2", " ", "3", "4", "5"));
  EXPECT_THAT(words("(iv) §3"), ElementsAre("(iv", ")", " §", "3"));
  EXPECT_THAT(words("a  b"), ElementsAre("a", " ", " b"));
  EXPECT_THAT(words("a   "), ElementsAre("a", "   "));
  EXPECT_THAT(words("end.\n\n  New"), ElementsAre("end", ".\n\n", " ", " New"));
  EXPECT_THAT(words("x \n \n  y"), ElementsAre("x", " \n \n", " ", " y"));
  EXPECT_THAT(words("第三条　终止。"), ElementsAre("第三条", "　终止", "。"));
  EXPECT_THAT(words("\xFF\xFEz"), ElementsAre("\xFF\xFE", "z"));
}

TEST(PreTokenizer, SmolLmWords) {
  const auto words = [](std::string_view text) { return words_of(PreTokenizer::smollm, text); };
  EXPECT_THAT(words("We'll pay it"), ElementsAre("We", "'ll", " pay", " it"));
  EXPECT_THAT(words("DON'T"), ElementsAre("DON", "'", "T"));
  EXPECT_THAT(words("12 345"), ElementsAre("1", "2", " ", "3", "4", "5"));
  EXPECT_THAT(words("a  3"), ElementsAre("a", "  ", "3"));  // a number ends the text before it
  EXPECT_THAT(words("a  b"), ElementsAre("a", " ", " b"));
  EXPECT_THAT(words("(iv) §3"), ElementsAre("(", "iv", ")", " §", "3"));
  EXPECT_THAT(words("end.\n\n  New"), ElementsAre("end", ".", "\n\n ", " New"));
}

TEST(SpecialTokens, TheLeftmostAndThenTheLongestCounts) {
  const SpecialTokenTable table({{"<s>", 1}, {"<s>x", 2}, {"s>xyz", 3}, {"<", 4}});
  const auto found = table.search("a <s>xyz", 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, 2U);
  EXPECT_EQ(found->end, 6U);
  EXPECT_EQ(found->id, 2);
  EXPECT_EQ(table.search("<s", 0)->id, 4);
  EXPECT_EQ(table.search("<s>xyz", 1)->id, 3);
  EXPECT_FALSE(table.search("s>xy", 0));
  EXPECT_FALSE(table.search("", 0));
  EXPECT_EQ(table.find("<s>"), 1);
  EXPECT_EQ(table.find("<s"), std::nullopt);
  EXPECT_FALSE(SpecialTokenTable({}).search("<s>", 0));
}

}  // namespace
}  // namespace whereof::model
