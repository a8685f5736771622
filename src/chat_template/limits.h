// What a template may use, and how its failures are thrown.
#ifndef WHEREOF_CHAT_TEMPLATE_LIMITS_H_
#define WHEREOF_CHAT_TEMPLATE_LIMITS_H_

#include <cstdint>
#include <string>

#include "whereof/error.h"

namespace whereof::chat_template {

// Over any of these is an Error(unsupported).
struct Limits {
  std::int64_t template_bytes = 1 << 20;
  // Of blocks and expressions inside each other, of calls inside each other, of values inside
  // values.
  std::int64_t depth = 64;
  std::int64_t loop_steps = 1'000'000;    // of all loops together
  std::int64_t output_bytes = 1 << 20;    // beyond those of the variables (the messages)
  std::int64_t work_units = 256LL << 20;  // Memory; beyond 64 for each byte of the variables
};

// Thrown inside; whoever knows the line makes it an Error.
struct Failure {
  ErrorKind kind;
  std::string message;
};

// A template that is wrong by the rules of Jinja: the fault of the model's file.
[[noreturn]] inline void fail(std::string message) {
  throw Failure{ErrorKind::bad_model, std::move(message)};
}

// A template that may be right but asks for more than there is here.
[[noreturn]] inline void refuse(std::string message) {
  throw Failure{ErrorKind::unsupported, std::move(message)};
}

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_LIMITS_H_
