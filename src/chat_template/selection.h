// The filters that apply other filters and tests to each element: map, select, reject, selectattr,
// rejectattr.
#ifndef WHEREOF_CHAT_TEMPLATE_SELECTION_H_
#define WHEREOF_CHAT_TEMPLATE_SELECTION_H_

#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool is_selection(std::string_view name) noexcept;
Value select(Memory& memory, std::string_view name, const Value& value, const Arguments& arguments);

// value.a.b for a path "a.b", an item for an integer; as Jinja's filters take an attribute.
Value at_path(Memory& memory, const Value& value, const Value& path);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_SELECTION_H_
