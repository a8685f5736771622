// Whether an answer says that the document does not state it. Counts only against an answer.
#ifndef WHEREOF_ANSWERING_DECLINING_H_
#define WHEREOF_ANSWERING_DECLINING_H_

#include <string_view>

namespace whereof::answering {

// True when the answer's first sentence is one of the ways in which models decline, in English or
// Chinese: "Not stated", "The agreement does not specify ...", 未载明, 条款中没有规定.
bool is_declining(std::string_view answer);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_DECLINING_H_
