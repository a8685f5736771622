// Who may talk to the server: names it answers to, pages that may call it, the key.
#ifndef WHEREOF_SERVER_ACCESS_H_
#define WHEREOF_SERVER_ACCESS_H_

#include <string>
#include <string_view>
#include <vector>

#include "request.h"

namespace whereof::server {

struct AccessRules {
  std::string key;                           // empty: none is asked for
  std::vector<std::string> allowed_hosts;    // names, without a port
  std::vector<std::string> allowed_origins;  // "https://intranet.example"
};

// Any thread.
class Access {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}

  // Throws HttpError(403) for a Host that is neither a loopback name, local_address (where the
  // connection came in) nor allowed, and for an Origin that is neither this server under that Host
  // nor allowed: pages of other sites, and names that an attacker's DNS points here, get nothing.
  void check_source(const Request& request, std::string_view local_address) const;
  // Throws HttpError(401) unless the request holds the key. Its time tells nothing of the key.
  void check_key(const Request& request) const;
  // The Origin of a request that check_source let in from another site; empty for all others.
  std::string foreign_origin(const Request& request) const;

 private:
  AccessRules rules_;
};

// "127.0.0.1", "127.1.2.3", "::1", "localhost".
bool is_loopback(std::string_view host);
// A Host header's name in lower case, without port and brackets; empty where it is no host.
std::string host_name(std::string_view header);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_ACCESS_H_
