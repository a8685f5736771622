#include "router.h"

#include <algorithm>

#include "http_error.h"

namespace whereof::server {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  path.remove_prefix(std::min<std::size_t>(1, path.size()));
  for (;;) {
    const std::size_t slash = path.find('/');
    parts.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

bool matches(const Route& route, const std::vector<std::string>& parts, Request& request) {
  request.captured.clear();
  for (std::size_t i = 0; i < route.parts.size(); ++i) {
    const std::string_view pattern = route.parts[i];
    if (i >= parts.size()) return false;
    if (pattern.ends_with("...}")) {
      std::string rest = parts[i];
      for (std::size_t j = i + 1; j < parts.size(); ++j) rest += "/" + parts[j];
      request.captured.emplace(pattern.substr(1, pattern.size() - 5), std::move(rest));
      return true;
    }
    // "{n}.png" captures what stands before the ending.
    const std::size_t end = pattern.starts_with('{') ? pattern.find('}') : std::string_view::npos;
    if (end == std::string_view::npos) {
      if (parts[i] != pattern) return false;
      continue;
    }
    const std::string_view ending = pattern.substr(end + 1);
    if (!parts[i].ends_with(ending) || parts[i].size() == ending.size()) return false;
    request.captured.emplace(pattern.substr(1, end - 1),
                             parts[i].substr(0, parts[i].size() - ending.size()));
  }
  return parts.size() == route.parts.size();
}

}  // namespace

void Router::add(std::string_view method, std::string_view pattern, Handler handler,
                 RouteOptions options) {
  routes_.push_back(
      {std::string(method), parts_of(pattern), std::string(pattern), std::move(handler), options});
}

const Route& Router::find(Request& request) const {
  const std::vector<std::string> parts = parts_of(request.path);
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string methods;
  for (const Route& route : routes_) {
    if (!matches(route, parts, request)) continue;
    if (route.method == method) return route;
    if (methods.find(route.method) == std::string::npos) {
      methods += (methods.empty() ? "" : ", ") + route.method;
    }
  }
  request.captured.clear();
  if (methods.empty()) {
    throw HttpError(404, "unknown_url", "there is no such address: " + request.path);
  }
  throw MethodError(
      methods, request.method + " is not taken at " + request.path + ", but " + methods + " is");
}

}  // namespace whereof::server
