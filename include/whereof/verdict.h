// What an answer is worth.
#ifndef WHEREOF_VERDICT_H_
#define WHEREOF_VERDICT_H_

#include <string_view>

namespace whereof {

enum class Verdict {
  supported,
  weak,      // an answer whose evidence is thin or does not agree with it
  no_basis,  // the document gives no basis for an answer: it is withheld
};

std::string_view name_of(Verdict verdict) noexcept;  // "supported", "weak", "no_basis"

}  // namespace whereof

#endif  // WHEREOF_VERDICT_H_
