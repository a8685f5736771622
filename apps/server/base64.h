// Base64 (RFC 4648, section 4).
#ifndef WHEREOF_SERVER_BASE64_H_
#define WHEREOF_SERVER_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace whereof::server {

// Nothing for what is not exactly the encoding of some bytes: blanks, missing or wrong padding,
// bits that stand for nothing.
std::optional<std::string> decoded_base64(std::string_view text);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_BASE64_H_
