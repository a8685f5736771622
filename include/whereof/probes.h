// Documents made for calibration: contracts of common clauses with facts planted in them, and
// questions about facts that are planted and facts that are not. With them a model is calibrated
// without any labelled set.
#ifndef WHEREOF_PROBES_H_
#define WHEREOF_PROBES_H_

#include <cstdint>
#include <vector>

#include "whereof/evaluation.h"

namespace whereof {

struct ProbeOptions {
  std::vector<std::int64_t> lengths_tokens = {1'000, 2'500, 6'000};  // about, each at least 100
  std::int64_t rounds = 4;   // documents of each length and language
  std::int64_t planted = 6;  // facts of each document, 1 .. 11
  std::uint64_t seed = 1;    // of the choices
};

// English and Chinese documents as a question set: the same text, questions and gold spans for the
// same options everywhere. A document's facts are spread over its depth. It is asked for each in
// the clause's own words and in other words, and as often for facts that it does not hold.
// Documents of the two halves (half_of) share no fact. Error(invalid_argument) for options outside
// their range.
QuestionSet make_probes(const ProbeOptions& options);

}  // namespace whereof

#endif  // WHEREOF_PROBES_H_
