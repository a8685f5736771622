// Clauses, definitions and references of a document as JSON.
#ifndef WHEREOF_JSON_CLAUSE_JSON_H_
#define WHEREOF_JSON_CLAUSE_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "whereof/document.h"
#include "whereof/references.h"

namespace whereof::json {

const char* name_of(ClauseKind kind) noexcept;
const char* name_of(ReferenceKind kind) noexcept;

// "3.2(a)", "preamble" for text before the first clause, "-" for text of no clause. As the document
// has it: what shows it to a terminal makes it safe before.
std::string clause_name(const Document& document, std::int32_t clause);
// The page's label; empty for documents without pages.
std::string page_label(const Document& document, std::int32_t page);

// The document's name and sizes, and its clauses.
nlohmann::ordered_json tree_json(const Document& document);

nlohmann::ordered_json definitions_json(const Document& document,
                                        const std::vector<Definition>& definitions);
nlohmann::ordered_json undefined_json(const Document& document,
                                      const std::vector<UndefinedTerm>& undefined);
nlohmann::ordered_json references_json(const Document& document,
                                       const std::vector<Reference>& references);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_CLAUSE_JSON_H_
