// The text behind a list: "(b) the Loan. [new paragraph] The Seller warrants ..." is no part of
// (b).
#ifndef WHEREOF_DOCUMENT_CLAUSE_TAILS_H_
#define WHEREOF_DOCUMENT_CLAUSE_TAILS_H_

#include <vector>

#include "document/clause_candidates.h"
#include "document/clause_sequence.h"
#include "whereof/document.h"

namespace whereof::document {

// Ends the last item of each list where the text goes back to what the list stands in: at a
// paragraph that lies further left than the item's number, or, where the places do not tell, at the
// second paragraph of an item whose elder siblings have one each. The text stays in the parent.
// Linear in lines and units.
void cut_tails(const Document& document, const std::vector<BodyLine>& lines,
               const std::vector<Candidate>& candidates, std::vector<Unit>& units);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_TAILS_H_
