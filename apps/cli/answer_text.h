// An answer as a person reads it.
#ifndef WHEREOF_CLI_ANSWER_TEXT_H_
#define WHEREOF_CLI_ANSWER_TEXT_H_

#include <string>

#include "whereof/answer.h"

namespace whereof::cli {

// The verdict with its reasons; the answer, unless it is withheld, each sentence followed by the
// numbers of what it was read from; then the cited clauses with page, share and quotation, or those
// that came nearest. Of an extract the passages, the quotations in them marked. In the question's
// language. Control characters of the document and the model are made harmless.
std::string answer_text(const Answer& answer);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_ANSWER_TEXT_H_
