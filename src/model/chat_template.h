// Renders messages in the chat format that a model file's template (Jinja) describes.
//
// The template is not executed. Its string literals and the operations that it applies are looked
// at, and it is accepted only if they are those of the ChatML family (Qwen2.5, SmolLM2):
//
//   <|im_start|>ROLE\nCONTENT<|im_end|>\n      for each message
//   <|im_start|>assistant\n                    at the end
//
// with, where the template has one, its own default system message before messages that do not
// begin with a system message. What a template does for tools is never asked for here.
#ifndef WHEREOF_MODEL_CHAT_TEMPLATE_H_
#define WHEREOF_MODEL_CHAT_TEMPLATE_H_

#include <span>
#include <string_view>
#include <vector>

#include "whereof/model.h"

namespace whereof::model {

// Pieces with is_template hold the format and the template's own text; the content of each message
// is a piece of its own. Throws Error(unsupported) for a template of another family, naming what in
// it is foreign, and Error(invalid_argument) for no messages or a role other than "system", "user"
// and "assistant".
std::vector<Model::PromptPiece> render_chat(std::string_view template_text,
                                            std::span<const ChatMessage> messages);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_CHAT_TEMPLATE_H_
