#include "chat_template/rendering.h"

#include <string>

#include "chat_template/evaluator.h"
#include "chat_template/parser.h"

namespace whereof::chat_template {

MarkedText render(std::string_view source, Scope& variables, Memory& memory, const Limits& limits,
                  const std::tm& now) {
  int line = 1;
  try {
    const Block block = parse(source, limits, memory, line);
    return Evaluator(memory, limits, now, line).run(block, variables);
  } catch (const Failure& failure) {
    throw Error(failure.kind,
                "the model's chat template, line " + std::to_string(line) + ": " + failure.message);
  }
}

}  // namespace whereof::chat_template
