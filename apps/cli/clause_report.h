// Definitions and references of a document, as text.
#ifndef WHEREOF_CLI_CLAUSE_REPORT_H_
#define WHEREOF_CLI_CLAUSE_REPORT_H_

#include <string>
#include <vector>

#include "whereof/document.h"
#include "whereof/references.h"

namespace whereof::cli {

// "3.2(a)", "preamble" for text before the first clause, "-" for text of no clause.
std::string name_of_clause(const Document& document, std::int32_t clause);

// One paragraph a term: where it is defined and used, and its words; then the undefined terms.
std::string definitions_text(const Document& document, const std::vector<Definition>& definitions,
                             const std::vector<UndefinedTerm>& undefined);
// One line a reference; then those that lead nowhere.
std::string references_text(const Document& document, const std::vector<Reference>& references);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_CLAUSE_REPORT_H_
