#include "chat_template/chat.h"

#include <ctime>

#include "chat_template/rendering.h"
#include "text/in_quotes.h"
#include "whereof/error.h"

namespace whereof::chat_template {
namespace {

constexpr std::int64_t kUnitsOfAByte = 64;  // of work for each byte of the messages

std::int64_t check(std::span<const ChatMessage> messages) {
  if (messages.empty()) throw Error(ErrorKind::invalid_argument, "a chat without messages");
  std::int64_t bytes = 0;
  for (const ChatMessage& message : messages) {
    if (message.role != "system" && message.role != "user" && message.role != "assistant") {
      throw Error(ErrorKind::invalid_argument, "a message's role is " +
                                                   text::in_quotes(message.role) +
                                                   ", wanted 'system', 'user' or 'assistant'");
    }
    bytes += static_cast<std::int64_t>(message.content.size());
  }
  return bytes;
}

Value values_of(Memory& memory, std::span<const ChatMessage> messages) {
  std::vector<Value> values;
  for (const ChatMessage& message : messages) {
    values.push_back(memory.map({{memory.text("role"), memory.text(message.role)},
                                 {memory.text("content"), memory.text(message.content, false)}}));
  }
  return memory.list(std::move(values));
}

// What templates get for the day's date: a Monday.
std::tm fixed_date() {
  std::tm date = {};
  date.tm_year = 2024 - 1900;
  date.tm_mon = 6;
  date.tm_mday = 1;
  date.tm_hour = 12;
  date.tm_wday = 1;
  date.tm_yday = 182;
  return date;
}

}  // namespace

std::vector<Model::PromptPiece> render_chat(std::string_view template_text,
                                            std::span<const ChatMessage> messages,
                                            const SpecialTokenTexts& tokens) {
  Limits limits;
  const std::int64_t bytes = check(messages);
  limits.output_bytes += bytes;
  limits.work_units += kUnitsOfAByte * bytes;
  Memory memory(limits);
  Scope variables;
  const auto add = [&](std::string_view name, Value value) {
    variables.names.emplace_back(name, std::move(value));
  };
  add("messages", values_of(memory, messages));
  add("add_generation_prompt", true);
  add("tools", None{});
  add("documents", None{});
  if (tokens.bos_token) add("bos_token", memory.text(*tokens.bos_token));
  if (tokens.eos_token) add("eos_token", memory.text(*tokens.eos_token));
  if (tokens.unk_token) add("unk_token", memory.text(*tokens.unk_token));
  if (tokens.pad_token) add("pad_token", memory.text(*tokens.pad_token));

  const MarkedText text = render(template_text, variables, memory, limits, fixed_date());
  std::vector<Model::PromptPiece> pieces;
  std::size_t begin = 0;
  for (const Run& run : text.runs()) {
    pieces.push_back({std::string(text.bytes().substr(begin, run.end - begin)), run.is_template});
    begin = run.end;
  }
  return pieces;
}

}  // namespace whereof::chat_template
