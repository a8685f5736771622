// The page: index.html at /, its other files below /app/.
#include "http_error.h"
#include "page_files.h"
#include "service.h"

namespace whereof::server {
namespace {

// Nothing that a document or a model says can cause a request to anywhere else.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void send_file(const ExchangePtr& exchange, const PageFile& file) {
  Response response;
  response.type = file.type;
  response.headers = {{"Content-Security-Policy", kContentPolicy},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cache-Control", "no-cache"},  // kept, but asked about by its tag
                      {"ETag", std::string(file.tag)}};
  if (exchange->request().header("if-none-match") == file.tag) {
    response.status = 304;
  } else {
    response.body = file.bytes;
  }
  exchange->send(std::move(response));
}

void send_named(const ExchangePtr& exchange, std::string_view name) {
  for (const PageFile& file : page_files()) {
    if (file.name == name) return send_file(exchange, file);
  }
  throw HttpError(404, "unknown_url", "the page has no such file");
}

}  // namespace

void add_page_routes(Router& router) {
  const RouteOptions open = {.runs_on = RunsOn::loop, .needs_key = false};
  router.add(
      "GET", "/", [](const ExchangePtr& exchange) { send_named(exchange, "index.html"); }, open);
  router.add(
      "GET", "/app/{name...}",
      [](const ExchangePtr& exchange) {
        send_named(exchange, exchange->request().capture("name"));
      },
      open);
}

}  // namespace whereof::server
