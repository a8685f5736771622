// What an answer depends on, and why it does not rest on what it should: checked by ablation.
#ifndef WHEREOF_ANSWERING_VERIFICATION_H_
#define WHEREOF_ANSWERING_VERIFICATION_H_

#include <cstddef>

#include "answering/prompt.h"
#include "answering/question_batch.h"
#include "whereof/answer.h"

namespace whereof::answering {

// Fills in Citation::ablation and, where the options expect a text, Answer::diagnosis of the
// batch's i-th answer, which is that of the prompt.
void verify(const Document& document, const Prompt& prompt, QuestionBatch& batch, std::size_t i,
            const AskOptions& options, Answer& answer);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_VERIFICATION_H_
