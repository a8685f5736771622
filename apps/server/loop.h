// One thread's event loop, and the way onto it from other threads.
#ifndef WHEREOF_SERVER_LOOP_H_
#define WHEREOF_SERVER_LOOP_H_

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "owned_descriptor.h"

struct event;
struct event_base;

namespace whereof::server {

class Loop {
 public:
  // Throws Error(input_output) where the system gives no event queue.
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  event_base* base() const noexcept { return base_.get(); }
  // Runs until end() on the calling thread, which is the loop's from then on.
  void run();
  // From the loop's thread only.
  void end();
  // Any thread: task runs on the loop's thread, in the order of the calls. It must not throw. After
  // run() has returned tasks are dropped.
  void post(std::function<void()> task);
  // From the loop's thread, or before run: task runs again and again.
  void every(std::chrono::milliseconds period, std::function<void()> task);

 private:
  struct BaseDeleter {
    void operator()(event_base* base) const noexcept;
  };
  struct EventDeleter {
    void operator()(event* one) const noexcept;
  };
  using EventPtr = std::unique_ptr<event, EventDeleter>;
  void run_posted();

  std::unique_ptr<event_base, BaseDeleter> base_;
  OwnedDescriptor wake_;  // an eventfd
  EventPtr wake_event_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  struct Timer {
    std::function<void()> task;
    EventPtr timer;
  };
  std::vector<std::unique_ptr<Timer>> timers_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_LOOP_H_
