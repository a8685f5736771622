// The functions that a template finds: Jinja's range, dict and namespace, and transformers'
// raise_exception and strftime_now.
#ifndef WHEREOF_CHAT_TEMPLATE_FUNCTIONS_H_
#define WHEREOF_CHAT_TEMPLATE_FUNCTIONS_H_

#include <ctime>
#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool is_function(std::string_view name) noexcept;
// The name must be one that is_function knows. raise_exception throws Failure(unsupported) with the
// template's words.
Value call_function(Memory& memory, std::string_view name, const Arguments& arguments,
                    const std::tm& now);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_FUNCTIONS_H_
