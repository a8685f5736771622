// The service, from its options to its end.
#ifndef WHEREOF_SERVER_SERVE_H_
#define WHEREOF_SERVER_SERVE_H_

#include <functional>
#include <stop_token>
#include <string>

#include "service.h"

namespace whereof::server {

// Answers until stop is requested, then ends what runs (docs/service.md tells within what time).
// on_listening is called once, with "http://127.0.0.1:8717", before the first request is taken.
// Throws Error: invalid_argument (an address that needs a key without one, that is in use, or is
// not of this machine); what Service throws.
void serve(ServiceOptions options, std::stop_token stop,
           const std::function<void(const std::string& url)>& on_listening);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_SERVE_H_
