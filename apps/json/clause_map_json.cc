#include "json/clause_map_json.h"

#include <cmath>
#include <utility>

namespace whereof::json {

using nlohmann::ordered_json;

namespace {

// A long document has thousands of shares: digits that nobody sees would be most of the answer.
ordered_json shares_json(const std::vector<double>& shares) {
  ordered_json list = ordered_json::array();
  for (const double share : shares) list.push_back(std::round(share * 1e6) / 1e6);
  return list;
}

ordered_json place_json(std::int32_t index, Span text, const Document& document) {
  const Clause& clause = index >= 0 ? document.clauses[static_cast<std::size_t>(index)] : Clause();
  return {{"clause", index},
          {"label", clause.label},
          {"heading", clause.heading},
          {"begin", text.begin},
          {"end", text.end}};
}

}  // namespace

ordered_json clause_map_json(const ClauseMap& map, const Document& document) {
  ordered_json clauses = ordered_json::array();
  for (const ClauseMap::Column& column : map.columns) {
    clauses.push_back(place_json(column.clause, column.text, document));
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

ordered_json document_map_json(const DocumentMap& map, const Document& document) {
  ordered_json units = ordered_json::array();
  for (const DocumentMap::Unit& unit : map.units) {
    ordered_json json = place_json(unit.clause, unit.text, document);
    json["tokens"] = unit.tokens;
    units.push_back(std::move(json));
  }
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < map.shares.size(); ++i) {
    rows.push_back({{"shares", shares_json(map.shares[i])}, {"lifts", shares_json(map.lifts[i])}});
  }
  return {{"units", std::move(units)}, {"rows", std::move(rows)}, {"tokens_read", map.tokens_read}};
}

}  // namespace whereof::json
