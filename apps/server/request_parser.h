// HTTP/1.1 requests from bytes as they come (RFC 9112), in the strict reading: what two programs
// could understand in two ways is refused, so that no request hides in another's body.
#ifndef WHEREOF_SERVER_REQUEST_PARSER_H_
#define WHEREOF_SERVER_REQUEST_PARSER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "request.h"

namespace whereof::server {

// Not thread-safe. Memory: the head (16 KiB at most) and the piece of body that was fed last. Time
// is linear in the bytes fed, whatever pieces they come in.
//
// Refused (400 where nothing else is said): a line that does not end in CR LF; blanks before a
// header's colon; folded headers; control characters; a target that is no path (absolute, "*"); an
// HTTP/1.1 request without Host, any with two; Content-Length that is no plain digits, or is there
// twice, even alike; Content-Length beside Transfer-Encoding; any coding but chunked (501); chunk
// sizes that are no plain hexadecimal digits; trailers; HTTP/2 and others (505); over 100 headers
// or 16 KiB of head (431).
class RequestParser {
 public:
  enum class State { head, body, complete, failed };

  static constexpr std::size_t kHeadBytes = 16 << 10;
  static constexpr std::size_t kHeaders = 100;

  // Takes bytes up to the end of the head, else up to the end of the request; returns how many. A
  // caller that got fewer than it gave looks at the state and calls again with the others.
  std::size_t feed(std::string_view bytes);
  State state() const noexcept { return state_; }

  // In every state but head: what the head says; body and captured are empty.
  Request& request() noexcept { return request_; }
  // Of the body; nothing for a chunked one.
  std::optional<std::int64_t> content_length() const noexcept { return content_length_; }
  bool has_body() const noexcept { return is_chunked_ || content_length_.value_or(0) > 0; }
  bool expects_continue() const noexcept { return expects_continue_; }
  bool keeps_connection() const noexcept { return keeps_connection_; }
  bool is_http_1_0() const noexcept {
    return is_http_1_0_;
  }  // also once the request was moved away
  // Bytes of the body so far, without what frames chunks.
  std::int64_t body_bytes() const noexcept { return body_bytes_; }
  // Bytes of the body that the last call of feed gave.
  const std::string& body_piece() const noexcept { return piece_; }
  // Whether any byte of a request was fed.
  bool has_begun() const noexcept { return !line_.empty() || head_bytes_ > 0; }

  int failure_status() const noexcept { return failure_status_; }
  const std::string& failure() const noexcept { return failure_; }

 private:
  enum class Part { request_line, header, sized, chunk_size, chunk, chunk_end, last_line };

  std::size_t feed_line(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  void take_line();
  void take_request_line();
  void take_target(std::string_view target);
  void take_header();
  void take_chunk_size();
  void take_known_header(const std::string& name, const std::string& value);
  void end_head();
  void fail(int status, std::string message);

  State state_ = State::head;
  Part part_ = Part::request_line;
  Request request_;
  std::string line_;  // begun, without its end
  std::string piece_;
  std::size_t head_bytes_ = 0;
  std::int64_t body_bytes_ = 0;
  std::int64_t left_ = 0;  // of a sized body or a chunk
  int hosts_ = 0;
  bool is_http_1_0_ = false;
  bool is_chunked_ = false;
  bool expects_continue_ = false;
  bool keeps_connection_ = true;
  std::optional<std::int64_t> content_length_;
  int failure_status_ = 0;
  std::string failure_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_REQUEST_PARSER_H_
