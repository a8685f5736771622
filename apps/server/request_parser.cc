#include "request_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "utf8.h"

namespace whereof::server {
namespace {

constexpr std::size_t kChunkLineBytes = 256;
constexpr std::size_t kLengthDigits = 15;    // under 2^50
constexpr std::size_t kChunkSizeDigits = 8;  // under 2^32

bool is_token_byte(char byte) {
  const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  const bool is_digit = byte >= '0' && byte <= '9';
  return is_letter || is_digit ||
         std::string_view("!#$%&'*+-.^_`|~").find(byte) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_byte);
}

bool is_field_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value == '\t' || (value >= 0x20 && value != 0x7f);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& byte : lower) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  return lower;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

void RequestParser::fail(int status, std::string message) {
  state_ = State::failed;
  failure_status_ = status;
  failure_ = std::move(message);
  keeps_connection_ = false;
}

std::size_t RequestParser::feed(std::string_view bytes) {
  piece_.clear();
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ == State::head) taken += feed_line(bytes.substr(taken));
  if (taken > 0 && state_ != State::head) return taken;  // the caller looks at the head first
  while (taken < bytes.size() && state_ == State::body) taken += feed_body(bytes.substr(taken));
  return taken;
}

// Takes up to and with the next line feed.
std::size_t RequestParser::feed_line(std::string_view bytes) {
  const bool is_head = state_ == State::head;
  const std::size_t room = is_head ? kHeadBytes - head_bytes_ : kChunkLineBytes - line_.size();
  const std::size_t newline = bytes.find('\n');
  const std::size_t count = newline == std::string_view::npos ? bytes.size() : newline + 1;
  if (count > room) {
    if (is_head) {
      fail(431, fmt::format("the request's head is longer than {} bytes", kHeadBytes));
    } else {
      fail(400, "a line between chunks is longer than 256 bytes");
    }
    return bytes.size();
  }
  line_.append(bytes.substr(0, count));
  if (is_head) head_bytes_ += count;
  if (newline == std::string_view::npos) return count;
  if (line_.size() < 2 || line_[line_.size() - 2] != '\r') {
    fail(400, "a line of the request ends without a carriage return");
    return count;
  }
  line_.resize(line_.size() - 2);
  take_line();
  line_.clear();
  return count;
}

void RequestParser::take_line() {
  if (!std::all_of(line_.begin(), line_.end(), is_field_byte)) {
    return fail(400, "a line of the request holds a control character");
  }
  switch (part_) {
    case Part::request_line:
      return take_request_line();
    case Part::header:
      return line_.empty() ? end_head() : take_header();
    case Part::chunk_size:
      return take_chunk_size();
    case Part::chunk_end:
      part_ = Part::chunk_size;
      if (!line_.empty()) fail(400, "a chunk is longer than its size says");
      return;
    case Part::last_line:
      state_ = State::complete;
      if (!line_.empty()) fail(400, "trailers after a chunked body are not taken");
      return;
    case Part::sized:
    case Part::chunk:
      return;
  }
}

void RequestParser::take_request_line() {
  const std::string_view line = line_;
  // One empty line before a request is from clients of old that ended their bodies with one.
  if (line.empty() && head_bytes_ == 2) return;
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || !is_token(line.substr(0, first))) {
    return fail(400, "the request line is not METHOD PATH HTTP/1.1");
  }
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    const bool is_other = version.starts_with("HTTP/");
    return fail(is_other ? 505 : 400, "the request line does not end in HTTP/1.1");
  }
  request_.is_http_1_0 = is_http_1_0_ = version == "HTTP/1.0";
  keeps_connection_ = !request_.is_http_1_0;
  request_.method = line.substr(0, first);
  part_ = Part::header;
  take_target(line.substr(first + 1, last - first - 1));
}

