#include "whereof/tokenizer.h"

#include <algorithm>
#include <array>
#include <limits>

#include "model/byte_pair_encoder.h"
#include "model/gguf_cursor.h"
#include "model/sentence_piece_encoder.h"
#include "model/special_tokens.h"
#include "whereof/error.h"

namespace whereof {
namespace model {
namespace {

using NamedTokens = std::vector<std::pair<std::string_view, TokenId>>;

// Of the vocabulary's special tokens those that the predicate takes.
template <typename Predicate>
NamedTokens special_tokens(const Vocabulary& vocabulary, const std::string& file_name,
                           Predicate is_wanted) {
  NamedTokens names;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    if (!is_wanted(vocabulary.kind(id))) continue;
    const std::string_view name = vocabulary.text(id);
    if (name.empty() || name.size() > SpecialTokenTable::kMaxNameBytes) {
      throw Error(ErrorKind::bad_model, file_name + ": special token " + std::to_string(id) +
                                            " has a text of " + std::to_string(name.size()) +
                                            " bytes, wanted 1 to 256");
    }
    names.emplace_back(name, id);
  }
  std::sort(names.begin(), names.end());
  const auto same = std::adjacent_find(
      names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same != names.end()) {
    throw Error(ErrorKind::bad_model,
                file_name + ": special token " + in_quotes(same->first) + " is there twice");
  }
  return names;
}

bool is_user_defined(TokenKind kind) { return kind == TokenKind::user_defined; }
bool is_control_kind(TokenKind kind) {
  return kind == TokenKind::control || kind == TokenKind::unknown;
}

// A token id of the metadata, checked against the vocabulary.
std::optional<TokenId> named_id(const GgufFile& file, const Vocabulary& vocabulary,
                                std::string_view key) {
  const std::optional<std::int64_t> id = file.integer(key);
  if (!id) return std::nullopt;
  if (*id < 0 || *id >= vocabulary.size()) {
    throw Error(ErrorKind::bad_model, file.path().string() + ": metadata " + in_quotes(key) +
                                          " is " + std::to_string(*id) + ", wanted 0 to " +
                                          std::to_string(vocabulary.size() - 1));
  }
  return static_cast<TokenId>(*id);
}

// Ends of text and of turn: what the file names, and control tokens that are known as such, since
// files of chat models often name only one of theirs.
std::vector<TokenId> generation_ends(const GgufFile& file, const Vocabulary& vocabulary,
                                     const SpecialTokenTable& specials) {
  std::vector<TokenId> ids;
  for (const std::string_view key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                     "tokenizer.ggml.eom_token_id"}) {
    if (const auto id = named_id(file, vocabulary, key)) ids.push_back(*id);
  }
  for (const std::string_view name : {"<|im_end|>", "<|endoftext|>", "<|end_of_text|>",
                                      "<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_turn>"}) {
    const auto id = specials.find(name);
    if (id && vocabulary.kind(*id) == TokenKind::control) ids.push_back(*id);
  }
  return ids;
}

class GgufTokenizer final : public Tokenizer {
 public:
  GgufTokenizer(const GgufFile& file, std::unique_ptr<const PlainEncoder> encoder,
                bool adds_begin_by_default)
      : encoder_(std::move(encoder)),
        vocabulary_(encoder_->vocabulary()),
        always_whole_(special_tokens(vocabulary_, file.path().string(), is_user_defined)),
        specials_(special_tokens(
            vocabulary_, file.path().string(),
            [](TokenKind kind) { return is_user_defined(kind) || is_control_kind(kind); })),
        generation_ends_(generation_ends(file, vocabulary_, specials_)) {
    const auto begin = named_id(file, vocabulary_, "tokenizer.ggml.bos_token_id");
    const bool adds_begin =
        file.boolean("tokenizer.ggml.add_bos_token").value_or(adds_begin_by_default);
    if (adds_begin) begin_of_text_ = begin;
  }

