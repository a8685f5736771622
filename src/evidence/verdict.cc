#include "evidence/verdict.h"

#include <cstdio>

namespace whereof {

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::supported:
      return "supported";
    case Verdict::weak:
      return "weak";
    case Verdict::no_basis:
      return "no_basis";
  }
  return "unknown";
}

namespace evidence {
namespace {

// A citation whose share is less than this many times its share by length says little.
constexpr double kLeastLift = 1.5;

std::string figure(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

double uniform_threshold(std::int64_t visible_keys) noexcept {
  return visible_keys > 0 ? 2.0 / static_cast<double>(visible_keys) : 1.0;
}

VerdictResult verdict_of(const VerdictSignals& signals) {
  const double threshold = uniform_threshold(signals.visible_keys);
  if (signals.is_answer_empty) return {Verdict::no_basis, {"the model gave no answer"}};
  if (signals.is_declined) {
    return {Verdict::no_basis, {"the model found no statement of it in the clauses it read"}};
  }
  if (signals.max_document_weight <= threshold) {
    return {
        Verdict::no_basis,
        {"no answer position has a weight above 2/T on the document (largest " +
         figure("%.2g", signals.max_document_weight) + ", 2/T " + figure("%.2g", threshold) + ")"}};
  }
  if (signals.citations == 0) {
    return {Verdict::no_basis, {"no clause drew more weight than a question without content"}};
  }
  VerdictResult result{Verdict::supported, {}};
  for (const std::string& number : signals.unfound_figures) {
    result.verdict = Verdict::weak;
    result.reasons.push_back("the answer's figure \"" + number +
                             "\" stands in no clause that was read");
  }
  if (signals.largest_lift < kLeastLift) {
    result.verdict = Verdict::weak;
    result.reasons.push_back("the evidence is spread: the first clause drew only " +
                             figure("%.1f", signals.largest_lift) +
                             " times the weight that its length alone would");
  }
  if (result.verdict == Verdict::supported) {
    result.reasons.push_back("the first clause drew " + figure("%.1f", signals.largest_lift) +
                             " times the weight that its length alone would; largest weight " +
                             figure("%.2f", signals.max_document_weight) + " (2/T is " +
                             figure("%.2g", threshold) + ")");
  }
  return result;
}

}  // namespace evidence
}  // namespace whereof
