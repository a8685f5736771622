// What FTS5 needs from us: the tokenizer "whereof" and the function whereof_counts.
#ifndef WHEREOF_RETRIEVAL_FTS_INDEX_H_
#define WHEREOF_RETRIEVAL_FTS_INDEX_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "retrieval/database.h"

namespace whereof::retrieval {

// Registers both with this connection.
//
// Tokenizer "whereof": stored text gives the terms of terms.h. A quoted string of a query is taken
// as one term, as it is: whoever builds the query has made terms of the question already.
//
// whereof_counts(index): for the current row a blob of native uint32: for each column how many
// terms it holds, then for each phrase of the query, for each column, how often it occurs there.
void register_fts(Database& database);

// A query in FTS5's syntax: any of the label terms in column labels, or any of the other terms in
// headings or text. Its phrases are the labels, then the words, in order. Quotes inside terms are
// doubled, so nothing in them is syntax. Empty when there are no terms.
std::string fts_query(std::span<const std::string> labels, std::span<const std::string> words);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_FTS_INDEX_H_
