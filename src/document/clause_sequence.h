// From candidates to numbered units. Numbers of one style form sequences, and sequences nest: a
// candidate is a unit when it is the next of an open sequence, or begins a new one inside. What is
// neither (a reference that happens to open a line, a year, a number in a table) is left out.
#ifndef WHEREOF_DOCUMENT_CLAUSE_SEQUENCE_H_
#define WHEREOF_DOCUMENT_CLAUSE_SEQUENCE_H_

#include <cstdint>
#include <vector>

#include "document/clause_candidates.h"

namespace whereof::document {

struct Unit {
  std::int32_t candidate = 0;  // index into the candidates
  std::int32_t parent = -1;    // index of the enclosing unit; -1 at the top
  std::int32_t depth = 0;
  NumberReading reading;   // of the candidate's last component, as decided here
  std::int64_t begin = 0;  // bytes of Document::text
  std::int64_t end = 0;  // where the next unit begins that lies outside this one, or the body ends
};

constexpr std::int32_t kMaxClauseDepth = 24;

// The units in order, parents before children. closers are the bytes where the body ends ("IN
// WITNESS WHEREOF"), ascending; text_end is the end of the last unit. n log n in the candidates.
std::vector<Unit> nest_candidates(const std::vector<Candidate>& candidates,
                                  const std::vector<std::int64_t>& closers, std::int64_t text_end);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_SEQUENCE_H_
