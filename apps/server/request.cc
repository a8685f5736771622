#include "request.h"

#include <stdexcept>

namespace whereof::server {

std::optional<std::string_view> Request::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [own_name, value] : headers) {
    if (own_name != name) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

const std::string& Request::capture(std::string_view name) const {
  const auto found = captured.find(name);
  if (found == captured.end()) {
    throw std::logic_error("the route has no part named " + std::string(name));
  }
  return found->second;
}

}  // namespace whereof::server
