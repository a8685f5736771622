// Figures in the words of reasons, alarms and diagnoses.
#ifndef WHEREOF_EVIDENCE_FIGURE_H_
#define WHEREOF_EVIDENCE_FIGURE_H_

#include <cstdio>
#include <string>

namespace whereof::evidence {

// As printf; what is longer than 511 bytes is cut.
inline std::string figure(const char* pattern, auto... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_FIGURE_H_
