// From the measures of a run to citations and a verdict. No model is needed here: whatever an
// answer says and wherever its weights lie, nothing is cited that the document does not hold.
#ifndef WHEREOF_ANSWERING_JUDGING_H_
#define WHEREOF_ANSWERING_JUDGING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "answering/prompt.h"
#include "evidence/verdict.h"
#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/instructions.h"

namespace whereof::answering {

// Scores of the prompt's sentences (evidence/mass_table.h), [sentences] each.
struct MeasuredAnswer {
  std::vector<double> question;                // from the question's rows
  std::vector<double> answer;                  // from the answer's; empty for none
  std::vector<std::vector<double>> sentences;  // from those of each sentence of the answer
  std::int64_t visible_keys = 0;               // T
};

// A passage that full text found.
struct ScoredPassage {
  Span text;  // bytes of Document::text
  double score = 0;
};

// What the answer's rows count beside the question's: chosen heads were fitted on questions' rows.
inline double answer_share(const HeadWeights& heads) noexcept {
  return heads.is_fitted() ? 0.25 : 1;
}

// Fills in citations, sentences and best_lift of an answer whose text and other signals are
// there. What stands in an instruction is no evidence. Clauses are ordered by
// evidence, of which the clauses that the question names and the passages that full text found
// count up to three times. Returns what the verdict is made from.
evidence::VerdictEvidence cite_answer(const Document& document, const Prompt& prompt,
                                      const MeasuredAnswer& measured,
                                      std::span<const ScoredPassage> full_text,
                                      std::span<const FoundInstruction> instructions,
                                      const AskOptions& options, Answer& answer);

// The same for an extract: the passages (whereof/retrieval.h) ranked as in
// whereof/passage_ranking.h, by the question's rows and full text, each cited by its best sentence.
evidence::VerdictEvidence cite_extract(const Document& document, const Prompt& prompt,
                                       const MeasuredAnswer& measured,
                                       std::span<const ScoredPassage> full_text,
                                       std::span<const FoundInstruction> instructions,
                                       const AskOptions& options, Answer& answer);

// Fills in the verdict, its reasons and signals, from the evidence and what ablation found.
void decide(evidence::VerdictEvidence evidence, const AskOptions& options, Answer& answer);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_JUDGING_H_
