// SentencePiece's BPE: Gemma 3 and a small vocabulary of our own, against llama.cpp's ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <limits>
#include <random>

#include "model/gguf_writer.h"
#include "model/model_files.h"
#include "model/sentence_piece_encoder.h"
#include "model/temporary_file.h"
#include "model/tokenizer_checks.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::GgufWriter;

const std::string kFamilies = WHEREOF_SOURCE_DIR "/tests/model/golden/families/";

// 3 special tokens, 256 bytes, 30 pieces; a space is put before a text.
const Tokenizer& small() {
  static const auto tokenizer = Tokenizer::from_gguf(*GgufFile::open(kFamilies + "llama.gguf"));
  return *tokenizer;
}

TEST(SentencePiece, GemmaIdsAreThoseOfTheReference) {
  if (!tests::has_model(tests::kGemma)) {
    GTEST_SKIP() << "no " << tests::kGemma << " in " << tests::model_folder();
  }
  const auto gemma = Tokenizer::from_gguf(*GgufFile::open(tests::model_file(tests::kGemma)));
  EXPECT_EQ(gemma->begin_of_text(), 2);
  EXPECT_TRUE(gemma->ends_generation(*gemma->find("<end_of_turn>")));
  tests::expect_golden_ids(*gemma, "tokens_gemma3.jsonl", 1996);
  // The file calls it a piece of text, an end tag of HTML; the reference takes it for a control.
  EXPECT_THAT(gemma->encode("</s>").ids, ElementsAre(212));
  const std::string text = "The  first\n\n\nclause: 甲方应于 30 日内付款。<b>\t\x01\xFF</b>";
  const Encoding encoding = gemma->encode(text);
  EXPECT_EQ(gemma->decode(encoding.ids), text);
  tests::expect_exact_ends(*gemma, text, encoding);
}

TEST(SentencePiece, SmallVocabularyIdsAreThoseOfTheReference) {
  std::ifstream lines(kFamilies + "strings.jsonl");
  int strings = 0;
  for (std::string line; std::getline(lines, line); ++strings) {
    const auto golden = nlohmann::json::parse(line);
    const auto special =
        golden["special"].get<bool>() ? SpecialTokens::recognised : SpecialTokens::as_text;
    EXPECT_EQ(small().encode(golden["text"].get<std::string>(), special).ids,
              golden["ids"].get<std::vector<TokenId>>())
        << line;
  }
  EXPECT_EQ(strings, 400);
}

TEST(SentencePiece, TheSpaceBeforeATextIsNoByteOfIt) {
  const Encoding begun = small().encode("the and");
  EXPECT_EQ(small().decode(begun.ids), " the and");
  EXPECT_THAT(begun.ends, ElementsAre(3, 7));
  const Encoding continued =
      small().encode("the and", SpecialTokens::as_text, TextPlace::continues);
  EXPECT_EQ(small().decode(continued.ids), "the and");
  EXPECT_THAT(continued.ends, ElementsAre(3, 7));
  // "X" is no piece: the space stands alone, for no byte, and "X" is a byte token.
  EXPECT_THAT(small().encode("X").ends, ElementsAre(0, 1));
  const Encoding after = small().encode("</s>the", SpecialTokens::recognised, TextPlace::continues);
  EXPECT_EQ(small().decode(after.ids), " the");
}

TEST(SentencePiece, AnyBytesRoundTrip) {
  constexpr unsigned kSeed = 4;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 60, '\0');
    for (char& c : text) c = static_cast<char>(random() % (round % 2 == 0 ? 128 : 256));
    const Encoding encoding = small().encode(text, SpecialTokens::as_text, TextPlace::continues);
    ASSERT_EQ(small().decode(encoding.ids), text) << "seed " << kSeed;
    tests::expect_exact_ends(small(), text, encoding);
  }
  // The character that files write for a space is itself in a text.
  const Encoding block = small().encode("a\u2581b", SpecialTokens::as_text, TextPlace::continues);
  EXPECT_EQ(small().decode(block.ids), "a\u2581b");
}

