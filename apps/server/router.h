// Which handler a request belongs to.
#ifndef WHEREOF_SERVER_ROUTER_H_
#define WHEREOF_SERVER_ROUTER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange.h"

namespace whereof::server {

// Where a handler runs. What takes over a millisecond or touches the disk is no work for the loop.
enum class RunsOn {
  loop,    // the one thread of all connections
  worker,  // one of a few threads; 503 when 256 requests wait for them
};

// Throws HttpError or whereof::Error; both are answered, as is anything else (500).
using Handler = std::function<void(const ExchangePtr&)>;

struct RouteOptions {
  RunsOn runs_on = RunsOn::worker;
  std::int64_t body_bytes = 0;  // the largest body; 0: none is taken (413)
  bool is_upload = false;       // the body goes to a file: Request::upload
  bool needs_key = true;        // where the server has one
};

constexpr std::int64_t kJsonBodyBytes = std::int64_t{1} << 20;
constexpr std::int64_t kUploadBytes = (std::int64_t{64} << 20) + (std::int64_t{64} << 10);

struct Route {
  std::string method;
  std::vector<std::string> parts;  // "v1", "files", "{id}"
  std::string pattern;             // "/v1/files/{id}", for metrics
  Handler handler;
  RouteOptions options;
};

class Router {
 public:
  // pattern: "/v1/files/{id}/events"; "{name}" is one part, "{n}.png" one with
  // this ending, and "{name...}" at the end all the others. A route added earlier wins. HEAD is
  // answered by GET's handler.
  void add(std::string_view method, std::string_view pattern, Handler handler,
           RouteOptions options = {});
  // Fills request.captured. Throws HttpError(404) or MethodError.
  const Route& find(Request& request) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_ROUTER_H_
