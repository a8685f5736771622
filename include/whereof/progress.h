// How long work tells its caller how far it is.
#ifndef WHEREOF_PROGRESS_H_
#define WHEREOF_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <string_view>

namespace whereof {

struct Progress {
  std::string_view phase;  // "reading pages", "reading the prompt", ...; valid during the call
  std::string_view unit;   // "pages", "tokens", "bytes"
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0 when not known
};

// Called on the thread that called the long-running function, a few times a second at most by
// intent, never after that function has returned. May be empty. Must not throw.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace whereof

#endif  // WHEREOF_PROGRESS_H_
