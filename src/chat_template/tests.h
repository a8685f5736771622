// Jinja's tests: what may follow "is".
#ifndef WHEREOF_CHAT_TEMPLATE_TESTS_H_
#define WHEREOF_CHAT_TEMPLATE_TESTS_H_

#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool is_test(std::string_view name) noexcept;
// The name must be one that is_test knows.
bool apply_test(Memory& memory, std::string_view name, const Value& value,
                const Arguments& arguments);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_TESTS_H_
