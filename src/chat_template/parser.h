// A template's text as a tree.
#ifndef WHEREOF_CHAT_TEMPLATE_PARSER_H_
#define WHEREOF_CHAT_TEMPLATE_PARSER_H_

#include <string_view>

#include "chat_template/limits.h"
#include "chat_template/tree.h"

namespace whereof::chat_template {

// Constants are made in the memory and live with it. A Failure is thrown with `line` set to where
// it is.
Block parse(std::string_view source, const Limits& limits, Memory& constants, int& line);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_PARSER_H_
