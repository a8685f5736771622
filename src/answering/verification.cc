#include "answering/verification.h"

#include <algorithm>
#include <vector>

#include "answering/ablation.h"

namespace whereof::answering {
namespace {

// The sentences that a citation stands for: all of its clause, else those it quotes.
std::vector<bool> cited_sentences(const Prompt& prompt, const Citation& citation) {
  if (citation.clause < 0) return sentences_within(prompt, {&citation.quotation, 1});
  std::vector<bool> is_cited;
  is_cited.reserve(prompt.sentences.size());
  for (const ReadSentence& sentence : prompt.sentences) {
    is_cited.push_back(sentence.clause == citation.clause);
  }
  return is_cited;
}

}  // namespace

AblationEffect effect_of(double fall, std::int64_t answer_tokens) {
  return {fall, fall / static_cast<double>(std::max<std::int64_t>(1, answer_tokens))};
}

void verify(const Prompt& prompt, QuestionBatch& batch, std::size_t i, Answer& answer) {
  std::vector<std::vector<bool>> marked;
  for (const Citation& citation : answer.citations) {
    marked.push_back(cited_sentences(prompt, citation));
  }
  const std::vector<double> falls = batch.falls(i, marked);
  for (std::size_t k = 0; k < falls.size(); ++k) {
    answer.citations[k].ablation = effect_of(falls[k], answer.answer_tokens);
  }
}

}  // namespace whereof::answering
