// From measured signals to a verdict. Pure; what the model says of itself is no signal, but that it
// declined to answer is one, and only ever against the answer.
#ifndef WHEREOF_EVIDENCE_VERDICT_H_
#define WHEREOF_EVIDENCE_VERDICT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whereof/answer_signals.h"
#include "whereof/calibration.h"
#include "whereof/verdict.h"

namespace whereof::evidence {

// Something that the answer says and no cited clause bears out.
struct UnborneClaim {
  std::string text;      // as the answer has it
  bool is_read = false;  // it stands in another clause that was read
};

struct VerdictEvidence {
  bool is_chinese = false;  // the language of the reasons
  // No answer was written: the clauses themselves are shown, and there are no signals of answer
  // rows. What is looked at are the question's.
  bool is_extract = false;
  bool is_answer_empty = false;
  bool is_declined = false;  // the answer says that the document does not state it
  AnswerSignals signals;
  std::int64_t visible_keys = 0;  // T: keys that the last row sees
  std::int64_t citations = 0;     // spans with evidence above the content-free rows
  double largest_lift = 0;        // of a citation: its share over its share by length
  std::int64_t claims = 0;        // of the answer that can be looked up
  std::vector<UnborneClaim> unborne;
  std::vector<std::string> invented_clauses;  // that the answer names and the document has not
  std::vector<std::string> instructions;      // places of what was read that give the model orders
  // How far the answer's log-probability falls, in nats, when a cited clause is hidden: the largest
  // fall. Where it was asked for.
  std::optional<double> ablation_fall;
};

struct VerdictResult {
  Verdict verdict = Verdict::no_basis;
  std::vector<std::string> reasons;  // one line each; never empty
  std::vector<VerdictSignal> signals;
};

// The worst of what each rule allows:
//
//   no_basis   no answer, a declined answer, no weight above 2 / T on the document (the uniform
//              rule: a row that spreads evenly over T keys has 1 / T on each), nothing to cite, or
//              a calibrated probability below weak_from
//   weak       a probability below supported_from; something the answer says that stands in no
//              cited clause; a clause it names that the document has not; orders to the model in
//              what was read; an answer that hiding any cited clause leaves as likely
//   supported  the rest
//
// Without a calibration, or for an extract, plain rules stand for the probability: weak where the
// evidence is hardly above its share by length, no word of the question stands in the document, or
// the model nearly declined; and for an
// extract no_basis where it would have declined.
VerdictResult verdict_of(const VerdictEvidence& evidence, const Calibration& calibration);

// The uniform rule's threshold.
double uniform_threshold(std::int64_t visible_keys) noexcept;

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_VERDICT_H_
