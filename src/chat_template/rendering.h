// A template and its variables to text: an evaluator of the part of Jinja that chat templates use.
//
// Language: jinja.palletsprojects.com/en/3.1.x/templates, in the immutable sandbox, with loop
// controls, and with what the transformers library adds (trim_blocks, lstrip_blocks, tojson,
// raise_exception, strftime_now, generation). What of it is not here is an error that names it.
#ifndef WHEREOF_CHAT_TEMPLATE_RENDERING_H_
#define WHEREOF_CHAT_TEMPLATE_RENDERING_H_

#include <ctime>
#include <string_view>

#include "chat_template/limits.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

// The variables' values are made in the memory. Text of the result is marked as the template's
// where it comes from the template or from a variable so marked. Throws Error, with the line in the
// message: bad_model for a template that is wrong, unsupported for one that uses what is not here,
// goes over the limits, or raises an exception of its own. Stack under 256 kB.
MarkedText render(std::string_view source, Scope& variables, Memory& memory, const Limits& limits,
                  const std::tm& now);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_RENDERING_H_
