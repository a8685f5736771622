// Values as text: Python's str and repr, and JSON as its json.dumps writes it.
#ifndef WHEREOF_CHAT_TEMPLATE_PRINTING_H_
#define WHEREOF_CHAT_TEMPLATE_PRINTING_H_

#include <optional>
#include <string>

#include "chat_template/value.h"

namespace whereof::chat_template {

// str(value). Throws Failure(unsupported) for what has no text of its own, such as a function.
void append_text(TextBuilder& builder, const Value& value);
// str(value) as a value: a string is itself.
Value as_text(Memory& memory, const Value& value);

struct JsonStyle {
  bool is_ascii = false;
  bool sorts_keys = false;
  std::optional<MarkedText> indent;     // of one level; all on one line where there is none
  std::optional<MarkedText> separator;  // between items; ", ", with an indent ","
  std::optional<MarkedText> colon;      // ": "
};
void append_json(Memory& memory, TextBuilder& builder, const Value& value, const JsonStyle& style);

// The shortest digits that give the number again, as repr writes them.
std::string printed_real(double number);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_PRINTING_H_
