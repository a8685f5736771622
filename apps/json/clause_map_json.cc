#include "json/clause_map_json.h"

#include <cmath>

namespace whereof::json {

using nlohmann::ordered_json;

namespace {

// A long document has thousands of shares: digits that nobody sees would be most of the answer.
ordered_json shares_json(const std::vector<double>& shares) {
  ordered_json list = ordered_json::array();
  for (const double share : shares) list.push_back(std::round(share * 1e6) / 1e6);
  return list;
}

}  // namespace

ordered_json clause_map_json(const ClauseMap& map, const Document& document) {
  ordered_json clauses = ordered_json::array();
  for (const ClauseMap::Column& column : map.columns) {
    const bool has_clause = column.clause >= 0;
    const Clause& clause =
        has_clause ? document.clauses[static_cast<std::size_t>(column.clause)] : Clause();
    clauses.push_back({{"clause", column.clause},
                       {"label", clause.label},
                       {"heading", clause.heading},
                       {"begin", column.text.begin},
                       {"end", column.text.end}});
  }
  ordered_json rows = ordered_json::array();
  for (const ClauseMap::Row& row : map.rows) {
    rows.push_back({{"name", row.name}, {"shares", shares_json(row.shares)}});
  }
  ordered_json layers = ordered_json::array();
  for (const ClauseMap::Layer& layer : map.layers) {
    layers.push_back({{"layer", layers.size()},
                      {"entropy", layer.entropy_share},
                      {"sink_mass", layer.sink_mass},
                      {"shares", shares_json(layer.shares)}});
  }
  return {{"clauses", clauses}, {"rows", rows}, {"layers", layers}};
}

}  // namespace whereof::json
