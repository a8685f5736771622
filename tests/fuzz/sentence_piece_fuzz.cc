// Any bytes as text for a SentencePiece vocabulary. The first byte chooses whether special tokens
// count and whether the text begins; the rest is encoded and must come back, with every end exact,
// and short texts must merge as they do by the definition, followed step by step.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "model/gguf_writer.h"
#include "model/temporary_file.h"
#include "text/utf8.h"
#include "whereof/gguf.h"
#include "whereof/tokenizer.h"

namespace {

using namespace whereof;

constexpr std::size_t kLongestChecked = 96;  // bytes of a text that the slow merging follows

struct Piece {
  std::string text;
  float score;
};

// Overlapping runs, equal scores, characters of one to four bytes.
const std::vector<Piece>& pieces() {
  static const std::vector<Piece> all = {
      {" ", -1},  {"a", -2},   {"b", -2},  {"aa", 3},   {"aaa", 1},    {"aaaa", 3},
      {"ab", 2},  {"ba", 2},   {"aba", 5}, {"  ", 4},   {"    ", 4},   {" a", 6},
      {"\n", -1}, {"\n\n", 2}, {"in", 0},  {"i", -3},   {"n", -3},     {" in", 1},
      {"甲", -4}, {"甲甲", 2}, {"第", -4}, {"第甲", 7}, {"é", -5},     {"éa", 3},
      {"😀", -6},  {"😀😀", 0},   {".", -1},  {"..", 1},   {"...", 0.5F}, {"<", -7}};
  return all;
}

std::shared_ptr<const Tokenizer> build() {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>", "<t>"};
  std::vector<std::int32_t> kinds = {2, 3, 3, 4};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    tokens.emplace_back(name);
    kinds.push_back(6);
  }
  std::vector<float> scores(tokens.size(), 0);
  for (const Piece& piece : pieces()) {
    tokens.push_back(piece.text);
    kinds.push_back(1);
    scores.push_back(piece.score);
  }
  tests::GgufWriter writer;
  writer.string("tokenizer.ggml.model", "llama")
      .strings("tokenizer.ggml.tokens", tokens)
      .numbers("tokenizer.ggml.scores", 6, scores)
      .numbers("tokenizer.ggml.token_type", 5, kinds);
  const tests::TemporaryFile file(writer.bytes());
  return Tokenizer::from_gguf(*GgufFile::open(file.path()));
}

const Piece* piece_of(const std::string& text) {
  const auto found = std::find_if(pieces().begin(), pieces().end(),
                                  [&](const Piece& piece) { return piece.text == text; });
  return found == pieces().end() ? nullptr : &*found;
}

// The definition: of all neighbours that make a piece, those of the highest score merge, the
// leftmost of several; what is no piece at the end falls into its bytes.
std::vector<std::string> merged_slowly(std::string_view text) {
  std::vector<std::string> symbols;
  for (std::size_t at = 0; at < text.size();) {
    const auto bytes = static_cast<std::size_t>(text::decode_at(text, at).bytes);
    symbols.emplace_back(text.substr(at, bytes));
    at += bytes;
  }
  while (true) {
    const Piece* best_piece = nullptr;
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const Piece* piece = piece_of(symbols[i] + symbols[i + 1]);
      if (piece == nullptr || (best_piece != nullptr && piece->score <= best_piece->score))
        continue;
      best_piece = piece;
      best = i;
    }
    if (best_piece == nullptr) break;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  std::vector<std::string> tokens;
  for (const std::string& symbol : symbols) {
    if (piece_of(symbol) != nullptr) {
      tokens.push_back(symbol);
    } else {
      for (const char byte : symbol) tokens.emplace_back(1, byte);
    }
  }
  return tokens;
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto tokenizer = build();
  if (size == 0) return 0;
  const auto special = (data[0] & 1) != 0 ? SpecialTokens::recognised : SpecialTokens::as_text;
  const auto place = (data[0] & 2) != 0 ? TextPlace::begins : TextPlace::continues;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Encoding encoding = tokenizer->encode(text, special, place);
  check(encoding.ids.size() == encoding.ends.size());
  check(std::is_sorted(encoding.ends.begin(), encoding.ends.end()));
  check(encoding.ends.empty() ? text.empty() || place == TextPlace::continues
                              : encoding.ends.back() == std::ssize(text));
  // Behind a special token text begins anew, with a space.
  const bool has_special =
      text.find("<t>") != std::string_view::npos ||
      (special == SpecialTokens::recognised && text.find('<') != std::string_view::npos);
  if (has_special) return 0;
  const bool has_prefix = place == TextPlace::begins && !text.empty();
  const std::string whole = (has_prefix ? " " : "") + std::string(text);
  check(tokenizer->decode(encoding.ids) == whole);
  if (whole.size() > kLongestChecked) return 0;
  std::size_t token = 0;
  for (const std::string& symbol : merged_slowly(whole)) {
    check(token < encoding.ids.size());
    check(tokenizer->bytes_of_token(encoding.ids[token++]) == symbol);
  }
  check(token == encoding.ids.size());
  return 0;
}
