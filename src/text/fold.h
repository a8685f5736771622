// One spelling for words that differ in case, accents, width or ligatures only.
#ifndef WHEREOF_TEXT_FOLD_H_
#define WHEREOF_TEXT_FOLD_H_

#include <string>
#include <string_view>

namespace whereof::text {

// NFKD, marks removed, case folded (Unicode 15 by ICU): "Élan" and "ELAN" give "elan", "ﬁ" gives
// "fi", "３" gives "3". Chinese characters stay. Invalid bytes become U+FFFD. Any thread.
// Throws Error(out_of_memory) when ICU cannot work.
std::string fold(std::string_view text);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_FOLD_H_
