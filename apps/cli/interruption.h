// Ctrl-C: asks the work to stop; a second one ends the process at once.
#ifndef WHEREOF_CLI_INTERRUPTION_H_
#define WHEREOF_CLI_INTERRUPTION_H_

#include <stop_token>

namespace whereof::cli {

// Call once in main, before any thread exists. SIGINT and SIGTERM are then taken by a thread of
// its own; SIGPIPE is ignored, so that a closed output is an error of writing.
std::stop_token watch_for_interruption();

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_INTERRUPTION_H_
