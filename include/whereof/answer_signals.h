// What is measured about an answer: the figures that a verdict is made from.
#ifndef WHEREOF_ANSWER_SIGNALS_H_
#define WHEREOF_ANSWER_SIGNALS_H_

#include <array>
#include <string_view>

namespace whereof {

// Means are over the answer's rows and all heads of all layers where nothing else is said; T is the
// number of keys that the last of these rows sees. All 0 for an empty answer, but for the first and
// the figures of the question's rows.
struct AnswerSignals {
  // Of the first token of "Not stated", before any answer.
  double decline_probability = 0;
  // Mean ln of the probability of the answer's tokens: the model's own margin.
  double mean_log_probability = 0;
  // Largest weight of any head and row on the document.
  double max_document_weight = 0;
  // The same over 2 / T, the threshold of the uniform rule.
  double uniform_ratio = 0;
  double document_mass = 0;  // weight on the document
  double sink_mass = 0;      // weight on the first position
  double entropy_share = 0;  // entropy over ln T, 0 .. 1
  // Mean of d / (d + a): d the mean weight on a token of the document, a on a token of the answer
  // itself (Chuang et al. 2024, arXiv 2407.07071, Lookback Lens).
  double lookback_ratio = 0;
  // Scores of passages (whereof/passage_ranking.h) from the question's rows, summed.
  double question_score = 0;
  // The largest of them, from the question's and the answer's rows together.
  double best_passage_score = 0;
  double best_share = 0;  // of that passage, of all of them
  double best_lift = 0;   // of the best citation, see Citation::lift
  // 1 where a statement was put, which asks whether the document says so; 0 for a question.
  double statement = 0;
  double full_text_score = 0;  // of the best passage for the question; 0 where none matches
  // What full text says of the passage that the question's rows rank first: words_at_best().
  double words_at_best = 0;
};

struct SignalName {
  std::string_view name;
  double AnswerSignals::*value;
  // Measured on an answer's rows: of an extract, which has no answer, it says nothing.
  bool needs_answer = false;
};

// All of them by name, in order: for files and tables.
inline constexpr std::array<SignalName, 15> kAnswerSignals{{
    {"decline_probability", &AnswerSignals::decline_probability},
    {"mean_log_probability", &AnswerSignals::mean_log_probability, true},
    {"max_document_weight", &AnswerSignals::max_document_weight, true},
    {"uniform_ratio", &AnswerSignals::uniform_ratio, true},
    {"document_mass", &AnswerSignals::document_mass, true},
    {"sink_mass", &AnswerSignals::sink_mass, true},
    {"entropy_share", &AnswerSignals::entropy_share, true},
    {"lookback_ratio", &AnswerSignals::lookback_ratio, true},
    {"question_score", &AnswerSignals::question_score},
    {"best_passage_score", &AnswerSignals::best_passage_score, true},
    {"best_share", &AnswerSignals::best_share, true},
    {"best_lift", &AnswerSignals::best_lift, true},
    {"statement", &AnswerSignals::statement},
    {"full_text_score", &AnswerSignals::full_text_score},
    {"words_at_best", &AnswerSignals::words_at_best},
}};

}  // namespace whereof

#endif  // WHEREOF_ANSWER_SIGNALS_H_
