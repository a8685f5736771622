// From the pieces of a chat to its tokens.
#ifndef WHEREOF_ANSWERING_PROMPT_PIECES_H_
#define WHEREOF_ANSWERING_PROMPT_PIECES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "whereof/model.h"

namespace whereof::answering {

// Called for each piece with its encoding and the position of its first token.
using PlacedPiece =
    std::function<void(const Model::PromptPiece&, const Encoding&, std::int64_t first_position)>;

// The tokens of all pieces, after the token that begins a text where the vocabulary has one: many
// templates write it themselves, and it stands there once. Only what is the template's own is read
// as special tokens. on_piece may be empty.
std::vector<TokenId> tokens_of_pieces(std::span<const Model::PromptPiece> pieces,
                                      const Tokenizer& tokenizer, const PlacedPiece& on_piece = {});

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_PROMPT_PIECES_H_
