// What a client is told of a job: events while it goes on, or its result as one object.
#ifndef WHEREOF_SERVER_JOB_EVENTS_H_
#define WHEREOF_SERVER_JOB_EVENTS_H_

#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>

#include "exchange.h"

namespace whereof::server {

// Any thread.
class JobEvents {
 public:
  // streams: whether the client wants events; they begin with the first one.
  JobEvents(ExchangePtr exchange, bool streams);

  const ExchangePtr& exchange() const noexcept { return exchange_; }
  bool streams() const noexcept { return streams_; }

  // The job's place in the queue; nothing once begin() was called.
  void tell_ahead(std::size_t ahead);
  // The job runs. A job that runs before its place was told was not kept waiting: that is told.
  void begin();
  void send(std::string_view event, const Json& data);  // nothing without a stream
  // The last one, with its result: as an event of this name, then "done"; or as the answer's body.
  void end(std::string_view event, const Json& result);

 private:
  EventStream events();

  const ExchangePtr exchange_;
  const bool streams_;
  std::mutex place_;  // of the next two
  bool was_told_ = false;
  bool has_begun_ = false;
  std::mutex mutex_;
  std::optional<EventStream> events_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_JOB_EVENTS_H_
