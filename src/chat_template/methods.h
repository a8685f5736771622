// Methods of strings, maps, lists and loops. Those that change what they belong to are refused, as
// Jinja's immutable sandbox does.
#ifndef WHEREOF_CHAT_TEMPLATE_METHODS_H_
#define WHEREOF_CHAT_TEMPLATE_METHODS_H_

#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool has_method(const Value& value, std::string_view name) noexcept;
// The name must be one that has_method knows.
Value call_method(Memory& memory, const Value& receiver, std::string_view name,
                  const Arguments& arguments);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_METHODS_H_
