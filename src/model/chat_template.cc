#include "model/chat_template.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "model/gguf_cursor.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

constexpr std::string_view kTurnBegin = "<|im_start|>";
constexpr std::string_view kTurnEnd = "<|im_end|>";
constexpr std::string_view kSystemBegin = "<|im_start|>system\n";
constexpr std::string_view kTurnEndLine = "<|im_end|>\n";
constexpr std::string_view kAnswerBegin = "<|im_start|>assistant\n";

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::unsupported,
              "the model's chat template is not supported: " + reason +
                  "; only templates of the ChatML family are (<|im_start|>, <|im_end|>)");
}

// What stands inside {{ }} and {% %}, taken apart.
struct TemplateParts {
  std::vector<std::string> literals;  // unescaped
  // The rest without white space, with $ for each literal, x.y for x['y'] and ; for a tag's end.
  std::string code;
};

char unescaped(char escaped) {
  switch (escaped) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return escaped;
  }
}

// Reads the literal whose quotation mark is text[at]; returns the place after it.
std::size_t read_literal(std::string_view text, std::size_t at, std::string& literal) {
  const char mark = text[at];
  for (++at; at < text.size() && text[at] != mark; ++at) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    literal += is_escape ? unescaped(text[++at]) : text[at];
  }
  if (at >= text.size()) refuse("a string in it does not end");
  return at + 1;
}

bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Reads a tag up to its end mark; returns the place after it.
std::size_t read_tag(std::string_view text, std::size_t at, std::string_view end_mark,
                     TemplateParts& parts) {
  while (at < text.size()) {
    if (text.substr(at, end_mark.size()) == end_mark) {
      parts.code += ';';
      return at + end_mark.size();
    }
    if (text[at] == '\'' || text[at] == '"') {
      std::string literal;
      at = read_literal(text, at, literal);
      if (parts.code.ends_with('[') && text.substr(at, 1) == "]") {
        parts.code.back() = '.';
        parts.code += literal;
        ++at;
      } else {
        parts.code += '$';
        parts.literals.push_back(std::move(literal));
      }
      continue;
    }
    if (!is_white_space(text[at])) parts.code += text[at];
    ++at;
  }
  refuse("a tag in it does not end");
}

TemplateParts take_apart(std::string_view text) {
  TemplateParts parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view mark = text.substr(at, 2);
    if (mark == "{{") {
      at = read_tag(text, at + 2, "}}", parts);
    } else if (mark == "{%") {
      at = read_tag(text, at + 2, "%}", parts);
    } else if (mark == "{#") {
      const std::size_t end = text.find("#}", at + 2);
      if (end == std::string_view::npos) refuse("a comment in it does not end");
      at = end + 2;
    } else {
      if (!is_white_space(text[at])) refuse("it writes text outside of its tags");
      ++at;
    }
  }
  return parts;
}

bool contains(std::string_view text, std::string_view piece) {
  return text.find(piece) != std::string_view::npos;
}

bool has_literal(const TemplateParts& parts, std::string_view wanted) {
  return std::find(parts.literals.begin(), parts.literals.end(), wanted) != parts.literals.end();
}

// Operations under which the prompt is more than the messages one after the other.
void refuse_foreign_operations(const TemplateParts& parts) {
  constexpr std::array<std::string_view, 10> kForeign = {
      "|trim",    ".strip(",   ".lstrip(",        ".rstrip(",     ".split(",
      "|replace", ".replace(", "raise_exception", "strftime_now", "bos_token"};
  for (const std::string_view operation : kForeign) {
    if (contains(parts.code, operation)) refuse("it uses " + in_quotes(operation));
  }
  for (const std::string& literal : parts.literals) {
    if (contains(literal, "<think>")) refuse("it writes " + in_quotes("<think>"));
  }
}

