// A plan as text and a picture.
#ifndef WHEREOF_CLI_PLAN_REPORT_H_
#define WHEREOF_CLI_PLAN_REPORT_H_

#include <string>

#include "whereof/budget.h"

namespace whereof::cli {

std::string seconds_text(double seconds);

// FLOPs by part, bytes and seconds of reading so many tokens.
void print_cost(const ModelShape& shape, const Cost& cost);
// The whole document, its passages, or both, and from how many questions on which is faster.
void print_strategies(const StrategyComparison& comparison, const QuestionLoad& load);

// Seconds of one question against the length of the document, up to most_tokens.
std::string plan_picture(const std::string& title, const ModelShape& shape,
                         const MachineSpeed& machine, const QuestionLoad& load, double most_tokens);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_PLAN_REPORT_H_