void RequestParser::take_target(std::string_view target) {
  const bool is_visible = std::all_of(target.begin(), target.end(), [](char byte) {
    return byte > 0x20 && byte < 0x7f && byte != '#';
  });
  if (!target.starts_with('/') || !is_visible) {
    return fail(400, "the request's target is no path of visible ASCII characters");
  }
  request_.target = target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  auto path = percent_decoded(target.substr(0, mark), false);
  if (!path) return fail(400, "the request's path has a broken escape or is no UTF-8");
  request_.path = std::move(*path);
  std::string_view query = target.substr(std::min(mark + 1, target.size()));
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = percent_decoded(pair.substr(0, equals), true);
    auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return fail(400, "the request's query has a broken escape or no UTF-8");
    if (!pair.empty() && !request_.query.emplace(std::move(*name), std::move(*value)).second) {
      return fail(400, "the request's query has one name twice");
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

void RequestParser::take_header() {
  const std::string_view line = line_;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return fail(400, "a header is not NAME: VALUE on one line");
  }
  if (request_.headers.size() >= kHeaders) {
    return fail(431, fmt::format("the request has more than {} headers", kHeaders));
  }
  const std::string name = lower_case(line.substr(0, colon));
  const std::string value(without_blanks(line.substr(colon + 1)));
  take_known_header(name, value);
  request_.headers.emplace_back(name, value);
}

void RequestParser::take_known_header(const std::string& name, const std::string& value) {
  if (name == "host") {
    if (++hosts_ > 1) fail(400, "the request has two Host headers");
  } else if (name == "content-length") {
    const bool is_digits = !value.empty() && value.size() <= kLengthDigits &&
                           std::all_of(value.begin(), value.end(),
                                       [](char byte) { return byte >= '0' && byte <= '9'; });
    if (!is_digits) return fail(400, "Content-Length is not a number of plain digits");
    if (content_length_) return fail(400, "the request has two Content-Length headers");
    content_length_ = std::stoll(value);
  } else if (name == "transfer-encoding") {
    if (lower_case(value) != "chunked") return fail(501, "Transfer-Encoding is not chunked");
    if (is_chunked_) return fail(400, "the request has two Transfer-Encoding headers");
    is_chunked_ = true;
  } else if (name == "connection") {
    const std::string wish = lower_case(value);
    if (wish.find("close") != std::string::npos) keeps_connection_ = false;
    if (request_.is_http_1_0 && wish == "keep-alive") keeps_connection_ = true;
  } else if (name == "expect") {
    if (lower_case(value) != "100-continue") return fail(417, "Expect is not 100-continue");
    expects_continue_ = !request_.is_http_1_0;
  }
}

void RequestParser::end_head() {
  if (hosts_ == 0 && !request_.is_http_1_0) {
    return fail(400, "the request has no Host header");
  }
  if (is_chunked_ && content_length_) {
    return fail(400, "the request has both Content-Length and Transfer-Encoding");
  }
  if (is_chunked_ && request_.is_http_1_0) {
    return fail(400, "an HTTP/1.0 request has Transfer-Encoding");
  }
  left_ = content_length_.value_or(0);
  part_ = is_chunked_ ? Part::chunk_size : Part::sized;
  state_ = has_body() ? State::body : State::complete;
}

void RequestParser::take_chunk_size() {
  const std::string_view line = line_;
  std::size_t digits = 0;
  std::int64_t size = 0;
  while (digits < line.size() && hex_digit(line[digits]) >= 0 && digits <= kChunkSizeDigits) {
    size = 16 * size + hex_digit(line[digits++]);
  }
  const bool has_end = digits == line.size() || line[digits] == ';';
  if (digits == 0 || digits > kChunkSizeDigits || !has_end) {
    return fail(400, "the size of a chunk is not a number of plain hexadecimal digits");
  }
  left_ = size;
  part_ = size == 0 ? Part::last_line : Part::chunk;
}

std::size_t RequestParser::feed_body(std::string_view bytes) {
  if (part_ != Part::sized && part_ != Part::chunk) return feed_line(bytes);
  const std::size_t count = std::min(bytes.size(), static_cast<std::size_t>(left_));
  piece_.append(bytes.substr(0, count));
  left_ -= static_cast<std::int64_t>(count);
  body_bytes_ += static_cast<std::int64_t>(count);
  if (left_ > 0) return count;
  if (part_ == Part::chunk) {
    part_ = Part::chunk_end;
  } else {
    state_ = State::complete;
  }
  return count;
}

}  // namespace whereof::server
