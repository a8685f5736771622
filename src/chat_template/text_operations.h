// What Python's str does, on text that keeps its marks. All of it is charged to the memory.
#ifndef WHEREOF_CHAT_TEMPLATE_TEXT_OPERATIONS_H_
#define WHEREOF_CHAT_TEMPLATE_TEXT_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "chat_template/value.h"

namespace whereof::chat_template {

enum class Side { both, left, right };

// Without the characters (white space if none are given) at its ends.
Value stripped(Memory& memory, const MarkedText& text, Side side,
               const std::optional<MarkedText>& characters);

// Parts between separators, or between white space, which then begins and ends none. At most
// max_splits from the left or the right; all if negative.
std::vector<Value> split(Memory& memory, const MarkedText& text,
                         const std::optional<MarkedText>& separator, std::int64_t max_splits,
                         bool is_from_right);
std::vector<Value> split_lines(Memory& memory, const MarkedText& text, bool keeps_ends);

// At most max_count replacements; all if negative.
Value replaced(Memory& memory, const MarkedText& text, const MarkedText& from, const MarkedText& to,
               std::int64_t max_count);

enum class LetterCase { upper, lower };
Value in_case(Memory& memory, const MarkedText& text, LetterCase letter_case);
Value capitalised(Memory& memory, const MarkedText& text);
// str.title: every letter after one that has no case begins a word.
Value titled(Memory& memory, const MarkedText& text);
// Jinja's filter: words begin after white space and opening brackets.
Value titled_by_blanks(Memory& memory, const MarkedText& text);

bool is_upper(const MarkedText& text) noexcept;
bool is_lower(const MarkedText& text) noexcept;

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_TEXT_OPERATIONS_H_
