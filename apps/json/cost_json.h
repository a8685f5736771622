// What reading costs, as JSON.
#ifndef WHEREOF_JSON_COST_JSON_H_
#define WHEREOF_JSON_COST_JSON_H_

#include <nlohmann/json.hpp>

#include "whereof/budget.h"

namespace whereof::json {

nlohmann::ordered_json cost_json(const Cost& cost);
nlohmann::ordered_json strategies_json(const StrategyComparison& comparison,
                                       const QuestionLoad& load);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_COST_JSON_H_
