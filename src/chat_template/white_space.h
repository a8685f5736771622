// White space as Python's str knows it.
#ifndef WHEREOF_CHAT_TEMPLATE_WHITE_SPACE_H_
#define WHEREOF_CHAT_TEMPLATE_WHITE_SPACE_H_

#include <cstddef>
#include <string_view>

namespace whereof::chat_template {

bool is_white_space(char32_t point) noexcept;
// The first place of text, from begin on, that is no white space; its size if there is none.
std::size_t skip_white_space(std::string_view text, std::size_t begin) noexcept;
// The place after the last character that is no white space; 0 if there is none.
std::size_t end_without_white_space(std::string_view text) noexcept;

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_WHITE_SPACE_H_
