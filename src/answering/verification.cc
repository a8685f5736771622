#include "answering/verification.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "answering/ablation.h"
#include "answering/language.h"
#include "evidence/diagnosis.h"

namespace whereof {
namespace answering {
namespace {

using Marked = std::vector<bool>;  // [sentences of the prompt]

// The sentences that a citation stands for: all of its clause, else those it quotes.
Marked cited_sentences(const Prompt& prompt, const Citation& citation) {
  if (citation.clause < 0) return sentences_within(prompt, {&citation.quotation, 1});
  Marked is_cited;
  is_cited.reserve(prompt.sentences.size());
  for (const ReadSentence& sentence : prompt.sentences) {
    is_cited.push_back(sentence.clause == citation.clause);
  }
  return is_cited;
}

AblationEffect effect_of(double fall, std::int64_t answer_tokens) {
  return {fall, fall / static_cast<double>(std::max<std::int64_t>(1, answer_tokens))};
}

std::int64_t count_of(const Marked& marked) {
  return std::count(marked.begin(), marked.end(), true);
}

struct ClauseShare {
  double score = 0;
  double tokens = 0;
};

// scores [sentences]; empty where there were no rows.
RowsOnText rows_on(const Prompt& prompt, const Marked& is_expected,
                   const std::vector<double>& scores) {
  RowsOnText rows;
  std::map<std::int32_t, ClauseShare> others;
  ClauseShare expected;
  ClauseShare all;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const ReadSentence& sentence = prompt.sentences[i];
    for (ClauseShare* share : {is_expected[i] ? &expected : &others[sentence.clause], &all}) {
      share->score += scores[i];
      share->tokens += static_cast<double>(sentence.tokens.length());
    }
  }
  if (expected.score <= 0) return rows;
  rows.share = expected.score / all.score;
  rows.lift = rows.share * all.tokens / std::max(1.0, expected.tokens);
  rows.rank = 1 + std::count_if(others.begin(), others.end(), [&](const auto& other) {
                return other.second.score > expected.score;
              });
  return rows;
}

std::int64_t clauses_beside(const Prompt& prompt, const Marked& is_expected) {
  std::vector<std::int32_t> clauses;
  for (std::size_t i = 0; i < prompt.sentences.size(); ++i) {
    if (!is_expected[i]) clauses.push_back(prompt.sentences[i].clause);
  }
  std::sort(clauses.begin(), clauses.end());
  return std::unique(clauses.begin(), clauses.end()) - clauses.begin();
}

// Of the citations that share no sentence with the expected text.
void find_other(const Prompt& prompt, const Marked& is_expected, const Answer& answer,
                DiagnosisFigures& figures) {
  for (const Citation& citation : answer.citations) {
    const Marked cited = cited_sentences(prompt, citation);
    bool is_apart = true;
    for (std::size_t i = 0; i < cited.size(); ++i) is_apart &= !(cited[i] && is_expected[i]);
    if (!is_apart || citation.ablation->fall <= figures.other_ablation.fall) continue;
    figures.other_ablation = *citation.ablation;
    figures.other_clause = citation.label;
  }
}

ClauseDiagnosis begun_diagnosis(const Document& document, const ExpectedText& expected,
                                std::string_view question) {
  ClauseDiagnosis diagnosis;
  diagnosis.is_chinese = language_of(question) == Language::chinese;
  diagnosis.expected = expected;
  diagnosis.figures.places = std::ssize(expected.text);
  diagnosis.figures.is_mentioned = expected.is_mentioned;
  diagnosis.figures.pages_without_text = document.report.pages_without_text;
  return diagnosis;
}

// The citations' ablations are there already.
ClauseDiagnosis diagnose(const Document& document, const Prompt& prompt, const Marked& is_expected,
                         const QuestionBatch& batch, std::size_t i, const AskOptions& options,
                         const Answer& answer, AblationEffect ablation) {
  ClauseDiagnosis diagnosis = begun_diagnosis(document, *options.expected, answer.question);
  DiagnosisFigures& figures = diagnosis.figures;
  figures.is_whole_document_read = answer.plan.route == Route::whole_document;
  figures.sentences_read = count_of(is_expected);
  Marked is_hidden = sentences_within(prompt, options.hidden);
  for (std::size_t s = 0; s < is_hidden.size(); ++s) is_hidden[s] = is_hidden[s] && is_expected[s];
  figures.sentences_hidden = count_of(is_hidden);
  figures.clauses_read = clauses_beside(prompt, is_expected) + (figures.sentences_read > 0 ? 1 : 0);
  figures.question = rows_on(prompt, is_expected, batch.question_scores(i));
  figures.answer = rows_on(prompt, is_expected, batch.answer_scores(i));
  figures.ablation = ablation;
  find_other(prompt, is_expected, answer, figures);
  evidence::explain(diagnosis);
  return diagnosis;
}

}  // namespace

void verify(const Document& document, const Prompt& prompt, QuestionBatch& batch, std::size_t i,
            const AskOptions& options, Answer& answer) {
  std::vector<Marked> marked;
  for (const Citation& citation : answer.citations) {
    marked.push_back(cited_sentences(prompt, citation));
  }
  Marked is_expected;
  if (options.expected) {
    is_expected = sentences_within(prompt, options.expected->text);
    marked.push_back(is_expected);
  }
  const std::vector<double> falls = batch.falls(i, marked);
  for (std::size_t k = 0; k < answer.citations.size(); ++k) {
    answer.citations[k].ablation = effect_of(falls[k], answer.answer_tokens);
  }
  if (options.expected) {
    answer.diagnosis = diagnose(document, prompt, is_expected, batch, i, options, answer,
                                effect_of(falls.back(), answer.answer_tokens));
  }
}

}  // namespace answering

ClauseDiagnosis diagnosis_of_absent(const Document& document, const ExpectedText& expected,
                                    std::string_view question) {
  ClauseDiagnosis diagnosis = answering::begun_diagnosis(document, expected, question);
  evidence::explain(diagnosis);
  return diagnosis;
}

}  // namespace whereof
