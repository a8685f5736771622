// The tables of a page as lines among its other lines.
#ifndef WHEREOF_DOCUMENT_READERS_TABLE_ROWS_H_
#define WHEREOF_DOCUMENT_READERS_TABLE_ROWS_H_

#include <vector>

#include "document/readers/page_layout.h"
#include "document/readers/ruled_tables.h"

namespace whereof::document {

// One line of LineKind::table of a row's cells, each of which has a line at least.
LayoutLine row_of_cells(const std::vector<std::vector<LayoutLine>>& cells);

// A row becomes one line of LineKind::table, "cell | cell", each cell read to its end before the
// next. Where cells hold whole clauses (two languages side by side, numbers in a narrow first
// column) they are body lines instead, one cell after the other, a short first cell in front of the
// next one's first line. A table stands before the first line of its width that lies lower.
void insert_tables(const std::vector<RuledTable>& tables, std::vector<LayoutLine>& lines);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_TABLE_ROWS_H_
