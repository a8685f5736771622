// What full text looks for when a question is put to a document or to the library.
#ifndef WHEREOF_ANSWERING_SEARCHED_QUESTION_H_
#define WHEREOF_ANSWERING_SEARCHED_QUESTION_H_

#include <memory>
#include <string>
#include <string_view>

#include "whereof/answer.h"

namespace whereof::answering {

struct SearchedQuestion {
  std::string text;
  std::string more_words;  // Library::search; empty: the question's words alone
};

// With options.rewords, asks the model for other words and states them, and what they cost by
// prediction, in the plan; not where that would take more than a fourth of the time allowed.
// Throws what reword() throws.
SearchedQuestion searched_question(const std::shared_ptr<const Model>& model,
                                   std::string_view question, const AskOptions& options,
                                   RoutePlan& plan);

// "; also looked for: ...", or nothing where no words were added.
std::string added_words_clause(const RoutePlan& plan);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_SEARCHED_QUESTION_H_
