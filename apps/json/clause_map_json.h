// A map of clauses as JSON.
#ifndef WHEREOF_JSON_CLAUSE_MAP_JSON_H_
#define WHEREOF_JSON_CLAUSE_MAP_JSON_H_

#include <nlohmann/json.hpp>

#include "whereof/clause_map.h"

namespace whereof::json {

// {"clauses": [{"clause", "label", "heading", "begin", "end"}], "rows": [{"name", "shares"}],
// "layers": [{"layer", "entropy", "sink_mass", "shares"}]}; shares to six decimals.
nlohmann::ordered_json clause_map_json(const ClauseMap& map, const Document& document);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_CLAUSE_MAP_JSON_H_
