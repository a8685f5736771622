#include "answering/prompt_pieces.h"

namespace whereof::answering {
namespace {

// The piece's tokens behind those of the prompt so far.
Encoding encode(const Model::PromptPiece& piece, const Tokenizer& tokenizer,
                std::span<const TokenId> before) {
  const bool is_begin = before.empty() || tokenizer.is_control(before.back());
  return tokenizer.encode(piece.text,
                          piece.is_template ? SpecialTokens::recognised : SpecialTokens::as_text,
                          is_begin ? TextPlace::begins : TextPlace::continues);
}

// Whether the template itself writes the token that begins a text: many do, and it stands there
// once.
bool begins_with(std::span<const Model::PromptPiece> pieces, const Tokenizer& tokenizer,
                 TokenId begin) {
  if (pieces.empty() || !pieces.front().is_template) return false;
  const Encoding encoding = encode(pieces.front(), tokenizer, {});
  return !encoding.ids.empty() && encoding.ids.front() == begin;
}

}  // namespace

std::vector<TokenId> tokens_of_pieces(std::span<const Model::PromptPiece> pieces,
                                      const Tokenizer& tokenizer, const PlacedPiece& on_piece) {
  std::vector<TokenId> tokens;
  const auto begin = tokenizer.begin_of_text();
  if (begin && !begins_with(pieces, tokenizer, *begin)) tokens.push_back(*begin);
  for (const Model::PromptPiece& piece : pieces) {
    const Encoding encoding = encode(piece, tokenizer, tokens);
    if (on_piece) on_piece(piece, encoding, std::ssize(tokens));
    tokens.insert(tokens.end(), encoding.ids.begin(), encoding.ids.end());
  }
  return tokens;
}

}  // namespace whereof::answering
