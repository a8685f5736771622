// Chinese and Japanese written in columns from top to bottom, read from the right.
#ifndef WHEREOF_DOCUMENT_READERS_VERTICAL_WRITING_H_
#define WHEREOF_DOCUMENT_READERS_VERTICAL_WRITING_H_

#include "document/readers/pdf_page.h"

namespace whereof::document {

// Upright characters that follow each other downwards get the direction "down" and the places that
// belong to it, so that a column is laid out as a line. Five in a row make a column, most of them
// ideographs, set closer than the rows of a table; where most of a page is so written, all its
// ideographs are.
void turn_vertical_writing(PdfPageContent& content);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_VERTICAL_WRITING_H_
