// Where each number comes next among the candidates.
#ifndef WHEREOF_DOCUMENT_CLAUSE_PLACES_H_
#define WHEREOF_DOCUMENT_CLAUSE_PLACES_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "document/clause_candidates.h"

namespace whereof::document {

class CandidatePlaces {
 public:
  static constexpr std::int32_t kNever = INT32_MAX;

  explicit CandidatePlaces(const std::vector<Candidate>& candidates);

  // The first candidate after i that may carry this key (number_key).
  std::int32_t next_with(std::uint64_t key, std::int32_t i) const;

  // The first candidate after `after` whose number is this one's, read so, and `delta` more.
  std::int32_t next_sibling(std::int32_t of, NumberReading reading, std::int32_t after,
                            std::int32_t delta = 1) const;

  // Is this number's sequence taken up again after i by the head of a paragraph, before it begins
  // anew? Then what stands at i lies inside it.
  bool is_taken_up(std::int32_t of, NumberReading reading, std::int32_t i) const;

 private:
  const std::vector<Candidate>& candidates_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> places_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_PLACES_H_
