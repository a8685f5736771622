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
//
// favours: for the order of clauses, and which sentence is quoted, a score counts 1 + favour times;
// share and lift stay what was measured.
//
// scores [sentences]; what is no positive finite number counts as 0. favours [sentences] or
// empty.
std::vector<Citation> cite(const Document& document, std::span<const ReadSentence> sentences,
                           std::span<const double> scores, std::span<const double> favours,
                           std::int64_t limit);

// A citation of the clause with this quotation, bytes of the document.
Citation citation_of(const Document& document, std::int32_t clause, Span quotation);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CITATIONS_H_
