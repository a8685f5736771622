#include "document/clause_places.h"

#include <algorithm>
#include <cstddef>

namespace whereof::document {

CandidatePlaces::CandidatePlaces(const std::vector<Candidate>& candidates)
    : candidates_(candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const NumberToken& number = candidates[i].number;
    for (int r = 0; r < number.readings; ++r) {
      places_[number_key(number, number.reading[r])].push_back(static_cast<std::int32_t>(i));
    }
  }
}

std::int32_t CandidatePlaces::next_with(std::uint64_t key, std::int32_t i) const {
  const auto found = places_.find(key);
  if (found == places_.end()) return kNever;
  const auto place = std::upper_bound(found->second.begin(), found->second.end(), i);
  return place == found->second.end() ? kNever : *place;
}

std::int32_t CandidatePlaces::next_sibling(std::int32_t of, NumberReading reading,
                                           std::int32_t after, std::int32_t delta) const {
  return next_with(number_key(candidates_[static_cast<std::size_t>(of)].number, reading, delta),
                   after);
}

bool CandidatePlaces::is_taken_up(std::int32_t of, NumberReading reading, std::int32_t i) const {
  const std::int32_t next = next_sibling(of, reading, i);
  if (next == kNever) return false;
  const NumberToken& number = candidates_[static_cast<std::size_t>(of)].number;
  const std::int32_t anew = next_with(number_key(number, {reading.alphabet, 1}), i);
  return next < anew && candidates_[static_cast<std::size_t>(next)].standing == Standing::paragraph;
}

}  // namespace whereof::document
