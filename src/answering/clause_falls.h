// Every clause of a document hidden in turn: what each answer to questions about it depends on.
#ifndef WHEREOF_ANSWERING_CLAUSE_FALLS_H_
#define WHEREOF_ANSWERING_CLAUSE_FALLS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/passage_ranking.h"

namespace whereof::answering {

struct AnswerFalls {
  std::string answer;
  // How far the log-probability of each token falls when a clause is hidden (ablation.h), nats:
  // [clauses][tokens of the answer].
  std::vector<std::vector<double>> of_tokens;
};

struct ClauseFalls {
  std::vector<std::int32_t> clauses;  // of Document::clauses; -1: text of no clause
  std::vector<std::int64_t> tokens;   // of the sentences of each
  PassageMasses masses;               // on the clauses in place of passages; of all questions
  std::vector<AnswerFalls> answers;   // [questions]
};

// Reads the whole document, answers the questions, at least one and all in the first one's
// language, and hides each of its clauses from each answer. Of the options those of generation and
// threads are looked at. Throws what Context throws.
ClauseFalls clause_falls(const Document& document, const std::shared_ptr<const Model>& model,
                         std::span<const std::string> questions, const AskOptions& options);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CLAUSE_FALLS_H_
