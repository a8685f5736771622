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

}  // namespace whereof::evaluation

#endif  // WHEREOF_EVALUATION_FIT_PARTS_H_
