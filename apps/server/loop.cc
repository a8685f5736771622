#include "loop.h"

#include <event2/event.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "whereof/error.h"

namespace whereof::server {

void Loop::BaseDeleter::operator()(event_base* base) const noexcept { event_base_free(base); }
void Loop::EventDeleter::operator()(event* one) const noexcept { event_free(one); }

Loop::Loop() : base_(event_base_new()), wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!base_ || !wake_) {
    throw Error(ErrorKind::input_output,
                std::string("cannot make the server's event queue: ") + std::strerror(errno));
  }
  wake_event_.reset(event_new(
      base_.get(), wake_.get(), EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Loop*>(self)->run_posted(); }, this));
  event_add(wake_event_.get(), nullptr);
}

Loop::~Loop() = default;

void Loop::run() { event_base_dispatch(base_.get()); }

void Loop::end() { event_base_loopbreak(base_.get()); }

void Loop::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
    if (posted_.size() > 1) return;  // the loop is awake already
  }
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the loop is awake.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

void Loop::run_posted() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(wake_.get(), &count, sizeof count);
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (const std::function<void()>& task : tasks) task();
}

void Loop::every(std::chrono::milliseconds period, std::function<void()> task) {
  auto timer = std::make_unique<Timer>();
  timer->task = std::move(task);
  timer->timer.reset(event_new(
      base_.get(), -1, EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<Timer*>(self)->task(); }, timer.get()));
  const timeval time = {.tv_sec = period.count() / 1000, .tv_usec = period.count() % 1000 * 1000};
  event_add(timer->timer.get(), &time);
  timers_.push_back(std::move(timer));
}

}  // namespace whereof::server
