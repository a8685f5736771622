// Ablations and diagnoses as text and JSON.
#ifndef WHEREOF_CLI_DIAGNOSIS_REPORT_H_
#define WHEREOF_CLI_DIAGNOSIS_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "whereof/diagnosis.h"

namespace whereof::cli {

// "depends on it: 8.1 nats" or "no clear fall without it: 0.2 nats".
std::string ablation_text(const AblationEffect& effect, bool is_chinese);
nlohmann::ordered_json ablation_json(const AblationEffect& effect);

// The outcome as a heading, a line for each stage that the clause came to, and what to do.
std::string diagnosis_text(const ClauseDiagnosis& diagnosis);
nlohmann::ordered_json diagnosis_json(const ClauseDiagnosis& diagnosis);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_DIAGNOSIS_REPORT_H_
