// The name by which a document calls a clause: "3.2(a)(i)", "Section 3.02(b)", "Schedule 2, 3.1",
// 第三条（一）.
#ifndef WHEREOF_DOCUMENT_CLAUSE_LABELS_H_
#define WHEREOF_DOCUMENT_CLAUSE_LABELS_H_

#include <vector>

#include "document/clause_numbers.h"
#include "whereof/document.h"

namespace whereof::document {

struct LabelledNumber {
  NumberToken token;
  NumberReading reading;
};

// Fills the labels of clauses from their numbers (one for each clause) and parents. Where two
// clauses would have one label, as 第一章 of two books, the part that each stands in goes before
// it. Of those that still share one, as (a) of two lists in clause 5.1, the later are "5.1, second
// (a)", so that no two labels of a document are equal but by the words it prints itself.
void label_clauses(const std::vector<LabelledNumber>& numbers, std::vector<Clause>& clauses);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_LABELS_H_
