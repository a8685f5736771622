// GET /health, GET /metrics
#include "service.h"

namespace whereof::server {

void add_health_routes(Router& router, Service& service) {
  router.add(
      "GET", "/health",
      [&service](const ExchangePtr& exchange) {
        const bool is_ready = service.is_ready();
        exchange->send_json({{"status", is_ready ? "ok" : "starting"}}, is_ready ? 200 : 503);
      },
      {.runs_on = RunsOn::loop, .needs_key = false});
  router.add("GET", "/metrics", [&service](const ExchangePtr& exchange) {
    Response response;
    response.type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = service.metrics().text();
    exchange->send(std::move(response));
  });
}

}  // namespace whereof::server
