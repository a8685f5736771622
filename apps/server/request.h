// One request, whole.
#ifndef WHEREOF_SERVER_REQUEST_H_
#define WHEREOF_SERVER_REQUEST_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "owned_descriptor.h"

namespace whereof::server {

struct Request {
  std::string method;  // "GET"
  std::string target;  // as sent: "/v1/files/file-1?limit=2"
  std::string path;    // without the query, "%41" decoded; never holds a zero byte
  std::map<std::string, std::string, std::less<>> query;     // decoded; each name once
  std::map<std::string, std::string, std::less<>> captured;  // of the route's "{name}"s
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, as sent
  std::string peer;                                          // the client's address, without a port
  bool is_http_1_0 = false;
  std::string body;
  OwnedDescriptor upload;  // a large body of an upload instead: a file without a name
  std::int64_t upload_bytes = 0;

  // The value of a header that was sent once, its name in lower case; nothing where it was not.
  std::optional<std::string_view> header(std::string_view name) const;
  const std::string& capture(std::string_view name) const;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_REQUEST_H_
