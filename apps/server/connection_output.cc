// What a connection sends, and how it ends.
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include "connection.h"
#include "http_error.h"
#include "http_server.h"
#include "status_lines.h"

namespace whereof::server {
namespace {

// Of a client that has closed its sending side: how often it is sent something, and looked at.
constexpr std::chrono::milliseconds kProbePeriod{1000};
constexpr std::chrono::microseconds kLookPeriod{50'000};

}  // namespace

void Connection::EventDeleter::operator()(event* one) const noexcept { event_free(one); }

void Connection::respond(std::uint64_t serial, Response response) {
  if (serial != serial_ || phase_ != Phase::working) return;
  if (!server_.may_buffer(response.body.size())) {
    response = json_response(
        error_answer(HttpError(503, "overloaded", "too many answers wait for their readers")).body,
        503);
  }
  send_response(response, parser_.keeps_connection() && !server_.is_ending_);
}

void Connection::send_response(const Response& response, bool keeps) {
  const bool has_body = response.status != 204 && response.status != 304;
  write_head(response.status, response,
             has_body ? fmt::format("Content-Length: {}\r\n", response.body.size()) : "", keeps);
  if (has_body && !is_head_request_) add(response.body);
  end_exchange(keeps);
}

void Connection::write_head(int status, const Response& response, std::string_view framing,
                            bool keeps) {
  server_.count_response(status);
  std::string head(kAnyStart.substr(started_));
  head += fmt::format("{} {}\r\n", status, reason_of(status));
  if (!response.type.empty()) head += fmt::format("Content-Type: {}\r\n", response.type);
  head += framing;
  head += "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n";
  bool has_cache_control = false;
  for (const auto& [name, value] : response.headers) {
    head += fmt::format("{}: {}\r\n", name, value);
    has_cache_control = has_cache_control || name == "Cache-Control";
  }
  if (!has_cache_control) head += "Cache-Control: no-store\r\n";
  if (!origin_.empty()) {
    head += fmt::format("Access-Control-Allow-Origin: {}\r\nVary: Origin\r\n", origin_);
  }
  head += keeps ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  add(head);
}

void Connection::begin_stream(std::uint64_t serial) {
  if (serial != serial_ || phase_ != Phase::working) return;
  const bool is_1_0 = parser_.is_http_1_0();
  is_chunked_answer_ = !is_1_0;
  Response response;
  response.type = "text/event-stream";
  const bool keeps = parser_.keeps_connection() && !is_1_0 && !server_.is_ending_;
  write_head(200, response, is_1_0 ? "" : "Transfer-Encoding: chunked\r\n", keeps);
  if (is_head_request_) return end_exchange(keeps);
  phase_ = Phase::streaming;
}

void Connection::write_stream(std::uint64_t serial, std::string_view bytes) {
  if (serial != serial_ || phase_ != Phase::streaming || bytes.empty()) return;
  if (!is_chunked_answer_) return add(bytes);
  add(fmt::format("{:x}\r\n", bytes.size()));
  add(bytes);
  add("\r\n");
}

void Connection::end_stream(std::uint64_t serial) {
  if (serial != serial_ || phase_ != Phase::streaming) return;
  if (is_chunked_answer_) add("0\r\n\r\n");
  end_exchange(is_chunked_answer_ && parser_.keeps_connection() && !server_.is_ending_);
}

// The answer is in the output: on to the next request, which may be here already.
void Connection::end_exchange(bool keeps) {
  if (backlog_) backlog_->is_gone = true;
  backlog_.reset();
  exchange_.reset();
  const bool has_input = evbuffer_get_length(bufferevent_get_input(events_)) > 0;
  if (!keeps || (is_half_closed_ && !has_input)) return close_after_output();
  phase_ = Phase::head;
  phase_began_ = Clock::now();
  parser_ = RequestParser();
  is_head_request_ = false;
  started_ = 0;
  // Not from here: this may be a callback of a handler on the loop, and pipelined requests would
  // nest as deep as there are of them.
  if (has_input) {
    server_.loop_->post([weak = weak_from_this()] {
      if (const auto connection = weak.lock()) connection->read();
    });
  }
}

void Connection::add(std::string_view bytes) {
  bufferevent_write(events_, bytes.data(), bytes.size());
}

void Connection::drained() {
  if (phase_ == Phase::closing) close_after_output();
}

// Closing at once, with bytes of the client unread, would reset the connection and could take the
// answer with it; so the way out is shut first, and what still comes in is thrown away for a while.
void Connection::close_after_output() {
  phase_ = Phase::closing;
  if (buffered_ > 0 || is_shut_) return;
  if (is_half_closed_) return close();
  is_shut_ = true;
  phase_began_ = Clock::now();
  shutdown(descriptor_, SHUT_WR);
  evbuffer* input = bufferevent_get_input(events_);
  evbuffer_drain(input, evbuffer_get_length(input));
  server_.end_if_done();
}

// The client sends no more: it has left, or waits for the answer to what it sent, as it may.
void Connection::end_of_input() {
  is_half_closed_ = true;
  const bool has_input = evbuffer_get_length(bufferevent_get_input(events_)) > 0;
  if (is_receiving() && has_input) return;  // a request that is here already comes first
  switch (phase_) {
    case Phase::head:
      return parser_.has_begun() ? close() : close_after_output();
    case Phase::body:
      return close();
    case Phase::working:
    case Phase::streaming:
      return look_for_client();
    case Phase::closing:
      return is_shut_ ? close() : close_after_output();
  }
}

// Bytes that change nothing for a client that is there: a comment of a stream, or an interim answer
// (RFC 9110, 15.2). HTTP/1.0 has no interim answers; it is sent what its answer begins with in any
// case, a byte at a time, each after twice the time of the one before.
void Connection::probe(Clock::time_point now) {
  const bool is_started = phase_ == Phase::working && parser_.is_http_1_0();
  if (now - probed_at_ < kProbePeriod * (is_started ? std::int64_t{1} << started_ : 1)) return;
  probed_at_ = now;
  if (phase_ == Phase::streaming) return write_stream(serial_, kStillHere);
  if (!is_started) return add(kContinue);
  if (started_ < kAnyStart.size()) add(kAnyStart.substr(started_++, 1));
}

// Bytes to a client that has left come back as a reset, which the socket then shows.
void Connection::look_for_client() {
  if (phase_ != Phase::working && phase_ != Phase::streaming) return;
  pollfd state{.fd = descriptor_, .events = 0, .revents = 0};
  if (poll(&state, 1, 0) == 1) return close();
  probe(Clock::now());
  if (!look_again_) {
    look_again_.reset(evtimer_new(
        server_.loop_->base(),
        [](evutil_socket_t, short, void* self) {
          static_cast<Connection*>(self)->look_for_client();
        },
        this));
  }
  const timeval soon = {.tv_sec = 0, .tv_usec = kLookPeriod.count()};
  evtimer_add(look_again_.get(), &soon);
}

void Connection::tell_to_stop() {
  if (const auto exchange = exchange_.lock()) {
    exchange->request_stop();
  } else if (phase_ == Phase::streaming) {
    end_stream(serial_);  // of what happens elsewhere: nobody works for it alone
  }
}

void Connection::finish() {
  if (is_receiving() && buffered_ == 0) close();
}

void Connection::close() {
  const auto self = shared_from_this();
  if (backlog_) backlog_->is_gone = true;
  if (const auto exchange = exchange_.lock()) exchange->request_stop();
  ++serial_;  // whatever is on its way is for nobody
  server_.buffered_bytes_ -= buffered_;
  buffered_ = 0;
  phase_ = Phase::closing;
  is_shut_ = true;
  if (events_ != nullptr) {
    bufferevent_setcb(events_, nullptr, nullptr, nullptr, nullptr);
    bufferevent_disable(events_, EV_READ | EV_WRITE);
  }
  server_.forget(this);
}

}  // namespace whereof::server