// The default system message, if the template has one. Each literal with a turn mark must have a
// known form.
std::optional<std::string> default_system(const TemplateParts& parts) {
  constexpr std::array<std::string_view, 8> kKnown = {
      kTurnBegin,           kTurnEnd,     kSystemBegin,           kTurnEndLine, "<|im_start|>user",
      "<|im_start|>user\n", kAnswerBegin, "<|im_start|>assistant"};
  std::optional<std::string> system;
  for (const std::string& literal : parts.literals) {
    const std::string_view text = literal;
    if (!contains(text, kTurnBegin) && !contains(text, kTurnEnd)) continue;
    if (std::find(kKnown.begin(), kKnown.end(), text) != kKnown.end()) continue;
    if (contains(text, "</tools>")) continue;  // what is said about tools
    const bool is_system = text.starts_with(kSystemBegin) && text.ends_with(kTurnEndLine) &&
                           text.size() > kSystemBegin.size() + kTurnEndLine.size();
    if (!is_system) refuse("it writes " + in_quotes(text));
    const std::string_view content =
        text.substr(kSystemBegin.size(), text.size() - kSystemBegin.size() - kTurnEndLine.size());
    if (contains(content, "<|im_")) refuse("it writes several messages of its own");
    if (system && *system != content) refuse("it has several default system messages");
    system = content;
  }
  return system;
}

// Whether the template has the expression of a turn,
//   '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n'
// the last two maybe as one literal.
bool writes_turns(const TemplateParts& parts) {
  constexpr std::string_view kRole = ".role+$+";
  constexpr std::string_view kContent = ".content+$";
  const std::string_view code = parts.code;
  for (std::size_t role = code.find(kRole); role != std::string_view::npos;
       role = code.find(kRole, role + 1)) {
    const std::size_t plus = code.substr(0, role).find_last_of("+;{($");
    if (plus == std::string_view::npos || plus == 0 || code.substr(plus - 1, 2) != "$+") continue;
    const std::string_view message = code.substr(plus + 1, role - plus - 1);
    std::string_view rest = code.substr(role + kRole.size());
    if (!rest.starts_with(message) || !rest.substr(message.size()).starts_with(kContent)) continue;
    rest.remove_prefix(message.size() + kContent.size());
    const auto literals_before = std::count(code.begin(), code.begin() + plus - 1, '$');
    const auto literal = [&](int i) -> std::string_view {
      const auto index = static_cast<std::size_t>(literals_before + i);
      return index < parts.literals.size() ? parts.literals[index] : std::string_view();
    };
    const bool ends = literal(2) == kTurnEndLine ||
                      (literal(2) == kTurnEnd && literal(3) == "\n" && rest.starts_with("+$"));
    if (literal(0) == kTurnBegin && literal(1) == "\n" && ends) return true;
  }
  return false;
}

std::optional<std::string> recognise(std::string_view template_text) {
  if (template_text.empty()) refuse("it is empty");
  const TemplateParts parts = take_apart(template_text);
  if (contains(template_text, kTurnBegin)) refuse_foreign_operations(parts);
  if (!writes_turns(parts)) {
    refuse("it does not put messages between <|im_start|> and <|im_end|>");
  }
  if (!contains(parts.code, "ifadd_generation_prompt") || !has_literal(parts, kAnswerBegin)) {
    refuse("it does not open the assistant's turn");
  }
  return default_system(parts);
}

void append_template(std::vector<Model::PromptPiece>& pieces, std::string_view text) {
  if (pieces.empty() || !pieces.back().is_template) pieces.push_back({{}, true});
  pieces.back().text += text;
}

void append_turn_begin(std::vector<Model::PromptPiece>& pieces, std::string_view role) {
  append_template(pieces, kTurnBegin);
  append_template(pieces, role);
  append_template(pieces, "\n");
}

}  // namespace

std::vector<Model::PromptPiece> render_chat(std::string_view template_text,
                                            std::span<const ChatMessage> messages) {
  const std::optional<std::string> system = recognise(template_text);
  if (messages.empty()) throw Error(ErrorKind::invalid_argument, "a chat without messages");
  std::vector<Model::PromptPiece> pieces;
  if (system && messages.front().role != "system") {
    append_turn_begin(pieces, "system");
    append_template(pieces, *system);
    append_template(pieces, kTurnEndLine);
  }
  for (const ChatMessage& message : messages) {
    if (message.role != "system" && message.role != "user" && message.role != "assistant") {
      throw Error(ErrorKind::invalid_argument, "a message's role is " + in_quotes(message.role) +
                                                   ", wanted 'system', 'user' or 'assistant'");
    }
    append_turn_begin(pieces, message.role);
    if (!message.content.empty()) pieces.push_back({message.content, false});
    append_template(pieces, kTurnEndLine);
  }
  append_template(pieces, kAnswerBegin);
  return pieces;
}

}  // namespace whereof::model
