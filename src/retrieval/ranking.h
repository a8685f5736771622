// BM25 over fields, from counts.
#ifndef WHEREOF_RETRIEVAL_RANKING_H_
#define WHEREOF_RETRIEVAL_RANKING_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace whereof::retrieval {

enum Field : std::uint8_t { kLabels, kHeading, kBody, kFieldCount };

// How often each term of the question occurs in one passage.
struct TermCounts {
  std::int64_t passage = 0;                                    // any number that names it
  std::array<std::uint32_t, kFieldCount> lengths{};            // terms in each field
  std::vector<std::array<std::uint32_t, kFieldCount>> counts;  // [terms of the question]
};

// Of the passages that are ranked, also those in which no term of the question occurs.
struct FieldStatistics {
  double passages = 0;
  std::array<double, kFieldCount> mean_lengths{};
};

struct RankedPassage {
  std::int64_t passage = 0;
  double score = 0;
};

// Best first; equal scores by passage number. label_terms: the first so many terms of the question
// are clause numbers, looked for in kLabels only; the others are looked for in headings and text.
// Pure.
std::vector<RankedPassage> rank(std::span<const TermCounts> matches, std::int64_t label_terms,
                                const FieldStatistics& statistics);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_RANKING_H_
