// An answer as a program reads it: docs/answer.schema.json.
#ifndef WHEREOF_JSON_ANSWER_JSON_H_
#define WHEREOF_JSON_ANSWER_JSON_H_

#include <nlohmann/json.hpp>

#include "whereof/answer.h"

namespace whereof::json {

// Of the route, without the passages.
nlohmann::ordered_json plan_json(const RoutePlan& plan);
// "passages" of a plan: what is read of the document and why.
nlohmann::ordered_json chosen_json(const std::vector<ChosenPassage>& chosen,
                                   const Document& document);
nlohmann::ordered_json alarms_json(std::span<const Alarm> alarms);

nlohmann::ordered_json answer_json(const Answer& answer, const Document& document,
                                   const Model& model);
// Citations name their documents; what was read of each stands with it.
nlohmann::ordered_json library_answer_json(const LibraryAnswer& result, const Model& model);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_ANSWER_JSON_H_
