#include "model/sentence_piece_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "text/utf8.h"

namespace whereof::model {
namespace {

constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";

// Files write a space of the text as U+2581. That character itself is then none of theirs: in text
// it becomes byte tokens, so that decoding gives back what was encoded.
void append_bytes(std::string_view written, std::string& bytes) {
  constexpr std::string_view kSpace = "\u2581";
  while (true) {
    const std::size_t space = written.find(kSpace);
    bytes += written.substr(0, space);
    if (space == std::string_view::npos) return;
    bytes += ' ';
    written.remove_prefix(space + kSpace.size());
  }
}

// Integers that ascend as the scores descend.
PairMerger::Rank rank_of(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);  // -0 becomes 0
  constexpr std::uint32_t kSign = 0x80000000;
  return (bits & kSign) != 0 ? bits : ~(bits | kSign);
}

}  // namespace

SentencePieceEncoder::SentencePieceEncoder(const GgufFile& file)
    : vocabulary_(file, append_bytes),
      adds_space_(file.boolean("tokenizer.ggml.add_space_prefix").value_or(true)) {
  const auto scores = file.reals(kScoresKey);
  if (!scores) fail_metadata(file, kScoresKey, "is absent, wanted an array of float32");
  if (std::ssize(*scores) != vocabulary_.size()) {
    fail_metadata(file, kScoresKey,
                  std::to_string(scores->size()) + " entries, wanted " +
                      std::to_string(vocabulary_.size()) + ", one for each token");
  }
  ranks_.reserve(scores->size());
  for (const float score : *scores) {
    if (std::isnan(score)) fail_metadata(file, kScoresKey, "is NaN, wanted a number");
    ranks_.push_back(rank_of(score));
  }
  for (TokenId id = 0; id < vocabulary_.size(); ++id) {
    if (vocabulary_.kind(id) != TokenKind::normal) continue;
    longest_piece_ = std::max(longest_piece_, vocabulary_.text(id).size());
  }
  longest_piece_ = std::min(longest_piece_, kMaxPieceBytes);
}

PairMerger::Merge SentencePieceEncoder::merge_into(std::string_view bytes) const noexcept {
  if (bytes.size() > longest_piece_) return {};
  const auto token = vocabulary_.find(bytes);
  if (!token) return {};
  return {ranks_[static_cast<std::size_t>(*token)], *token};
}

void SentencePieceEncoder::append_symbol(std::string_view bytes, TokenId token, std::int64_t begin,
                                         Encoding& encoding) const {
  if (token != kNoToken) {
    encoding.ids.push_back(token);
    encoding.ends.push_back(begin + std::ssize(bytes));
    return;
  }
  for (const char byte : bytes) {
    ++begin;
    const TokenId id = vocabulary_.byte_tokens()[static_cast<unsigned char>(byte)];
    if (id == kNoToken) continue;
    encoding.ids.push_back(id);
    encoding.ends.push_back(begin);
  }
}

void SentencePieceEncoder::encode(std::string_view text, std::size_t begin, std::size_t end,
                                  TextPlace place, Encoding& encoding) const {
  const bool has_prefix = adds_space_ && place == TextPlace::begins;
  std::string prefixed;
  std::string_view part = text.substr(begin, end - begin);
  if (has_prefix) {
    prefixed = " ";
    prefixed += part;
    part = prefixed;
  }
  PairMerger merger;
  merger.start(part.size());
  for (std::size_t at = 0; at < part.size();) {
    const auto bytes = static_cast<std::size_t>(text::decode_at(part, at).bytes);
    const auto token = vocabulary_.find(part.substr(at, bytes));
    merger.add(at, at + bytes, token.value_or(kNoToken));
    at += bytes;
  }
  merger.merge_all([&](std::uint32_t left, std::uint32_t, std::uint32_t right) {
    return merge_into(part.substr(left, right - left));
  });
  // Where byte 0 of the part stands in the text; the space that was put before it, before `begin`.
  const std::int64_t offset = static_cast<std::int64_t>(begin) - (has_prefix ? 1 : 0);
  for (std::size_t at = 0; at < part.size();) {
    const PairMerger::Symbol& symbol = merger.symbol(at);
    append_symbol(part.substr(at, symbol.end - at), symbol.token,
                  offset + static_cast<std::int64_t>(at), encoding);
    at = symbol.end;
  }
}

}  // namespace whereof::model
