// Errors as a client sees them: a status, and the JSON that OpenAI's clients read.
#ifndef WHEREOF_SERVER_HTTP_ERROR_H_
#define WHEREOF_SERVER_HTTP_ERROR_H_

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "whereof/error.h"

namespace whereof::server {

// A refusal whose message was written for the client. Routes throw it, or whereof::Error.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, std::string code, const std::string& message, std::string param = {})
      : std::runtime_error(message),
        status_(status),
        code_(std::move(code)),
        param_(std::move(param)) {}
  int status() const noexcept { return status_; }
  const std::string& code() const noexcept { return code_; }
  const std::string& param() const noexcept { return param_; }  // the field at fault; may be empty

 private:
  int status_;
  std::string code_;
  std::string param_;
};

// 405; methods: those that the address takes, "GET, POST".
class MethodError : public HttpError {
 public:
  MethodError(std::string methods, const std::string& message)
      : HttpError(405, "method_not_allowed", message), methods_(std::move(methods)) {}
  const std::string& methods() const noexcept { return methods_; }

 private:
  std::string methods_;
};

// 429, and when to come again.
class BusyError : public HttpError {
 public:
  BusyError(std::string code, const std::string& message, std::chrono::seconds retry_after)
      : HttpError(429, std::move(code), message), retry_after_(retry_after) {}
  std::chrono::seconds retry_after() const noexcept { return retry_after_; }

 private:
  std::chrono::seconds retry_after_;
};

// The status that stands for a kind.
int status_of(ErrorKind kind) noexcept;

// "whereof: WHAT" as one line on standard error.
void log_line(std::string_view what);

// What any exception becomes. Messages of Error are passed on where they are about the client's own
// request or document; those of the machine (disk, library, a failed check) and of unknown
// exceptions become a sentence that names no path, and the whole message goes to standard error.
struct ErrorAnswer {
  int status = 500;
  nlohmann::ordered_json body;  // {"error": {"message", "type", "param", "code"}}
  std::vector<std::pair<std::string, std::string>> headers;  // Allow, Retry-After and the like
};
ErrorAnswer error_answer(const std::exception& error);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_HTTP_ERROR_H_
