// Messages in the chat format of a model, as its template writes it.
#ifndef WHEREOF_CHAT_TEMPLATE_CHAT_H_
#define WHEREOF_CHAT_TEMPLATE_CHAT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/model.h"

namespace whereof::chat_template {

// Special tokens that templates write by name; those that a model lacks are undefined variables.
struct SpecialTokenTexts {
  std::optional<std::string> bos_token;
  std::optional<std::string> eos_token;
  std::optional<std::string> unk_token;
  std::optional<std::string> pad_token;
};

// Pieces with is_template hold what the template writes; what comes from a message's content is in
// the others, however the template changed it. Neighbours differ, none is empty. The assistant's
// turn is opened at the end (add_generation_prompt); there are no tools and no documents. Templates
// that write today's date (strftime_now) get 1 July 2024 at noon whenever they are run: a prompt
// that changed with the day would begin otherwise than what was kept of it the day before, so that
// each document were read anew each day; and no answer hangs on the date that a model is told.
//
// Throws Error: as render() does; invalid_argument for no messages or a role other than "system",
// "user" and "assistant".
std::vector<Model::PromptPiece> render_chat(std::string_view template_text,
                                            std::span<const ChatMessage> messages,
                                            const SpecialTokenTexts& tokens);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_CHAT_H_
