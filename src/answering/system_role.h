// Whether a chat template has a place for an instruction of its own.
#ifndef WHEREOF_ANSWERING_SYSTEM_ROLE_H_
#define WHEREOF_ANSWERING_SYSTEM_ROLE_H_

#include "whereof/model.h"

namespace whereof::answering {

// False where the model's template refuses a system message or leaves its text out, as those of
// Gemma and of the first Mistral do: found by rendering one. True for a base model, which has no
// template. Throws Error as Model::chat_prompt does where it refuses a lone user message too.
bool has_system_role(const Model& model);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_SYSTEM_ROLE_H_
