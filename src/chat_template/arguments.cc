#include "chat_template/arguments.h"

#include "chat_template/operators.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {

std::optional<Value> ArgumentReader::take(std::string_view name) {
  if (next_ < arguments_.positional.size()) return arguments_.positional[next_++];
  for (const auto& [given_name, value] : arguments_.named) {
    if (given_name != name) continue;
    ++named_taken_;
    return value;
  }
  return std::nullopt;
}

Value ArgumentReader::need(std::string_view name) {
  auto value = take(name);
  if (!value) fail(text::in_quotes(owner_) + " lacks the argument " + text::in_quotes(name));
  return *std::move(value);
}

const MarkedText& ArgumentReader::need_text(std::string_view name) {
  const Value value = need(name);
  const MarkedText* text = text_of(value);
  if (text == nullptr) fail_on_kind(name, value, "a string");
  return *text;
}

std::optional<std::int64_t> ArgumentReader::take_integer(std::string_view name) {
  const auto value = take(name);
  if (!value || is<None>(*value)) return std::nullopt;
  const auto integer = integer_of(*value);
  if (!integer) fail_on_kind(name, *value, "an integer");
  return integer;
}

bool ArgumentReader::take_flag(std::string_view name, bool otherwise) {
  const auto value = take(name);
  return value ? is_true(*value) : otherwise;
}

void ArgumentReader::finish() const {
  if (next_ < arguments_.positional.size() || named_taken_ < arguments_.named.size()) {
    fail(text::in_quotes(owner_) + " has arguments that it does not take");
  }
}

void ArgumentReader::fail_on_kind(std::string_view name, const Value& value,
                                  std::string_view wanted) const {
  fail("the argument " + text::in_quotes(name) + " of " + text::in_quotes(owner_) + " is " +
       std::string(kind_name(value)) + ", wanted " + std::string(wanted));
}

}  // namespace whereof::chat_template
