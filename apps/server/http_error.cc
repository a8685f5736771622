#include "http_error.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <string_view>

namespace whereof::server {
namespace {

using nlohmann::ordered_json;

std::string_view type_of(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 429:
      return "rate_limit_error";
    default:
      return status < 500 ? "invalid_request_error" : "server_error";
  }
}

ErrorAnswer answer_of(int status, std::string_view message, std::string_view code,
                      std::string_view param = {}) {
  ordered_json error = {{"message", message}, {"type", type_of(status)}};
  error["param"] = param.empty() ? ordered_json(nullptr) : ordered_json(param);
  error["code"] = code;
  return {status, {{"error", error}}, {}};
}

// What the client is told of a fault of the machine; its own words may name paths.
std::string_view told_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::out_of_space:
      return "the server's disk is full";
    case ErrorKind::corrupt_library:
      return "the server's library is damaged; its log says more";
    case ErrorKind::bad_model:
      return "the server's model file cannot be used; its log says more";
    case ErrorKind::failed_check:
      return "the server found its own result unsound; its log says more";
    case ErrorKind::input_output:
      return "the server could not read or write its files; its log says more";
    default:
      return {};
  }
}

ErrorAnswer answer_of(const Error& error) {
  const int status = status_of(error.kind());
  const std::string_view told = told_of(error.kind());
  if (told.empty()) {
    const bool is_over_window = error.kind() == ErrorKind::over_window;
    return answer_of(status, error.what(),
                     is_over_window ? "context_length_exceeded" : name_of(error.kind()));
  }
  log_line(error.what());
  return answer_of(status, told, name_of(error.kind()));
}

}  // namespace

void log_line(std::string_view what) {
  std::string line;
  for (const char byte : what) line += static_cast<unsigned char>(byte) < 0x20 ? ' ' : byte;
  fmt::print(stderr, "whereof: {}\n", line);
}

int status_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
    case ErrorKind::over_window:
      return 400;
    case ErrorKind::not_found:
    case ErrorKind::no_model:
      return 404;
    case ErrorKind::bad_document:
    case ErrorKind::unsupported:
      return 422;
    case ErrorKind::out_of_memory:
    case ErrorKind::cancelled:
      return 503;
    case ErrorKind::out_of_space:
      return 507;
    case ErrorKind::bad_model:
    case ErrorKind::input_output:
    case ErrorKind::corrupt_library:
    case ErrorKind::failed_check:
      return 500;
  }
  return 500;
}

ErrorAnswer error_answer(const std::exception& error) {
  if (const auto* method = dynamic_cast<const MethodError*>(&error)) {
    ErrorAnswer answer = answer_of(method->status(), method->what(), method->code());
    answer.headers.emplace_back("Allow", method->methods());
    return answer;
  }
  if (const auto* http = dynamic_cast<const HttpError*>(&error)) {
    ErrorAnswer answer = answer_of(http->status(), http->what(), http->code(), http->param());
    if (http->status() == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (const auto* busy = dynamic_cast<const BusyError*>(http)) {
      answer.headers.emplace_back("Retry-After", std::to_string(busy->retry_after().count()));
    }
    return answer;
  }
  if (const auto* own = dynamic_cast<const Error*>(&error)) return answer_of(*own);
  log_line(error.what());
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return answer_of(503, "the server has no memory for this", "out_of_memory");
  }
  return answer_of(500, "the server failed; its log says more", "internal_error");
}

}  // namespace whereof::server
