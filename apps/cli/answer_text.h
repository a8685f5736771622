// An answer as a person reads it.
#ifndef WHEREOF_CLI_ANSWER_TEXT_H_
#define WHEREOF_CLI_ANSWER_TEXT_H_

#include <string>

#include "whereof/answer.h"

namespace whereof::cli {

// Verdict with its reasons, then the cited clauses with page, share and quotation; in the
// question's language. Control characters of the document are made harmless.
std::string verdict_and_citations(const Answer& answer);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_ANSWER_TEXT_H_
