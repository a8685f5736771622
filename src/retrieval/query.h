// A question as a query of the index.
#ifndef WHEREOF_RETRIEVAL_QUERY_H_
#define WHEREOF_RETRIEVAL_QUERY_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/ranking.h"

namespace whereof::retrieval {

struct Query {
  std::string match;              // in FTS5's syntax; empty when there is nothing to look for
  std::size_t terms = 0;          // phrases of match, in order
  std::vector<TermGroup> groups;  // over those
};

// Any of the clause numbers that the question names in column labels, or any of its words or their
// synonyms in headings or text. Terms are quoted and quotes inside them doubled: nothing in a
// question is syntax. The words of more_words are looked for too, in groups of their own, without
// synonyms.
Query query_of(std::string_view question, std::string_view more_words = {});

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_QUERY_H_
