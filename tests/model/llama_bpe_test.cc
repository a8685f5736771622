// The pre-tokenizers of Llama 3 and of Mistral's later models, with small vocabularies of our own,
// against llama.cpp's ids (golden/make_llama_bpe.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "model/pre_tokenizer.h"
#include "model/tokenizer_checks.h"
#include "whereof/gguf.h"

namespace whereof {
namespace {

using testing::ElementsAre;

const std::string kFolder = WHEREOF_SOURCE_DIR "/tests/model/golden/llama_bpe/";

std::shared_ptr<const Tokenizer> tokenizer_named(const std::string& name) {
  return Tokenizer::from_gguf(*GgufFile::open(kFolder + name + ".gguf"));
}

class LlamaBpe : public testing::TestWithParam<const char*> {};

TEST_P(LlamaBpe, IdsAreThoseOfTheReference) {
  const auto tokenizer = tokenizer_named(GetParam());
  std::ifstream lines(kFolder + GetParam() + ".jsonl");
  int strings = 0;
  for (std::string line; std::getline(lines, line); ++strings) {
    const auto golden = nlohmann::json::parse(line);
    const auto text = golden["text"].get<std::string>();
    const Encoding encoding = tokenizer->encode(text);
    EXPECT_EQ(encoding.ids, golden["ids"].get<std::vector<TokenId>>()) << line;
    tests::expect_exact_ends(*tokenizer, text, encoding);
  }
  EXPECT_EQ(strings, 400);
}

TEST_P(LlamaBpe, AddsItsBeginTokenUnlessTheFileSaysOtherwise) {
  const auto tokenizer = tokenizer_named(GetParam());
  EXPECT_EQ(tokenizer->begin_of_text(), tokenizer->find("<|begin_of_text|>"));
  EXPECT_TRUE(tokenizer->begin_of_text().has_value());
}

TEST_P(LlamaBpe, AMegabyteOfOneCharacterOnASmallStack) {
  const auto tokenizer = tokenizer_named(GetParam());
  for (const char* piece : {"A", "a", "É", "ÉA", "7", "\n", " ", "/", "甲", "aB", "\xCC\x81"}) {
    const std::string text =
        tests::repeated(piece, tests::kMegabyte / std::string_view(piece).size());
    tests::on_small_stack(
        [&] { EXPECT_EQ(tokenizer->decode(tokenizer->encode(text).ids), text) << piece; });
  }
}

INSTANTIATE_TEST_SUITE_P(Names, LlamaBpe, testing::Values("llama-bpe", "tekken"),
                         [](const auto& name) {
                           return std::string(name.param == std::string("tekken") ? "tekken"
                                                                                  : "llama_bpe");
                         });

std::vector<std::string> words_of(model::PreTokenizer kind, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = model::end_of_word(kind, text, begin);
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

TEST(LlamaBpeWords, DigitsComeInThrees) {
  EXPECT_THAT(words_of(model::PreTokenizer::llama3, "12345.678 a9 It's"),
              ElementsAre("123", "45", ".", "678", " a", "9", " It", "'s"));
}

TEST(LlamaBpeWords, TekkenCutsWhereCaseRises) {
  const auto words = [](std::string_view text) {
    return words_of(model::PreTokenizer::tekken, text);
  };
  EXPECT_THAT(words("camelCase HTTPServer"), ElementsAre("camel", "Case", " HTTPServer"));
  EXPECT_THAT(words("aBC Don't 123"), ElementsAre("a", "BC", " Don", "'t", " ", "1", "2", "3"));
  EXPECT_THAT(words("ÉA"), ElementsAre("É", "A"));
  EXPECT_THAT(words("x/\n/y"), ElementsAre("x", "/\n/", "y"));
}

}  // namespace
}  // namespace whereof