  Encoding encode(std::string_view text, SpecialTokens special, TextPlace place) const override {
    if (text.size() > std::numeric_limits<std::int32_t>::max() - std::size_t{1}) {
      throw Error(ErrorKind::invalid_argument,
                  "text of " + std::to_string(text.size()) + " bytes, wanted less than 2^31 - 1");
    }
    const SpecialTokenTable& table =
        special == SpecialTokens::recognised ? specials_ : always_whole_;
    Encoding encoding;
    const std::size_t expected_tokens = std::min(text.size() / 4, std::size_t{1} << 20);
    encoding.ids.reserve(expected_tokens);
    encoding.ends.reserve(expected_tokens);
    std::size_t at = 0;
    while (const auto found = table.search(text, at)) {
      if (at < found->begin) encoder_->encode(text, at, found->begin, place, encoding);
      encoding.ids.push_back(found->id);
      encoding.ends.push_back(static_cast<std::int64_t>(found->end));
      at = found->end;
      place = TextPlace::begins;
    }
    if (at < text.size()) encoder_->encode(text, at, text.size(), place, encoding);
    if (!encoding.ends.empty()) encoding.ends.back() = static_cast<std::int64_t>(text.size());
    return encoding;
  }

  std::string_view bytes_of_token(TokenId id) const override {
    if (!vocabulary_.contains(id)) return {};
    const TokenKind kind = vocabulary_.kind(id);
    const bool is_text =
        kind == TokenKind::normal || kind == TokenKind::byte || is_user_defined(kind);
    return is_text ? vocabulary_.text(id) : std::string_view();
  }

  std::int64_t vocabulary_size() const override { return vocabulary_.size(); }

  bool is_control(TokenId id) const override {
    return vocabulary_.contains(id) && is_control_kind(vocabulary_.kind(id));
  }

  bool ends_generation(TokenId id) const override {
    return std::find(generation_ends_.begin(), generation_ends_.end(), id) !=
           generation_ends_.end();
  }

  std::optional<TokenId> begin_of_text() const override { return begin_of_text_; }

  std::optional<TokenId> find(std::string_view token_text) const override {
    if (const auto id = specials_.find(token_text)) return id;
    return vocabulary_.find(token_text);
  }

 private:
  std::unique_ptr<const PlainEncoder> encoder_;
  const Vocabulary& vocabulary_;    // the encoder's
  SpecialTokenTable always_whole_;  // user-defined tokens, which are text
  SpecialTokenTable specials_;      // those and the control tokens
  std::vector<TokenId> generation_ends_;
  std::optional<TokenId> begin_of_text_;
};

}  // namespace
}  // namespace model

std::shared_ptr<const Tokenizer> Tokenizer::from_gguf(const GgufFile& file) {
  const auto kind = file.string("tokenizer.ggml.model");
  if (!kind) {
    throw Error(ErrorKind::bad_model, file.path().string() + ": has no tokenizer.ggml.model");
  }
  std::unique_ptr<const model::PlainEncoder> encoder;
  bool adds_begin_by_default = false;
  if (*kind == "gpt2") {
    auto byte_pairs = std::make_unique<model::BytePairEncoder>(file);
    adds_begin_by_default = model::takes_whole_words(byte_pairs->pre_tokenizer());
    encoder = std::move(byte_pairs);
  }
  if (*kind == "llama") {
    encoder = std::make_unique<model::SentencePieceEncoder>(file);
    adds_begin_by_default = true;
  }
  if (encoder == nullptr) {
    throw Error(ErrorKind::unsupported,
                file.path().string() + ": tokenizer model " + model::in_quotes(*kind) +
                    " is not supported, only byte-level BPE ('gpt2') and SentencePiece ('llama')");
  }
  auto tokenizer =
      std::make_shared<model::GgufTokenizer>(file, std::move(encoder), adds_begin_by_default);
  file.check_intact();
  return tokenizer;
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const {
  std::string text;
  for (const TokenId id : ids) text += bytes_of_token(id);
  return text;
}

}  // namespace whereof
