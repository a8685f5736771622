// Tables that are set without rules: cells with white between them, one below the other.
//
// White wider than a gap between words parts a line into cells; where the gaps of at least three
// lines that follow each other have a strip of white in common, the strip is a gutter and the lines
// are rows. A line that stands between two gutters goes on with the cell above it. No table are:
//  - rows that begin with a clause's number ("(a)", "1.1"), and contents pages, whose last column
//    counts up;
//  - long cells, and columns that fill their width: text in columns, terms with their meaning;
//  - blocks for signatures and forms ("Name:", "____").
#ifndef WHEREOF_DOCUMENT_READERS_ALIGNED_TABLES_H_
#define WHEREOF_DOCUMENT_READERS_ALIGNED_TABLES_H_

#include <vector>

#include "document/readers/page_layout.h"

namespace whereof::document {

// Puts one line of LineKind::table, "cell | cell", in the place of each row of such a table. Time
// is linear in the characters.
void join_aligned_rows(std::vector<LayoutLine>& lines);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_ALIGNED_TABLES_H_
