// The words of a text, in any script.
#ifndef WHEREOF_TEXT_WORDS_H_
#define WHEREOF_TEXT_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "whereof/span.h"

namespace whereof::text {

enum class WordKind : std::uint8_t {
  letters,    // a run of letters, marks and digits that begins with a letter: "party's" is "party"
  number,     // begins with a digit: "12", "10,000", "1.5", "3.2", "10b"
  label,      // a number with bracketed parts: "3.2(a)", "12(b)(iv)"
  ideograph,  // one character of a script written without blanks: 甲, か
  chinese_label  // 第三条, 第3.2条, 第十二章: 第, a number, a word for a unit
};

struct Word {
  Span bytes;
  WordKind kind = WordKind::letters;
};

// Steps through a text once, in linear time, without allocating. Bytes need not be valid UTF-8.
class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) {}

  // The next word; false at the end. A chinese_label is given before the ideographs inside it, so
  // that both can be found.
  bool next(Word& word);

 private:
  bool scan_letters(Word& word);
  bool scan_number(Word& word);
  std::size_t end_of_alphanumerics(std::size_t at) const;
  std::size_t end_of_brackets(std::size_t at) const;
  std::size_t end_of_chinese_label(std::size_t at) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t labelled_to_ = 0;  // a chinese_label that ends here has been given
};

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_WORDS_H_
