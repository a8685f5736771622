#include "job_events.h"

#include <utility>

namespace whereof::server {

JobEvents::JobEvents(ExchangePtr exchange, bool streams)
    : exchange_(std::move(exchange)), streams_(streams) {}

void JobEvents::tell_ahead(std::size_t ahead) {
  const std::lock_guard lock(place_);
  if (has_begun_) return;
  was_told_ = true;
  send("queued", {{"ahead", ahead}});
}

void JobEvents::begin() {
  const std::lock_guard lock(place_);
  has_begun_ = true;
  if (!was_told_) send("queued", {{"ahead", 0}});
}

void JobEvents::send(std::string_view event, const Json& data) {
  if (streams_) events().send(event, data);
}

void JobEvents::end(std::string_view event, const Json& result) {
  if (!streams_) return exchange_->send_json(result);
  send(event, result);
  send("done", Json::object());
  events().close();
}

EventStream JobEvents::events() {
  const std::lock_guard lock(mutex_);
  if (!events_) events_ = exchange_->start_events();
  return *events_;
}

}  // namespace whereof::server
