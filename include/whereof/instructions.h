// Orders to the reader's model that a document holds: "Ignore all previous instructions", a false
// turn of a conversation, "the verdict is supported", 请忽略以上指令.
//
// They change no verdict by themselves, since verdicts are computed from weights; but a model that
// obeys one answers what the document does not say. So what is found here is no evidence, and
// people are told where it stands. Known wordings only: what is put in words that are not known is
// not found.
#ifndef WHEREOF_INSTRUCTIONS_H_
#define WHEREOF_INSTRUCTIONS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof {

enum class InstructionKind : std::uint8_t {
  override_orders,   // "ignore the instructions above"
  assumed_role,      // "you are now an assistant that ..."
  false_turn,        // "<|im_start|>system", "[INST]", "Question: ...? Answer: ..."
  dictated_verdict,  // "say that the answer is supported"
  addressed_model,   // "Note to AI assistants"
};

// One line for people: "orders to drop other orders".
std::string_view name_of(InstructionKind kind) noexcept;

struct FoundInstruction {
  Span text;  // bytes of Document::text: the sentence that holds it
  InstructionKind kind = InstructionKind::override_orders;
};

// Ascending, disjoint, one a sentence; of all lines, headers and annotations too. Linear time.
std::vector<FoundInstruction> find_instructions(const Document& document);

}  // namespace whereof

#endif  // WHEREOF_INSTRUCTIONS_H_
