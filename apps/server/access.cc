#include "access.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>

#include "http_error.h"

namespace whereof::server {
namespace {

bool is_ipv4(const std::string& text) {
  in_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

bool holds(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Every byte of the given text is looked at, whatever differs first.
bool are_equal(std::string_view key, std::string_view given) {
  unsigned difference = key.size() == given.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(key[i % key.size()]) ^
                                        static_cast<unsigned char>(given[i]));
  }
  return difference == 0;
}

std::size_t count_of(const Request& request, std::string_view name) {
  return static_cast<std::size_t>(std::count_if(request.headers.begin(), request.headers.end(),
                                                [&](const auto& h) { return h.first == name; }));
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) && origin.substr(scheme.size()) == host) return true;
  }
  return false;
}

}  // namespace

bool is_loopback(std::string_view host) {
  const std::string name(host);
  return name == "localhost" || name == "::1" || (is_ipv4(name) && name.starts_with("127."));
}

std::string host_name(std::string_view header) {
  std::string name;
  std::string_view port;
  if (header.starts_with('[')) {
    const std::size_t end = header.find(']');
    if (end == std::string_view::npos) return {};
    name = header.substr(1, end - 1);
    port = header.substr(end + 1);
    if (!is_ipv6(name)) return {};
  } else {
    const std::size_t colon = std::min(header.find(':'), header.size());
    name = header.substr(0, colon);
    port = header.substr(colon);
  }
  const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
  if (!port.empty() &&
      (port[0] != ':' || port.size() > 6 || !std::all_of(port.begin() + 1, port.end(), is_digit))) {
    return {};
  }
  for (char& byte : name) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  return name;
}

void Access::check_source(const Request& request, std::string_view local_address) const {
  const std::string_view host = request.header("host").value_or("");
  const std::string name = host_name(host);
  const bool is_known = !name.empty() && (is_loopback(name) || name == local_address ||
                                          holds(rules_.allowed_hosts, name));
  // A client of HTTP/1.0 without Host is no browser, so no page can have sent it here.
  if (!is_known && !(request.is_http_1_0 && count_of(request, "host") == 0)) {
    throw HttpError(403, "foreign_host",
                    "this server does not answer under the name of the Host header; "
                    "--allow-host adds one");
  }
  const std::size_t origins = count_of(request, "origin");
  if (origins == 0) return;
  const std::string_view origin = request.header("origin").value_or("");
  if (is_same_origin(origin, host) || holds(rules_.allowed_origins, origin)) return;
  throw HttpError(403, "foreign_origin",
                  "pages of another site may not call this server; --allow-origin lets one in");
}

void Access::check_key(const Request& request) const {
  if (rules_.key.empty()) return;
  const std::string_view header = request.header("authorization").value_or("");
  const std::size_t blank = std::min(header.find(' '), header.size());
  std::string scheme(header.substr(0, blank));
  for (char& byte : scheme) byte = static_cast<char>(byte | 0x20);
  const std::string_view given = header.substr(std::min(blank + 1, header.size()));
  if (scheme == "bearer" && are_equal(rules_.key, given)) return;
  throw HttpError(401, "invalid_api_key", "this server wants its key: Authorization: Bearer KEY");
}

std::string Access::foreign_origin(const Request& request) const {
  const std::string origin(request.header("origin").value_or(""));
  return holds(rules_.allowed_origins, origin) ? origin : std::string();
}

}  // namespace whereof::server
