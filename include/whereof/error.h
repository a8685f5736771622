// Errors of the second kind (CONTRIBUTING.md): a caller's mistake or a bad world.
//
// Thrown at the borders only; kernels are noexcept. A message names the file, field or tensor, the
// value found and the value wanted, and is one line without a full stop at its end.
#ifndef WHEREOF_ERROR_H_
#define WHEREOF_ERROR_H_

#include <stdexcept>
#include <string>
#include <string_view>

namespace whereof {

enum class ErrorKind {
  invalid_argument,  // a call's shapes, ranges or options disagree
  bad_document,      // empty, broken, encrypted, without text, over a limit, of an unknown type
  bad_model,         // a GGUF file that is cut or lies
  unsupported,       // a well-formed thing that this build does not handle, named
  not_found,         // a file or an entry that does not exist
  no_model,          // no model file at hand
  over_window,       // more tokens than the model's window; both numbers in the message
  out_of_memory,     // refused before allocating; the largest size that fits in the message
  out_of_space,      // the disk is full
  input_output,      // any other failure to read or write
  corrupt_library,   // the library file is damaged
  failed_check,      // the program found its own result unsound (a fault of positions)
  cancelled,         // the caller asked to stop
};

// "bad_document" and so on; never empty.
std::string_view name_of(ErrorKind kind) noexcept;

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace whereof

#endif  // WHEREOF_ERROR_H_
