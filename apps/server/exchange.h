// One request and its one answer: a response, or a stream of events. A handler keeps the pointer
// for as long as it works, on any thread; the answer reaches the client through the loop's thread.
#ifndef WHEREOF_SERVER_EXCHANGE_H_
#define WHEREOF_SERVER_EXCHANGE_H_

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "request.h"

namespace whereof::server {

using Json = nlohmann::ordered_json;

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // besides type, length and the like
};

// Text for the client; bytes that are no UTF-8 become U+FFFD.
std::string dumped(const Json& json);
Response json_response(const Json& json, int status = 200);

// Server-sent events. Copies are one stream, which ends with close(), or when the last copy and the
// Exchange are gone.
class EventStream {
 public:
  // Any thread; false when the client has left or reads too slowly (over 4 MiB wait for it).
  // "event: NAME", then "data: " and the JSON on one line.
  bool send(std::string_view event, const Json& data) const;
  // The same without a name, as OpenAI streams: "data: TEXT". No line break may be in it.
  bool send_data(std::string_view text) const;
  // Ends the stream; what was sent before still arrives. Later sends do nothing.
  void close() const;

 private:
  friend class Exchange;
  class Ending;
  explicit EventStream(std::shared_ptr<Ending> ending) : ending_(std::move(ending)) {}
  bool write(std::string bytes) const;
  std::shared_ptr<Ending> ending_;
};

// What carries bytes to the client; a connection of the loop, or a test's own.
class Carrier {
 public:
  virtual ~Carrier() = default;
  // Any thread. Called once.
  virtual void respond(Response response) = 0;
  // Any thread: a head once, then pieces, then the end. write: false when nobody listens.
  virtual void begin_stream() = 0;
  virtual bool write(std::string bytes) = 0;
  virtual void end_stream() = 0;
};

class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(Request request, std::shared_ptr<Carrier> carrier);
  // An exchange that nobody answered answers 500 when its last pointer goes.
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  const Request& request() const noexcept { return request_; }
  Request& request() noexcept { return request_; }

  // Stops when the client leaves (within 250 ms, also amid a stream) and when the server ends.
  std::stop_token stop() const noexcept { return stop_.get_token(); }
  void request_stop() noexcept { stop_.request_stop(); }

  // Exactly one of these, once, from any thread; a second answer is dropped.
  void send(Response response);
  void send_json(const Json& json, int status = 200) { send(json_response(json, status)); }
  EventStream start_events();
  // As a response while there was no answer; in a begun stream as "error", and the stream ends.
  void fail(const std::exception& error);
  // Runs work here and now; what it throws becomes fail(). noexcept for threads' sake.
  void guard(const std::function<void()>& work) noexcept;

 private:
  bool claim() noexcept { return !is_answered_.exchange(true); }

  Request request_;
  std::shared_ptr<Carrier> carrier_;
  std::stop_source stop_;
  std::atomic<bool> is_answered_ = false;
  std::shared_ptr<EventStream::Ending> events_;
  std::mutex mutex_;  // of events_
};

using ExchangePtr = std::shared_ptr<Exchange>;

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_EXCHANGE_H_
