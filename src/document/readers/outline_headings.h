// The lines that a PDF's outline names are headings.
#ifndef WHEREOF_DOCUMENT_READERS_OUTLINE_HEADINGS_H_
#define WHEREOF_DOCUMENT_READERS_OUTLINE_HEADINGS_H_

#include <vector>

#include "document/readers/page_furniture.h"
#include "document/readers/pdf_file.h"

namespace whereof::document {

// For each entry, the line of its page that says the same (letters and digits compared, in lower
// case; a title may go on over further lines, and the line may have a number that the title lacks)
// gets the entry's level. Of several, the largest is taken: a running title repeats the heading in
// small letters. Lines so marked are never headers or footers; call before mark_furniture. What the
// page does not show is not added: an outline may be of another version of the text.
void mark_outline(const std::vector<OutlineEntry>& outline, std::vector<LaidOutPage>& pages);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_OUTLINE_HEADINGS_H_
