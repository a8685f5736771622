// The last steps of a question: read, answer, measure, judge.
#ifndef WHEREOF_ANSWERING_ANSWER_TOGETHER_H_
#define WHEREOF_ANSWERING_ANSWER_TOGETHER_H_

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "answering/judging.h"
#include "answering/language.h"
#include "answering/prompt.h"
#include "answering/windows.h"
#include "whereof/answer.h"

namespace whereof::answering {

// Throws Error(invalid_argument) for a question or options that cannot be worked with.
void check_question(std::string_view question, const AskOptions& options);

std::string_view trimmed(std::string_view text);

// Questions about the same passages of a document, put to the model in the same manner. prompts[i]
// is that of answers[i], whose question, language and plan are there already; content_free asks
// nothing of the same passages. kept and windows may be null. found: what full text found for each
// question, [answers]; instructions: find_instructions(document).
void answer_together(const Document& document, const Prompt& content_free,
                     std::span<const Prompt* const> prompts, const Manner& manner,
                     const std::shared_ptr<const Model>& model, const AskOptions& options,
                     KeptReading* kept, WindowedDocument* windows,
                     std::span<const std::vector<ScoredPassage>> found,
                     std::span<const FoundInstruction> instructions,
                     std::span<Answer* const> answers);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_ANSWER_TOGETHER_H_