// The definition, on short texts: merge the leftmost pair of the highest score.
std::vector<std::string> merged_slowly(const std::string& text,
                                       const std::vector<std::string>& pieces,
                                       const std::vector<float>& scores) {
  std::vector<std::string> symbols;
  for (const char c : text) symbols.emplace_back(1, c);
  while (true) {
    float best_score = -std::numeric_limits<float>::infinity();
    std::size_t best = symbols.size();
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        if (pieces[k] != symbols[i] + symbols[i + 1] || scores[k] <= best_score) continue;
        best_score = scores[k];
        best = i;
      }
    }
    if (best == symbols.size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

GgufWriter tables(const std::vector<std::string>& pieces, const std::vector<float>& scores,
                  const std::vector<std::int32_t>& kinds) {
  GgufWriter writer;
  writer.string("tokenizer.ggml.model", "llama")
      .boolean("tokenizer.ggml.add_space_prefix", false)
      .strings("tokenizer.ggml.tokens", pieces)
      .numbers("tokenizer.ggml.scores", 6, scores)
      .numbers("tokenizer.ggml.token_type", 5, kinds);
  return writer;
}

std::shared_ptr<const Tokenizer> build(const GgufWriter& writer) {
  const tests::TemporaryFile file(writer.bytes());
  return Tokenizer::from_gguf(*GgufFile::open(file.path()));
}

TEST(SentencePiece, MergesByTheDefinition) {
  constexpr unsigned kSeed = 9;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> pieces = {"a", "b", "c"};
    for (int attempt = 0; attempt < 30; ++attempt) {
      const std::string piece = pieces[random() % pieces.size()] + pieces[random() % pieces.size()];
      if (piece.size() <= 6 && std::find(pieces.begin(), pieces.end(), piece) == pieces.end()) {
        pieces.push_back(piece);
      }
    }
    std::vector<float> scores;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      scores.push_back(static_cast<float>(static_cast<int>(random() % 20) - 10));  // with equals
    }
    const auto tokenizer =
        build(tables(pieces, scores, std::vector<std::int32_t>(pieces.size(), 1)));
    for (int i = 0; i < 200; ++i) {
      std::string text(1 + random() % 40, 'a');
      for (char& c : text) c = static_cast<char>('a' + random() % 3);
      std::vector<std::string> found;
      for (const TokenId id : tokenizer->encode(text).ids) {
        found.emplace_back(tokenizer->bytes_of_token(id));
      }
      ASSERT_EQ(found, merged_slowly(text, pieces, scores)) << text << " seed " << kSeed;
    }
  }
}

TEST(SentencePiece, MegabyteRunsNeedLittleStackAndTime) {
  // Pieces of every length, so that runs merge as far as they can.
  std::vector<std::string> pieces;
  std::vector<float> scores;
  for (std::size_t length = 1; length <= 64; ++length) {
    pieces.push_back(std::string(length, 'A'));
    pieces.push_back(tests::repeated("甲", length));
    for (int i = 0; i < 2; ++i) scores.push_back(static_cast<float>(length % 7));
  }
  const auto runs = build(tables(pieces, scores, std::vector<std::int32_t>(pieces.size(), 1)));
  for (const Tokenizer* tokenizer : {runs.get(), &small()}) {
    for (const std::string piece : {"A", "甲", "\n", " ", "the ", "\xFF", "7", "\u0301"}) {
      const std::string text = tests::repeated(piece, tests::kMegabyte / piece.size());
      Encoding encoding;
      const auto begin = std::chrono::steady_clock::now();
      tests::on_small_stack([&] {
        encoding = tokenizer->encode(text, SpecialTokens::as_text, TextPlace::continues);
      });
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      // Quadratic time would take hours; the limit leaves room for sanitizers and a busy machine.
      EXPECT_LT(seconds.count(), 20) << piece;
      const bool is_known = tokenizer == &small() || piece == "A" || piece == "甲";
      EXPECT_EQ(tokenizer->decode(encoding.ids) == text, is_known) << piece;
    }
  }
}

TEST(SentencePiece, TablesMayNotContradictEachOther) {
  const auto message_of = [](const GgufWriter& writer) -> std::string {
    try {
      build(writer);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model) << error.what();
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message_of(tables({"a", "<0x0A>"}, {0, 0}, {1, 6})), "accepted");
  EXPECT_THAT(message_of(tables({"a", "b"}, {0}, {1, 1})), HasSubstr("1 entries, wanted 2"));
  EXPECT_THAT(message_of(tables({"a", "b"}, {0, NAN}, {1, 1})), HasSubstr("is NaN"));
  EXPECT_THAT(message_of(tables({"a", "a"}, {0, 0}, {1, 1})), HasSubstr("are both 'a'"));
  EXPECT_THAT(message_of(tables({" ", "\u2581"}, {0, 0}, {1, 1})), HasSubstr("are both ' '"));
  EXPECT_THAT(message_of(tables({"<0x0A>", "<0x0a>"}, {0, 0}, {6, 6})), HasSubstr("are both"));
  for (const std::string name : {"<0x>", "<0xGG>", "0x0A", "<0x0A", "<0x-1>", ""}) {
    EXPECT_THAT(message_of(tables({"a", name}, {0, 0}, {1, 6})), HasSubstr("wanted '<0x00>'"));
  }
  GgufWriter no_scores;
  no_scores.string("tokenizer.ggml.model", "llama").strings("tokenizer.ggml.tokens", {"a"});
  EXPECT_THAT(message_of(no_scores), HasSubstr("tokenizer.ggml.scores"));
}

// A token that text may not give: merging leads to normal tokens only.
TEST(SentencePiece, ControlTokensAreTextInDocuments) {
  const auto tokenizer =
      build(tables({"<", "s", ">", "<s", "<s>"}, {0, 0, 0, 1, 2}, {1, 1, 1, 1, 3}));
  EXPECT_THAT(tokenizer->encode("<s>").ids, ElementsAre(3, 2));
  EXPECT_THAT(tokenizer->encode("<s>", SpecialTokens::recognised).ids, ElementsAre(4));
}

}  // namespace
}  // namespace whereof
