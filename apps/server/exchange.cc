#include "exchange.h"

#include "http_error.h"

namespace whereof::server {
namespace {

// Of a second answer: nobody listens.
class NoCarrier : public Carrier {
 public:
  void respond(Response) override {}
  void begin_stream() override {}
  bool write(std::string) override { return false; }
  void end_stream() override {}
};

}  // namespace

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response json_response(const Json& json, int status) {
  Response response;
  response.status = status;
  response.body = dumped(json);
  return response;
}

// The stream of one exchange: ends when nobody holds it.
class EventStream::Ending {
 public:
  explicit Ending(std::shared_ptr<Carrier> carrier) : carrier_(std::move(carrier)) {}
  ~Ending() { end(); }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  bool write(std::string bytes) {
    const std::lock_guard lock(mutex_);
    return !is_ended_ && carrier_->write(std::move(bytes));
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (!is_ended_) carrier_->end_stream();
    is_ended_ = true;
  }

 private:
  std::shared_ptr<Carrier> carrier_;
  std::mutex mutex_;
  bool is_ended_ = false;
};

bool EventStream::write(std::string bytes) const { return ending_->write(std::move(bytes)); }

bool EventStream::send(std::string_view event, const Json& data) const {
  std::string bytes = "event: ";
  bytes += event;
  bytes += "\ndata: " + dumped(data) + "\n\n";
  return write(std::move(bytes));
}

bool EventStream::send_data(std::string_view text) const {
  std::string bytes = "data: ";
  bytes += text;
  bytes += "\n\n";
  return write(std::move(bytes));
}

void EventStream::close() const { ending_->end(); }

Exchange::Exchange(Request request, std::shared_ptr<Carrier> carrier)
    : request_(std::move(request)), carrier_(std::move(carrier)) {}

Exchange::~Exchange() {
  if (!claim()) return;
  const HttpError given_up(503, "cancelled", "the request was given up");
  const bool was_told = stop_.stop_requested();
  const ErrorAnswer answer =
      was_told ? error_answer(given_up) : error_answer(std::logic_error("no answer"));
  carrier_->respond(json_response(answer.body, answer.status));
}

void Exchange::send(Response response) {
  if (claim()) carrier_->respond(std::move(response));
}

EventStream Exchange::start_events() {
  auto ending = std::make_shared<EventStream::Ending>(carrier_);
  if (claim()) {
    carrier_->begin_stream();
    const std::lock_guard lock(mutex_);
    events_ = ending;
  } else {
    ending = std::make_shared<EventStream::Ending>(std::make_shared<NoCarrier>());
  }
  return EventStream(std::move(ending));
}

void Exchange::fail(const std::exception& error) {
  const ErrorAnswer answer = error_answer(error);
  if (claim()) {
    Response response = json_response(answer.body, answer.status);
    response.headers = answer.headers;
    return carrier_->respond(std::move(response));
  }
  std::shared_ptr<EventStream::Ending> ending;
  {
    const std::lock_guard lock(mutex_);
    ending = events_;
  }
  if (!ending) return;
  const EventStream stream(std::move(ending));
  stream.send("error", answer.body);
  stream.close();
}

void Exchange::guard(const std::function<void()>& work) noexcept {
  try {
    try {
      work();
    } catch (const std::exception& error) {
      fail(error);
    } catch (...) {
      fail(std::runtime_error("an exception of no known type"));
    }
  } catch (...) {  // no memory for the answer: the exchange's end closes the connection
  }
}

}  // namespace whereof::server
