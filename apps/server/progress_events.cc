#include "progress_events.h"

namespace whereof::server {

Json ProgressClock::json_of(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (phase_ != progress.phase) {
    phase_ = progress.phase;
    begin_ = now;
    first_done_ = progress.done;
  }
  const auto done = static_cast<double>(progress.done - first_done_);
  Json json = {{"phase", phase_},
               {"unit", progress.unit},
               {"done", progress.done},
               {"total", progress.total},
               {"seconds_left", nullptr}};
  if (done > 0 && progress.total >= progress.done) {
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    json["seconds_left"] = seconds / done * static_cast<double>(progress.total - progress.done);
  }
  return json;
}

}  // namespace whereof::server
