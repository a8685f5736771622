// Contents pages: lines that only point to clauses, so that they are not taken for them.
#ifndef WHEREOF_DOCUMENT_READERS_CONTENTS_LINES_H_
#define WHEREOF_DOCUMENT_READERS_CONTENTS_LINES_H_

#include <string_view>
#include <vector>

#include "whereof/document.h"

namespace whereof::document {

// An entry is a line with dot leaders before a page number at its end, or, under a heading such as
// "Table of Contents" or 目录, with a wide gap there. Three entries or more, at most two other
// lines (wrapped titles) apart, are a contents list; with it go its heading, and what stands under
// it on the same page as long as it only names schedules and the like. Sets LineKind::contents.
//
// wide_gap[i]: line i has a gap of more than three characters before its last word, which the text
// does not show; empty when no line has.
void mark_contents(Document& document, const std::vector<bool>& wide_gap);

// "Table of Contents", "CONTENTS", "目　录".
bool is_contents_heading(std::string_view line);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_CONTENTS_LINES_H_
