// What the program tells its caller by its exit code (sysexits.h where that has a word for it).
#ifndef WHEREOF_CLI_EXIT_CODES_H_
#define WHEREOF_CLI_EXIT_CODES_H_

#include "whereof/error.h"

namespace whereof::cli {

constexpr int kAnswered = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kNoBasis = 3;
constexpr int kBadDocument = 65;
constexpr int kNotFound = 66;
constexpr int kNoModel = 69;
constexpr int kInputOutput = 74;
constexpr int kInterrupted = 130;

int exit_code_of(ErrorKind kind) noexcept;

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_EXIT_CODES_H_
