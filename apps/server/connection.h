// One client's connection: requests one after another, each answered before the next is read.
#ifndef WHEREOF_SERVER_CONNECTION_H_
#define WHEREOF_SERVER_CONNECTION_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "exchange.h"
#include "request_parser.h"

struct bufferevent;
struct evbuffer_cb_info;
struct event;

namespace whereof::server {

class HttpServer;
struct Route;
struct UploadPiece;

// Belongs to the loop's thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  // Owns the descriptor.
  Connection(HttpServer& server, int descriptor);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  // False: there was no memory for it.
  bool start();

  // Closes now what has waited too long; streams get a comment, so that nobody takes them for dead.
  void look_at_times(Clock::time_point now);
  // Whether it is still sending a request, or sends none: it may then be closed to make room.
  bool is_receiving() const { return phase_ == Phase::head || phase_ == Phase::body; }
  // Among those that receive, the smallest goes first: those without a whole head, the oldest
  // first; then by the bytes of body a second.
  double worth(Clock::time_point now) const;
  // Nothing is left but to see the client go.
  bool is_done() const { return is_shut_; }
  // The server ends: closes when nothing runs, else after the answer.
  void finish();
  void tell_to_stop();
  void close();

  // From Carrier, by way of the loop; serial says which request is meant.
  void respond(std::uint64_t serial, Response response);
  void begin_stream(std::uint64_t serial);
  void write_stream(std::uint64_t serial, std::string_view bytes);
  void end_stream(std::uint64_t serial);

 private:
  enum class Phase {
    head,       // a request's head comes in, or nothing
    body,       // its body
    working,    // a handler has it
    streaming,  // its events go out
    closing,    // the last bytes go out, then what still comes in is thrown away
  };
  class Line;  // the Carrier of one request
  // What other threads see of the client: whether it is there, and how much it has yet to take.
  struct Backlog {
    std::atomic<bool> is_gone = false;
    std::atomic<std::size_t> posted = 0;    // bytes on their way to the loop
    std::atomic<std::size_t> buffered = 0;  // bytes on their way to the client
  };

  struct EventDeleter {
    void operator()(event* one) const noexcept;
  };
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  static constexpr std::string_view kStillHere = ": still here\n\n";  // of a stream, a comment
  static constexpr std::string_view kAnyStart = "HTTP/1.1 ";          // of every answer

  void read();
  void end_of_input();
  void look_for_client();  // again and again, one that sends no more
  void probe(Clock::time_point now);
  void drained();
  void count_output(const evbuffer_cb_info& change);

  void take_head();
  void check_head(Request& request);
  void take_body_piece();
  void store_piece();
  void stored(UploadPiece& piece);
  void dispatch();
  void refuse(const std::exception& error);
  void send_response(const Response& response, bool keeps);
  void write_head(int status, const Response& response, std::string_view framing, bool keeps);
  void add(std::string_view bytes);
  void end_exchange(bool keeps);
  void close_after_output();

  HttpServer& server_;
  bufferevent* events_ = nullptr;
  int descriptor_;
  std::string local_address_;
  Phase phase_ = Phase::head;
  RequestParser parser_;
  const Route* route_ = nullptr;
  std::string origin_;  // to be named in Access-Control-Allow-Origin; else empty
  bool is_head_request_ = false;
  bool is_chunked_answer_ = false;
  bool is_storing_ = false;      // a worker has a piece of the body
  bool is_half_closed_ = false;  // the client sends no more
  bool is_shut_ = false;         // nothing more is written
  std::size_t started_ = 0;      // bytes of kAnyStart that are sent already
  std::uint64_t serial_ = 0;
  std::weak_ptr<Exchange> exchange_;
  std::shared_ptr<Backlog> backlog_;  // of the current request
  std::size_t buffered_ = 0;
  Clock::time_point phase_began_;
  Clock::time_point wrote_at_;
  Clock::time_point probed_at_;
  std::unique_ptr<event, EventDeleter> look_again_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_CONNECTION_H_
