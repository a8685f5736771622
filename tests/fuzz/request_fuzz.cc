// Any bytes as requests of one connection, and their bodies as forms and as JSON: a request, or a
// refusal that has a status; the same in pieces of any size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http_error.h"
#include "server/json_fields.h"
#include "server/multipart.h"
#include "server/request_parser.h"

namespace {

using namespace whereof::server;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  RequestParser::State state = RequestParser::State::head;
  std::string body;
  int status = 0;
  bool operator==(const Outcome&) const = default;
};

bool is_open(const RequestParser& parser) {
  return parser.state() == RequestParser::State::head ||
         parser.state() == RequestParser::State::body;
}

// Feeds one request; rest keeps what follows it.
Outcome feed(std::string_view& rest, std::size_t piece, RequestParser& parser) {
  Outcome outcome;
  while (!rest.empty() && is_open(parser)) {
    const std::size_t taken = parser.feed(rest.substr(0, piece));
    require(taken > 0 && taken <= rest.size());
    rest.remove_prefix(taken);
    outcome.body += parser.body_piece();
  }
  outcome.state = parser.state();
  outcome.status = parser.failure_status();
  return outcome;
}

void check_body(const Request& request, const std::string& body) {
  const std::string type(request.header("content-type").value_or(""));
  try {
    for (const FormPart& part : form_parts(type, body)) {
      require(part.content.empty() ||
              (part.content.data() >= body.data() &&
               part.content.data() + part.content.size() <= body.data() + body.size()));
      const std::string name = safe_file_name(part.file_name.value_or(""));
      require(!name.empty() && name.size() <= 200 && name.find('/') == std::string::npos);
    }
  } catch (const HttpError& error) {
    require(error.status() == 400 || error.status() == 415);
  }
  Request json;
  json.body = body;
  json.headers = {{"content-type", "application/json"}};
  try {
    require(parse_body(json).is_object());
  } catch (const HttpError& error) {
    require(error.status() == 400);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    std::string_view again = rest;
    RequestParser whole, pieces;
    const Outcome outcome = feed(rest, rest.size(), whole);
    require(feed(again, 3, pieces) == outcome);
    if (outcome.state != RequestParser::State::complete) {
      require(is_open(whole) || outcome.status >= 400);
      return 0;
    }
    require(again.size() == rest.size());
    check_body(whole.request(), outcome.body);
  }
  return 0;
}
