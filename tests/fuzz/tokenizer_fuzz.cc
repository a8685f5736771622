// Any bytes as text. The first byte chooses the pre-tokenizer and whether special tokens count; the
// rest is encoded and must come back, with every end exact, and its words must merge as they do by
// the definition of byte-pair encoding, followed step by step.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/byte_pair_alphabet.h"
#include "model/gguf_writer.h"
#include "model/pre_tokenizer.h"
#include "model/temporary_file.h"
#include "text/utf8.h"
#include "whereof/gguf.h"
#include "whereof/tokenizer.h"

namespace {

using namespace whereof;

constexpr std::size_t kLongestChecked = 64;  // bytes of a word that the slow merging follows

struct Merge {
  std::string left;
  std::string right;
};

// Merges of all lengths and overlaps: runs of a, of spaces and line ends, some words, two Chinese
// characters.
const std::vector<Merge>& merges() {
  static const std::vector<Merge> all = {
      {"a", "a"},       {"aa", "a"},          {"aa", "aa"},     {"b", "a"},           {"a", "b"},
      {"ab", "ab"},     {"aba", "b"},         {"ab", "a"},      {" ", " "},           {"  ", "  "},
      {"\n", "\n"},     {" ", "\n"},          {"i", "n"},       {" ", "in"},          {"'", "s"},
      {"\xE7", "\xAC"}, {"\xE7\xAC", "\xAC"}, {"\xE6", "\x9D"}, {"\xE6\x9D", "\xA1"}, {"in", "in"},
      {".", "."},       {"..", "."},          {" ", "a"},       {" a", "aa"}};
  return all;
}

std::string letters(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    text::append(text, model::letter_of_byte(static_cast<std::uint8_t>(byte)));
  }
  return text;
}

std::shared_ptr<const Tokenizer> build(const char* pre_tokenizer) {
  std::vector<std::string> tokens;
  std::vector<std::int32_t> kinds;
  const auto add = [&](const std::string& text, std::int32_t kind) {
    if (std::find(tokens.begin(), tokens.end(), text) != tokens.end()) return;
    tokens.push_back(text);
    kinds.push_back(kind);
  };
  for (int byte = 0; byte < 256; ++byte) add(letters(std::string(1, static_cast<char>(byte))), 1);
  std::vector<std::string> lines;
  for (const Merge& merge : merges()) {
    add(letters(merge.left + merge.right), 1);
    lines.push_back(letters(merge.left) + " " + letters(merge.right));
  }
  for (const char* name : {"<s>", "<s>a", "<|x|>", "<|x|"}) add(name, 3);
  add("<t>", 4);
  tests::GgufWriter writer;
  writer.string("tokenizer.ggml.model", "gpt2")
      .string("tokenizer.ggml.pre", pre_tokenizer)
      .strings("tokenizer.ggml.tokens", tokens)
      .numbers("tokenizer.ggml.token_type", 5, kinds)
      .strings("tokenizer.ggml.merges", lines);
  const tests::TemporaryFile file(writer.bytes());
  return Tokenizer::from_gguf(*GgufFile::open(file.path()));
}

// The definition: while any neighbours can merge, merge the leftmost pair of the lowest rank.
std::vector<std::string> merged_slowly(std::string_view word) {
  std::vector<std::string> symbols;
  for (const char byte : word) symbols.emplace_back(1, byte);
  while (true) {
    std::size_t best_rank = merges().size();
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (std::size_t rank = 0; rank < best_rank; ++rank) {
        if (merges()[rank].left != symbols[i] || merges()[rank].right != symbols[i + 1]) continue;
        best_rank = rank;
        best = i;
      }
    }
    if (best_rank == merges().size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

void check(bool holds) {
  if (!holds) std::abort();
}

void check_ends(const Tokenizer& tokenizer, std::string_view text, const Encoding& encoding) {
  check(encoding.ids.size() == encoding.ends.size());
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    const std::int64_t end = encoding.ends[i];
    check(end > begin && end <= std::ssize(text));
    if (!tokenizer.is_control(encoding.ids[i])) {
      check(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)) ==
            tokenizer.bytes_of_token(encoding.ids[i]));
    }
    begin = end;
  }
  check(begin == std::ssize(text));
}

bool is_token(std::string_view word) {
  return word.size() == 1 || std::any_of(merges().begin(), merges().end(), [&](const Merge& merge) {
           return merge.left + merge.right == word;
         });
}

// Only for text without "<", so without special and user-defined tokens.
void check_words(model::PreTokenizer kind, const Tokenizer& tokenizer, std::string_view text,
                 const Encoding& encoding) {
  std::size_t token = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = model::end_of_word(kind, text, begin);
    check(end > begin && end <= text.size());
    if (end - begin > kLongestChecked) return;
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_whole = model::takes_whole_words(kind) && is_token(word);
    const auto symbols = is_whole ? std::vector{std::string(word)} : merged_slowly(word);
    for (const std::string& symbol : symbols) {
      check(token < encoding.ids.size());
      check(tokenizer.bytes_of_token(encoding.ids[token++]) == symbol);
    }
    begin = end;
  }
  check(token == encoding.ids.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kKinds = {model::PreTokenizer::qwen2, model::PreTokenizer::smollm,
                                 model::PreTokenizer::llama3, model::PreTokenizer::tekken};
  static const std::array tokenizers = {build("qwen2"), build("smollm"), build("llama-bpe"),
                                        build("tekken")};
  if (size == 0) return 0;
  const std::size_t choice = (data[0] & 1U) | (data[0] >> 1 & 2U);
  const Tokenizer& tokenizer = *tokenizers[choice];
  const auto special = (data[0] & 2) != 0 ? SpecialTokens::recognised : SpecialTokens::as_text;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Encoding encoding = tokenizer.encode(text, special);
  check_ends(tokenizer, text, encoding);
  if (special == SpecialTokens::as_text) check(tokenizer.decode(encoding.ids) == text);
  if (text.find('<') == std::string_view::npos) {
    check_words(kKinds[choice], tokenizer, text, encoding);
  }
  return 0;
}
