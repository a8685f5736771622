// Clauses that a question names by their number.
#ifndef WHEREOF_ANSWERING_NAMED_CLAUSES_H_
#define WHEREOF_ANSWERING_NAMED_CLAUSES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "whereof/document.h"

namespace whereof::answering {

// Indices of the clauses that the question names: "clause 3", "clauses 3.1 and 11", "Section
// 3.02(a)", "Schedule 2", 第三条, 附件一. Ascending, each once. A number counts only after a word
// that announces clauses, so "30 days" names none.
std::vector<std::int32_t> clauses_named_in(std::string_view question, const Document& document);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_NAMED_CLAUSES_H_
