#include "exit_codes.h"

namespace whereof::cli {

int exit_code_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return kUsage;
    case ErrorKind::bad_document:
      return kBadDocument;
    case ErrorKind::not_found:
      return kNotFound;
    case ErrorKind::bad_model:
    case ErrorKind::no_model:
      return kNoModel;
    case ErrorKind::out_of_space:
    case ErrorKind::corrupt_library:
    case ErrorKind::input_output:
      return kInputOutput;
    case ErrorKind::cancelled:
      return kInterrupted;
    case ErrorKind::unsupported:
    case ErrorKind::over_window:
    case ErrorKind::out_of_memory:
    case ErrorKind::failed_check:
      return kFailed;
  }
  return kFailed;
}

}  // namespace whereof::cli
