// From scores of sentences to cited clauses.
#ifndef WHEREOF_ANSWERING_CITATIONS_H_
#define WHEREOF_ANSWERING_CITATIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "answering/prompt.h"
#include "whereof/answer.h"

namespace whereof::answering {

// Clauses by the summed scores of their sentences, largest first, at most `limit`, and only those
// with a score. The quotation is the clause's best-scored sentence, exactly as it stands in the
// document. share sums to at most 1 over all clauses; lift compares it with the clause's share of
// the tokens that were read.
// scores [sentences], none negative.
std::vector<Citation> cite(const Document& document, std::span<const ReadSentence> sentences,
                           std::span<const double> scores, std::int64_t limit);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CITATIONS_H_
