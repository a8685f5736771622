// Maps of clauses as JSON; shares to six decimals.
#ifndef WHEREOF_JSON_CLAUSE_MAP_JSON_H_
#define WHEREOF_JSON_CLAUSE_MAP_JSON_H_

#include <nlohmann/json.hpp>

#include "whereof/clause_map.h"
#include "whereof/document_map.h"

namespace whereof::json {

// {"clauses": [{"clause", "label", "heading", "begin", "end"}], "rows": [{"name", "shares"}],
// "layers": [{"layer", "entropy", "sink_mass", "shares"}]}
nlohmann::ordered_json clause_map_json(const ClauseMap& map, const Document& document);

// {"units": [{"clause", "label", "heading", "begin", "end", "tokens"}], "rows": [{"shares",
// "lifts"}], "tokens_read"}: of each unit one figure for every unit before it.
nlohmann::ordered_json document_map_json(const DocumentMap& map, const Document& document);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_CLAUSE_MAP_JSON_H_
