// Sentence ends in English and Chinese text.
#ifndef WHEREOF_TEXT_SENTENCES_H_
#define WHEREOF_TEXT_SENTENCES_H_

#include <string_view>
#include <vector>

#include "whereof/span.h"

namespace whereof::text {

// Spans of the sentences of text: ascending, disjoint, without the blanks around them, together
// covering everything but blanks. A sentence ends after . ! ? that blanks follow (not after an
// abbreviation such as "Inc." or "No.", an initial, or a number that begins a line), after 。！？
// and ；, and at an empty line. Closing quotes and brackets stay with their sentence. Linear time.
std::vector<Span> sentences(std::string_view text);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_SENTENCES_H_
