// How a calibration comes about: from records of questions with known answers.
//
// Heads: with share(h, p) as in whereof/passage_ranking.h and words(p) the standardised full-text
// score,
//     score(p) = sum over heads of w(h) share(h, p) + b words(p),   w, b >= 0
// and what is made small is the cross-entropy of the right passages under softmax(score), with an
// L1 penalty, so that few heads are left, and a small L2 one; by Adam with projection, each head in
// its own unit.
//
// Signals: logistic regression of "the document answers it" with an L2 penalty, by Newton's method.
//
// Every set counts alike, however many questions it has. What is fitted on the documents of one
// half (half_of, whereof/evaluation.h) is reported on the other. Pure but for reading the records;
// the same bits every time.
#ifndef WHEREOF_CALIBRATION_FIT_H_
#define WHEREOF_CALIBRATION_FIT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "whereof/answer_signals.h"
#include "whereof/calibration.h"
#include "whereof/evaluation.h"
#include "whereof/passage_ranking.h"

namespace whereof {

// A question with a known answer, or known to have none.
struct CalibrationExample {
  std::size_t set = 0;                          // index into CalibrationExamples::sets
  std::int64_t half = 1;                        // 1 or 2
  std::shared_ptr<const PassageMasses> masses;  // of several questions
  std::size_t question = 0;                     // which of them
  std::vector<std::size_t> gold;                // right passages, ascending; empty: none
  std::vector<double> words;                    // [passages], full-text scores
  bool is_answerable = false;
  bool was_asked = false;  // else there are no signals
  AnswerSignals signals;
};

struct CalibrationExamples {
  std::int64_t layers = 0;
  std::int64_t heads = 0;  // of a layer
  std::vector<std::string> sets;
  std::vector<CalibrationExample> all;

  // All records of a file that measure_answers or measure_attention_ranking kept. Throws
  // Error(invalid_argument) for another number of heads than before, or a record that contradicts
  // itself; what MassFile throws.
  void add(const std::string& set, const MassFile& file);
};

struct FitOptions {
  std::int64_t half = 1;  // that is fitted on
  double head_l1 = 0.01;  // a head's weight in its own unit
  double head_l2 = 0.003;
  double signal_l2 = 0.02;
  double answerable_lost = 0.05;      // of answerable questions, below weak_from
  double supported_precision = 0.85;  // of what is at or above supported_from
};

// Heads from the questions with right passages. Not fitted where the half has none.
HeadWeights fit_heads(const CalibrationExamples& examples, const FitOptions& options);

// These heads, with signals and cuts where the half has questions that were asked, with an answer
// and without. Notes and alarms are left empty.
Calibration fit_calibration(const CalibrationExamples& examples, const HeadWeights& heads,
                            const FitOptions& options);

// What a calibration reaches on one half of one set.
struct CalibrationFigures {
  std::string set;
  std::int64_t half = 0;
  std::int64_t ranked = 0;  // questions with right passages
  RankingFigures full_text;
  RankingFigures alike;      // all heads alike, without full text
  RankingFigures attention;  // chosen heads, without full text
  RankingFigures both;
  std::int64_t judged = 0;      // questions that were asked
  std::int64_t answerable = 0;  // of them
  double abstention_auroc = 0;  // of support_probability
  double decline_auroc = 0;     // of the probability that the model does not decline, alone
  double precision_at_80_recall = 0;
  double supported_precision = 0;  // of what is at or above supported_from
  double supported_recall = 0;
  double weak_precision = 0;  // of what is at or above weak_from
  double weak_recall = 0;
};
std::vector<CalibrationFigures> measure_calibration(const CalibrationExamples& examples,
                                                    const Calibration& calibration);

}  // namespace whereof

#endif  // WHEREOF_CALIBRATION_FIT_H_
