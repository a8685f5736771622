// The terms that a model lists.
#ifndef WHEREOF_ANSWERING_TERMS_OF_REPLY_H_
#define WHEREOF_ANSWERING_TERMS_OF_REPLY_H_

#include <string>
#include <string_view>
#include <vector>

namespace whereof::answering {

// The pieces between commas, semicolons, stops and line ends of either language, trimmed, each
// once, at most 16; pieces of more than 48 bytes are passed over. With is_cut, the last piece may
// have lost its end and is left out, unless it is the only one. Linear time.
std::vector<std::string> terms_of_reply(std::string_view reply, bool is_cut);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_TERMS_OF_REPLY_H_
