// UTF-8 of requests: whether it is, and what escapes stand for.
#ifndef WHEREOF_SERVER_UTF8_H_
#define WHEREOF_SERVER_UTF8_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace whereof::server {

// Bytes of the well-formed character that a text begins with (not empty); 0 where it is none.
std::size_t character_bytes(std::string_view text);
bool is_utf8(std::string_view text);

// Value of a hexadecimal digit; -1 for what is none.
int hex_digit(char byte);

// "%41" and, in queries, "+": std::nullopt for a broken escape, a zero byte or what is no UTF-8.
std::optional<std::string> percent_decoded(std::string_view text, bool is_query);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_UTF8_H_
