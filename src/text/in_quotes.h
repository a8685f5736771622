// Untrusted text inside messages.
#ifndef WHEREOF_TEXT_IN_QUOTES_H_
#define WHEREOF_TEXT_IN_QUOTES_H_

#include <string>
#include <string_view>

namespace whereof::text {

// In quotation marks, shortened, with everything but printable ASCII as \xNN: for messages, which
// stay one line whatever a hostile file holds.
std::string in_quotes(std::string_view text);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_IN_QUOTES_H_
