// What the parts of a fit share.
#ifndef WHEREOF_EVALUATION_FIT_PARTS_H_
#define WHEREOF_EVALUATION_FIT_PARTS_H_

#include <map>
#include <span>
#include <vector>

#include "whereof/calibration_fit.h"

namespace whereof::evaluation {

// Of each example, together 1: every set alike, however many examples it has.
inline std::vector<double> parts_of_sets(std::span<const CalibrationExample* const> examples) {
  std::map<std::size_t, double> counts;
  for (const CalibrationExample* example : examples) counts[example->set] += 1;
  std::vector<double> parts;
  for (const CalibrationExample* example : examples) {
    parts.push_back(1 / (counts[example->set] * static_cast<double>(counts.size())));
  }
  return parts;
}

// The example's signals, with those by these heads that a verdict is fitted on.
inline AnswerSignals signals_by(const CalibrationExample& example, const HeadWeights& heads) {
  AnswerSignals signals = example.signals;
  if (example.masses) {
    signals.words_at_best =
        words_at_best(attention_scores(*example.masses, example.question, heads), example.words);
  }
  return signals;
}

}  // namespace whereof::evaluation

#endif  // WHEREOF_EVALUATION_FIT_PARTS_H_
