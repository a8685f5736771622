#include "whereof/error.h"

namespace whereof {

std::string_view name_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "invalid_argument";
    case ErrorKind::bad_document:
      return "bad_document";
    case ErrorKind::bad_model:
      return "bad_model";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::no_model:
      return "no_model";
    case ErrorKind::over_window:
      return "over_window";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::out_of_space:
      return "out_of_space";
    case ErrorKind::input_output:
      return "input_output";
    case ErrorKind::corrupt_library:
      return "corrupt_library";
    case ErrorKind::failed_check:
      return "failed_check";
    case ErrorKind::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace whereof
