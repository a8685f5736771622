// What of a passage is indexed.
#ifndef WHEREOF_RETRIEVAL_PASSAGE_FIELDS_H_
#define WHEREOF_RETRIEVAL_PASSAGE_FIELDS_H_

#include <string>

#include "whereof/document.h"
#include "whereof/retrieval.h"

namespace whereof::retrieval {

struct PassageFields {
  std::string labels;   // numbers of the clauses that hold it or begin in it: see label_terms
  std::string heading;  // headings of the same clauses, outermost first
  std::string body;     // its covered lines, without headers and footers between them
};

// Body, tables and footnotes make passages; headers, footers and contents do not.
bool is_covered(LineKind kind);

// Pure.
PassageFields fields_of(const Document& document, const Passage& passage);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_PASSAGE_FIELDS_H_
