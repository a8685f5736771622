// SHA-256 of bytes, as 64 lower-case hexadecimal digits (FIPS 180-4, by OpenSSL's libcrypto).
#ifndef WHEREOF_TEXT_SHA256_H_
#define WHEREOF_TEXT_SHA256_H_

#include <string>
#include <string_view>

namespace whereof::text {

// Any thread. Throws Error(out_of_memory) when libcrypto cannot work.
std::string sha256_hex(std::string_view bytes);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_SHA256_H_
