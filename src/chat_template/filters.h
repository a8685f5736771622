// Jinja's filters, and tojson as the transformers library defines it.
#ifndef WHEREOF_CHAT_TEMPLATE_FILTERS_H_
#define WHEREOF_CHAT_TEMPLATE_FILTERS_H_

#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool is_filter(std::string_view name) noexcept;
// The name must be one that is_filter knows.
Value apply_filter(Memory& memory, std::string_view name, const Value& value,
                   const Arguments& arguments);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_FILTERS_H_
