// Citations checked by ablation: what the answer depends on of what it was read from.
#ifndef WHEREOF_ANSWERING_VERIFICATION_H_
#define WHEREOF_ANSWERING_VERIFICATION_H_

#include <cstddef>

#include "answering/prompt.h"
#include "answering/question_batch.h"
#include "whereof/answer.h"

namespace whereof::answering {

// Fills in Citation::ablation of the batch's i-th answer, which is that of the prompt.
void verify(const Prompt& prompt, QuestionBatch& batch, std::size_t i, Answer& answer);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_VERIFICATION_H_
