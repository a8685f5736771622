// Ablations and diagnoses as JSON.
#ifndef WHEREOF_JSON_DIAGNOSIS_JSON_H_
#define WHEREOF_JSON_DIAGNOSIS_JSON_H_

#include <nlohmann/json.hpp>

#include "whereof/diagnosis.h"

namespace whereof::json {

nlohmann::ordered_json ablation_json(const AblationEffect& effect);
nlohmann::ordered_json diagnosis_json(const ClauseDiagnosis& diagnosis);

}  // namespace whereof::json

#endif  // WHEREOF_JSON_DIAGNOSIS_JSON_H_
