// Page numbers and running titles in text files that were made from paged documents.
#ifndef WHEREOF_DOCUMENT_READERS_PLAIN_FURNITURE_H_
#define WHEREOF_DOCUMENT_READERS_PLAIN_FURNITURE_H_

#include <vector>

#include "whereof/document.h"

namespace whereof::document {

// Only what cannot be a clause's: a line of its own between blank lines that says "Page 3" or
// "3 of 52"; lone numbers that count up by one, at least three of them, none near the next; and
// the same line (but for digits) on at least three such pages, next to a page number or a page's
// end, or beginning with "Source:" as exhibits of EDGAR do.
// after_blank[i]: a blank line or the file's start stands before line i.
void mark_plain_furniture(Document& document, const std::vector<bool>& after_blank);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PLAIN_FURNITURE_H_
