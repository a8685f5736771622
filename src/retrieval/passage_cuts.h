// Where a text that is too long for one passage is cut.
#ifndef WHEREOF_RETRIEVAL_PASSAGE_CUTS_H_
#define WHEREOF_RETRIEVAL_PASSAGE_CUTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "whereof/span.h"

namespace whereof::retrieval {

// Cuts text into spans of at most max_characters code points, ascending, disjoint, without the
// blanks around them, together covering everything but blanks. It cuts at the strongest place that
// keeps the pieces of about equal length: before one of paragraph_begins (byte offsets into text,
// ascending), at the end of a sentence, after a comma or semicolon, at a blank, and only in a text
// without any of these between two code points. max_characters >= 1. Linear time.
std::vector<Span> cut_text(std::string_view text, const std::vector<std::int64_t>& paragraph_begins,
                           std::int64_t max_characters);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_PASSAGE_CUTS_H_
