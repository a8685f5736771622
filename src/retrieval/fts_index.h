// What FTS5 needs from us: the tokenizer "whereof" and the function whereof_counts.
#ifndef WHEREOF_RETRIEVAL_FTS_INDEX_H_
#define WHEREOF_RETRIEVAL_FTS_INDEX_H_

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

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_FTS_INDEX_H_
