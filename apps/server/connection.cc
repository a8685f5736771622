#include "connection.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "http_error.h"
#include "http_server.h"
#include "upload_file.h"

namespace whereof::server {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::size_t kStreamBytes = 4 << 20;  // of a stream that the client has yet to take
constexpr std::chrono::seconds kCommentPeriod{10};
// Of an upload: what is beyond goes to a file, in pieces of so much.
constexpr std::size_t kUploadInMemory = 256 << 10;
constexpr std::chrono::seconds kLingerTime{2};
constexpr double kSlowestBody = 4096;  // bytes a second, after the first ten seconds
constexpr double kBodyGraceSeconds = 10;

HttpError overloaded() {
  return HttpError(503, "overloaded", "the server has too many requests at hand");
}

double seconds_between(Connection::Clock::time_point begin, Connection::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// One end of a connection, without its port: find is getsockname for the address that the client
// used for this machine, getpeername for its own.
std::string address_of(int descriptor, int (*find)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (find(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  char text[INET6_ADDRSTRLEN] = {};
  const void* bytes =
      storage.ss_family == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<sockaddr_in6*>(&storage)->sin6_addr)
          : static_cast<const void*>(&reinterpret_cast<sockaddr_in*>(&storage)->sin_addr);
  return inet_ntop(storage.ss_family, bytes, text, sizeof text) != nullptr ? text : "";
}

}  // namespace

// Carries the answer of one request from any thread to the connection, if it still is there.
class Connection::Line : public Carrier {
 public:
  Line(std::shared_ptr<Loop> loop, std::weak_ptr<Connection> connection, std::uint64_t serial,
       std::shared_ptr<Backlog> backlog)
      : loop_(std::move(loop)),
        connection_(std::move(connection)),
        serial_(serial),
        backlog_(std::move(backlog)) {}

  void respond(Response response) override {
    auto shared = std::make_shared<Response>(std::move(response));
    post([shared](Connection& connection, std::uint64_t serial) {
      connection.respond(serial, std::move(*shared));
    });
  }
  void begin_stream() override {
    post([](Connection& connection, std::uint64_t serial) { connection.begin_stream(serial); });
  }
  bool write(std::string bytes) override {
    if (backlog_->is_gone) return false;
    const std::size_t posted = backlog_->posted += bytes.size();
    if (posted + backlog_->buffered > kStreamBytes) {
      if (!backlog_->is_gone.exchange(true)) {
        post([](Connection& connection, std::uint64_t serial) {
          if (connection.serial_ == serial) connection.close();
        });
      }
      return false;
    }
    post([shared = std::make_shared<std::string>(std::move(bytes)), backlog = backlog_](
             Connection& connection, std::uint64_t serial) {
      backlog->posted -= shared->size();
      connection.write_stream(serial, *shared);
    });
    return true;
  }
  void end_stream() override {
    post([](Connection& connection, std::uint64_t serial) { connection.end_stream(serial); });
  }

 private:
  template <typename Work>
  void post(Work work) {
    loop_->post([weak = connection_, serial = serial_, work = std::move(work)] {
      if (const auto connection = weak.lock()) work(*connection, serial);
    });
  }

  std::shared_ptr<Loop> loop_;
  std::weak_ptr<Connection> connection_;
  std::uint64_t serial_;
  std::shared_ptr<Backlog> backlog_;
};

Connection::Connection(HttpServer& server, int descriptor)
    : server_(server),
      descriptor_(descriptor),
      local_address_(address_of(descriptor, getsockname)) {
  phase_began_ = wrote_at_ = Clock::now();
}

Connection::~Connection() {
  if (events_ != nullptr) {
    bufferevent_free(events_);
  } else {
    ::close(descriptor_);
  }
}

bool Connection::start() {
  events_ = bufferevent_socket_new(server_.loop_->base(), descriptor_, BEV_OPT_CLOSE_ON_FREE);
  if (events_ == nullptr) return false;
  bufferevent_set_max_single_read(events_, kReadBytes);
  bufferevent_setwatermark(events_, EV_READ, 0, kReadBytes);
  bufferevent_setcb(
      events_, [](bufferevent*, void* self) { static_cast<Connection*>(self)->read(); },
      [](bufferevent*, void* self) { static_cast<Connection*>(self)->drained(); },
      [](bufferevent*, short what, void* self) {
        if ((what & BEV_EVENT_ERROR) != 0) return static_cast<Connection*>(self)->close();
        if ((what & BEV_EVENT_EOF) != 0) static_cast<Connection*>(self)->end_of_input();
      },
      this);
  evbuffer_add_cb(
      bufferevent_get_output(events_),
      [](evbuffer*, const evbuffer_cb_info* change, void* self) {
        static_cast<Connection*>(self)->count_output(*change);
      },
      this);
  bufferevent_enable(events_, EV_READ | EV_WRITE);
  return true;
}

void Connection::count_output(const evbuffer_cb_info& change) {
  const std::size_t now = change.orig_size + change.n_added - change.n_deleted;
  server_.buffered_bytes_ += now - buffered_;
  buffered_ = now;
  if (backlog_) backlog_->buffered = now;
  if (change.n_deleted > 0 || change.orig_size == 0) wrote_at_ = Clock::now();
}

double Connection::worth(Clock::time_point now) const {
  const double due =
      phase_ == Phase::body ? static_cast<double>(parser_.body_bytes()) / kSlowestBody : 0;
  return due - seconds_between(phase_began_, now);
}

void Connection::look_at_times(Clock::time_point now) {
  const auto age = now - phase_began_;
  const auto& options = server_.options_;
  if (buffered_ > 0 && now - wrote_at_ > options.write_time) return close();
  switch (phase_) {
    case Phase::head:
      if (age <= (parser_.has_begun() ? options.head_time : options.idle_time)) return;
      if (!parser_.has_begun()) return close();
      return refuse(HttpError(408, "timeout", "the request's head took too long to arrive"));
    case Phase::body: {
      const double allowed =
          kBodyGraceSeconds + static_cast<double>(parser_.body_bytes()) / kSlowestBody;
      if (seconds_between(phase_began_, now) <= allowed && age <= options.request_time) return;
      return refuse(HttpError(408, "timeout", "the request's body took too long to arrive"));
    }
    case Phase::working:
    case Phase::streaming:
      if (age > options.request_time) {
        const auto exchange = exchange_.lock();
        if (!exchange) return;
        exchange->request_stop();
        exchange->fail(HttpError(
            504, "timeout",
            fmt::format("the request took longer than {} seconds", options.request_time.count())));
      } else if (phase_ == Phase::streaming && now - wrote_at_ > kCommentPeriod) {
        write_stream(serial_, kStillHere);
      }
      return;
    case Phase::closing:
      if (is_shut_ && age > kLingerTime) close();
      return;
  }
}

void Connection::read() {
  const auto self = shared_from_this();
  evbuffer* input = bufferevent_get_input(events_);
  for (;;) {
    if (is_storing_) return;
    const std::size_t length = evbuffer_get_length(input);
    if (length == 0 && is_half_closed_ && is_receiving()) return end_of_input();
    if (length == 0) return;
    if (phase_ == Phase::closing) {
      evbuffer_drain(input, length);
      return;
    }
    if (!is_receiving()) return;  // the next request waits for this one's answer
    const std::size_t count = evbuffer_get_contiguous_space(input);
    const bool had_begun = parser_.has_begun();
    const auto* bytes =
        reinterpret_cast<const char*>(evbuffer_pullup(input, static_cast<ev_ssize_t>(count)));
    const std::size_t taken = parser_.feed(std::string_view(bytes, count));
    evbuffer_drain(input, taken);
    if (!had_begun) phase_began_ = Clock::now();
    if (phase_ == Phase::head && parser_.state() != RequestParser::State::head) {
      take_head();
    } else if (phase_ == Phase::body) {
      take_body_piece();
    }
  }
}

void Connection::take_head() {
  is_head_request_ = parser_.request().method == "HEAD";
  if (parser_.state() == RequestParser::State::failed) {
    return refuse(HttpError(parser_.failure_status(), "bad_request", parser_.failure()));
  }
  try {
    check_head(parser_.request());
  } catch (const std::exception& error) {
    return refuse(error);
  }
  phase_ = Phase::body;
  phase_began_ = Clock::now();
  if (parser_.state() == RequestParser::State::complete) return dispatch();
  if (parser_.expects_continue()) add(kContinue);
}

// All that can be refused before a byte of the body is read.
void Connection::check_head(Request& request) {
  origin_.clear();
  server_.access_.check_source(request, local_address_);
  origin_ = server_.access_.foreign_origin(request);
  if (request.method == "OPTIONS" && !origin_.empty()) {
    route_ = nullptr;  // a browser asks whether a page of that origin may call
    if (parser_.has_body()) throw HttpError(413, "too_large", "OPTIONS takes no body");
    return;
  }
  route_ = &server_.router_.find(request);
  if (route_->options.needs_key) server_.access_.check_key(request);
  const std::int64_t most = route_->options.body_bytes;
  const std::int64_t length = parser_.content_length().value_or(0);
  if (length > most || (parser_.has_body() && most == 0)) {
    throw HttpError(
        413, "too_large",
        fmt::format("the body has {} bytes; {} takes at most {}", length, request.path, most));
  }
  if (const auto coding = request.header("content-encoding"); coding && *coding != "identity") {
    throw HttpError(415, "unsupported_coding", "bodies are taken as they are, not compressed");
  }
}

void Connection::take_body_piece() {
  if (parser_.state() == RequestParser::State::failed) {
    return refuse(HttpError(parser_.failure_status(), "bad_request", parser_.failure()));
  }
  const bool is_complete = parser_.state() == RequestParser::State::complete;
  try {
    if (parser_.body_bytes() > route_->options.body_bytes) {
      throw HttpError(413, "too_large",
                      fmt::format("the body is longer than the {} bytes that {} takes",
                                  route_->options.body_bytes, parser_.request().path));
    }
    Request& request = parser_.request();
    request.body += parser_.body_piece();
    const bool is_full = request.body.size() > kUploadInMemory;
    if (route_->options.is_upload && (is_full || (request.upload && is_complete))) {
      return store_piece();
    }
  } catch (const std::exception& error) {
    return refuse(error);
  }
  if (is_complete) dispatch();
}

// The disk may be slow: a worker waits for it, and nothing more is read until it has the piece.
void Connection::store_piece() {
  Request& request = parser_.request();
  const auto piece = std::make_shared<UploadPiece>();
  piece->file = std::move(request.upload);
  piece->bytes.swap(request.body);
  is_storing_ = true;
  bufferevent_disable(events_, EV_READ);
  const bool is_taken = server_.workers_->run([piece, folder = server_.options_.upload_folder,
                                               loop = server_.loop_, weak = weak_from_this()] {
    piece->store(folder);
    loop->post([piece, weak] {
      if (const auto connection = weak.lock()) connection->stored(*piece);
    });
  });
  if (!is_taken) refuse(overloaded());
}

void Connection::stored(UploadPiece& piece) {
  is_storing_ = false;
  bufferevent_enable(events_, EV_READ);
  if (phase_ != Phase::body) return;  // it took too long, or the client is gone
  try {
    if (piece.failure) std::rethrow_exception(piece.failure);
  } catch (const std::exception& error) {
    return refuse(error);
  }
  Request& request = parser_.request();
  request.upload = std::move(piece.file);
  request.upload_bytes = parser_.body_bytes();
  if (parser_.state() == RequestParser::State::complete) dispatch();
  read();
}

void Connection::dispatch() {
  phase_ = Phase::working;
  phase_began_ = Clock::now();
  ++serial_;
  if (route_ == nullptr) {
    Response response;
    response.status = 204;
    response.headers = {{"Access-Control-Allow-Methods", "GET, POST, DELETE"},
                        {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                        {"Access-Control-Max-Age", "600"}};
    return respond(serial_, std::move(response));
  }
  backlog_ = std::make_shared<Backlog>();
  parser_.request().peer = address_of(descriptor_, getpeername);
  const auto exchange = std::make_shared<Exchange>(
      std::move(parser_.request()),
      std::make_shared<Line>(server_.loop_, weak_from_this(), serial_, backlog_));
  exchange_ = exchange;
  if (server_.is_ending_) exchange->request_stop();
  if (is_half_closed_) look_for_client();
  const Handler& handler = route_->handler;
  if (route_->options.runs_on == RunsOn::loop) {
    return exchange->guard([&] { handler(exchange); });
  }
  const bool is_taken =
      server_.workers_->run([exchange, &handler] { exchange->guard([&] { handler(exchange); }); });
  if (!is_taken) exchange->fail(overloaded());
}

void Connection::refuse(const std::exception& error) {
  const ErrorAnswer answer = error_answer(error);
  Response response = json_response(answer.body, answer.status);
  response.headers = answer.headers;
  // A connection whose request was read to its end goes on; in any other it is not known where the
  // next request would begin.
  const bool keeps =
      parser_.state() == RequestParser::State::complete && parser_.keeps_connection();
  ++serial_;
  send_response(response, keeps);
}

}  // namespace whereof::server
