#include "answering/system_role.h"

#include <array>
#include <string_view>

#include "whereof/error.h"

namespace whereof::answering {
namespace {

constexpr std::string_view kProbe = "Answer in one word.";  // any text that no template holds

bool has_probe(const std::vector<Model::PromptPiece>& pieces) {
  for (const Model::PromptPiece& piece : pieces) {
    if (!piece.is_template && piece.text.find(kProbe) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

bool has_system_role(const Model& model) {
  if (!model.description().has_chat_template) return true;
  const std::array<ChatMessage, 2> both = {ChatMessage{"system", std::string(kProbe)},
                                           ChatMessage{"user", "Why?"}};
  try {
    return has_probe(model.chat_prompt(both));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
  }
  static_cast<void>(model.chat_prompt(std::span(both).last(1)));  // or there is no prompt at all
  return false;
}

}  // namespace whereof::answering
