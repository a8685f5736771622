// Ablations and diagnoses as text.
#ifndef WHEREOF_CLI_DIAGNOSIS_REPORT_H_
#define WHEREOF_CLI_DIAGNOSIS_REPORT_H_

#include <string>

#include "whereof/diagnosis.h"

namespace whereof::cli {

// "depends on it: 8.1 nats" or "no clear fall without it: 0.2 nats".
std::string ablation_text(const AblationEffect& effect, bool is_chinese);

// The outcome as a heading, a line for each stage that the clause came to, and what to do.
std::string diagnosis_text(const ClauseDiagnosis& diagnosis);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_DIAGNOSIS_REPORT_H_
