// Escapes of Python's string literals.
#ifndef WHEREOF_CHAT_TEMPLATE_STRING_LITERAL_H_
#define WHEREOF_CHAT_TEMPLATE_STRING_LITERAL_H_

#include <string>
#include <string_view>

namespace whereof::chat_template {

// The text between the quotation marks with its escapes read; an unknown escape stays as it is.
// Throws Failure for a broken one.
std::string unescaped(std::string_view literal);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_STRING_LITERAL_H_
