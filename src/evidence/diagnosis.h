// A diagnosis in words.
#ifndef WHEREOF_EVIDENCE_DIAGNOSIS_H_
#define WHEREOF_EVIDENCE_DIAGNOSIS_H_

#include "whereof/diagnosis.h"

namespace whereof::evidence {

// Fills in diagnosis, reasons and advice from the rest.
void explain(ClauseDiagnosis& diagnosis);

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_DIAGNOSIS_H_
