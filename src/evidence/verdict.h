// From measured signals to a verdict. Pure; what the model says of itself is no signal, but that it
// declined to answer is one, and only ever against the answer.
#ifndef WHEREOF_EVIDENCE_VERDICT_H_
#define WHEREOF_EVIDENCE_VERDICT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "whereof/verdict.h"

namespace whereof::evidence {

struct VerdictSignals {
  bool is_chinese = false;  // the language of the reasons
  bool is_answer_empty = false;
  bool is_declined = false;                  // the answer says that the document does not state it
  double decline_probability = 0;            // that the answer would begin so
  double max_document_weight = 0;            // largest weight of an answer row on the document
  std::int64_t visible_keys = 0;             // T: keys that the last answer row sees
  std::int64_t citations = 0;                // spans with evidence above the content-free rows
  double largest_lift = 0;                   // of a citation: its share over its share by length
  std::vector<std::string> unfound_figures;  // numbers in the answer that no clause read contains
};

struct VerdictResult {
  Verdict verdict = Verdict::no_basis;
  std::vector<std::string> reasons;  // one line each; never empty
};

// no_basis: no answer, a declined answer, no weight above 2 / T on the document (the uniform rule:
//   a row that spreads evenly over T keys has 1 / T on each), or nothing to cite.
// weak:     figures that stand in no clause read, evidence hardly above its share by length, or a
//           model that nearly declined.
// supported: the rest.
VerdictResult verdict_of(const VerdictSignals& signals);

// The uniform rule's threshold.
double uniform_threshold(std::int64_t visible_keys) noexcept;

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_VERDICT_H_
