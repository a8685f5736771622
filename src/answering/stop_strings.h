// Where a text that grows comes to one of some strings.
#ifndef WHEREOF_ANSWERING_STOP_STRINGS_H_
#define WHEREOF_ANSWERING_STOP_STRINGS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::answering {

// Knuth, Morris and Pratt's automaton for each string: time O(1) a byte and string, whatever the
// text and the strings are.
class StopStrings {
 public:
  // Throws Error(invalid_argument) for an empty string.
  explicit StopStrings(std::span<const std::string> stops);

  // Goes on with these bytes. True as soon as one of the strings has come to its end; of several
  // that end at the same byte the longest counts. No further call then.
  bool append(std::string_view bytes);
  // How many first bytes of all that was appended are certain to be text: those before the string
  // that was found, else those that no string can begin before.
  std::size_t certain_bytes() const noexcept { return certain_; }

 private:
  struct Automaton {
    std::string_view text;
    std::vector<std::size_t> fallback;  // [i]: longest proper prefix that ends text[0 .. i]
    std::size_t matched = 0;            // bytes of the string that the text so far ends in
    std::size_t step(char byte) noexcept;
  };
  std::vector<Automaton> automata_;  // views of the given strings
  std::size_t bytes_ = 0;
  std::size_t certain_ = 0;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_STOP_STRINGS_H_
