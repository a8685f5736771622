// The prompt: clauses with their numbers, then the question; and where each sentence came to lie.
#ifndef WHEREOF_ANSWERING_PROMPT_H_
#define WHEREOF_ANSWERING_PROMPT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answering/language.h"
#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/retrieval.h"
#include "whereof/span.h"

namespace whereof::answering {

// A sentence of the document that stands in the prompt.
struct ReadSentence {
  Span document;        // bytes of Document::text
  Span tokens;          // positions in the prompt; never empty
  std::int32_t clause;  // index into Document::clauses of the innermost; -1 when none
};

struct Prompt {
  std::vector<TokenId> tokens;
  std::vector<ReadSentence> sentences;  // ascending in tokens, disjoint
  // Positions of each given passage, its label and the blank line after it included; ascending,
  // disjoint, empty for a passage of which nothing is read.
  std::vector<Span> passages;

  std::vector<Span> token_spans() const;  // of the sentences
};

// One user message, after the instruction as a system message or, where the model's template has no
// place for one, as the first words of the user's: heading, passages in the given order (each under
// its clause's label when it does not begin with it), question. Lines within a paragraph are
// joined; headers, footers and contents pages are left out. Text of the document is never read as a
// special token.
Prompt compose_prompt(const Document& document, std::span<const Passage> passages,
                      std::string_view question, const Manner& manner, const Model& model);

// How many first tokens two prompts share.
std::int64_t shared_prefix(std::span<const TokenId> one, std::span<const TokenId> other) noexcept;

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_PROMPT_H_
