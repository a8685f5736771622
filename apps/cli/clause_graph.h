// A picture of which clause refers to which, as SVG.
#ifndef WHEREOF_CLI_CLAUSE_GRAPH_H_
#define WHEREOF_CLI_CLAUSE_GRAPH_H_

#include <string>
#include <vector>

#include "whereof/document.h"
#include "whereof/references.h"

namespace whereof::cli {

// Clauses stand below one another in the document's order, each reference is an arc from the clause
// that speaks to the one it names: on the right where it points down, on the left where it points
// up; the more references, the wider. Rows are clauses of the deepest level of the tree that gives
// no more than 80 of them; what lies deeper counts for the row above it.
std::string clause_graph(const Document& document, const std::vector<Reference>& references);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_CLAUSE_GRAPH_H_
