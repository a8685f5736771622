// Words that contracts use for one another.
#ifndef WHEREOF_RETRIEVAL_SYNONYMS_H_
#define WHEREOF_RETRIEVAL_SYNONYMS_H_

#include <span>
#include <string>
#include <string_view>

namespace whereof::retrieval {

// The terms (terms.h) that may stand where a question has this term, without the term itself; empty
// for most words. Any thread; the span is valid for the life of the process.
std::span<const std::string> synonyms_of(std::string_view term);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_SYNONYMS_H_
