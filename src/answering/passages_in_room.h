// Passages of a document that fit so many tokens, with what they lean on.
#ifndef WHEREOF_ANSWERING_PASSAGES_IN_ROOM_H_
#define WHEREOF_ANSWERING_PASSAGES_IN_ROOM_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/passage_choice.h"

namespace whereof::answering {

// Tokens that a passage takes in a prompt, with room for its label.
std::int64_t tokens_of(const Document& document, Span text, const Model& model);

// choose_passages with the model's tokens as the cost. Ranked best first; those of clauses that the
// question names count as named.
std::vector<ChosenPassage> passages_in_room(const Document& document, const Model& model,
                                            std::string_view question,
                                            std::span<const Passage> ranked,
                                            std::int64_t room_tokens,
                                            double closure_share = ChoiceOptions{}.closure_share);

std::vector<Passage> places_of(std::span<const ChosenPassage> chosen);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_PASSAGES_IN_ROOM_H_
