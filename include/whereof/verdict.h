// What an answer is worth.
#ifndef WHEREOF_VERDICT_H_
#define WHEREOF_VERDICT_H_

#include <optional>
#include <string_view>

namespace whereof {

enum class Verdict {
  supported,
  weak,      // an answer whose evidence is thin or does not agree with it
  no_basis,  // the document gives no basis for an answer: it is withheld
};

std::string_view name_of(Verdict verdict) noexcept;  // "supported", "weak", "no_basis"

// One figure that a verdict was made from.
struct VerdictSignal {
  std::string_view name;  // of AnswerSignals, or "support_probability", "agreement", ...
  double value = 0;
  std::optional<double> threshold;  // what it was held against
  // The best verdict that it leaves open. None: it is shown, or counts in support_probability.
  std::optional<Verdict> allows;
};

}  // namespace whereof

#endif  // WHEREOF_VERDICT_H_
