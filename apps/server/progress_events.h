// Progress of long work as a client is told of it.
#ifndef WHEREOF_SERVER_PROGRESS_EVENTS_H_
#define WHEREOF_SERVER_PROGRESS_EVENTS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "exchange.h"
#include "whereof/progress.h"

namespace whereof::server {

// One piece of work; one thread.
class ProgressClock {
 public:
  // {"phase", "unit", "done", "total", "seconds_left"}: at the rate of the phase so far, null where
  // that is not known.
  Json json_of(const Progress& progress);

 private:
  std::string phase_;
  std::chrono::steady_clock::time_point begin_;
  std::int64_t first_done_ = 0;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_PROGRESS_EVENTS_H_
