// Numbers as they are written in English and Chinese text, digits and words.
#ifndef WHEREOF_TEXT_NUMBER_WORDS_H_
#define WHEREOF_TEXT_NUMBER_WORDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace whereof::text {

struct WrittenNumber {
  double value = 0;
  std::size_t bytes = 0;  // 0: none
  std::string digits;     // of more than 15 digits
  bool is_plain = false;  // digits without a comma, point or word
  bool is_label = false;  // "3.2.1": the number of a place, not of things
  std::size_t characters = 0;
};

// The number that begins exactly at text[at]: "5,000.00", "1.5 million", "twenty-five",
// "one hundred and twenty thousand", 一百二十, 伍佰万, 二〇二〇, 500万, 1.5亿, 二点五. Looks at
// what it takes and a bounded number of bytes behind.
WrittenNumber number_at(std::string_view text, std::size_t at);

// The lower-case ASCII word at a place, at most so long; empty where none begins there.
std::string lower_word_at(std::string_view text, std::size_t at);

// The bytes of blanks at a place, one line end at most.
std::size_t blanks_at(std::string_view text, std::size_t at);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_NUMBER_WORDS_H_
