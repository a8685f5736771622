// BM25 over fields, from counts.
#ifndef WHEREOF_RETRIEVAL_RANKING_H_
#define WHEREOF_RETRIEVAL_RANKING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace whereof::retrieval {

enum Field : std::uint8_t { kLabels, kHeading, kBody, kFieldCount };

// How often each term of the question occurs in one passage.
struct TermCounts {
  std::int64_t passage = 0;                                    // any number that names it
  std::array<std::uint32_t, kFieldCount> lengths{};            // terms in each field
  std::vector<std::array<std::uint32_t, kFieldCount>> counts;  // [terms of the query]
};

// What the question asks for once: a word and those that may stand in its place.
struct TermGroup {
  std::size_t first = 0;  // into TermCounts::counts; the word itself
  std::size_t count = 1;
  bool is_label = false;      // a clause's number, looked for in kLabels
  bool is_character = false;  // of a Chinese word that is asked for as well
  bool is_added = false;      // not of the question: looked for beside its words
};

// Of the passages that are ranked, also those in which no term of the question occurs.
struct FieldStatistics {
  double passages = 0;
  std::array<double, kFieldCount> mean_lengths{};
};

struct RankedPassage {
  std::int64_t passage = 0;
  double score = 0;
  double coverage = 0;  // share of the question's groups' idf whose word or synonym occurs
};

// Best first; equal scores by passage number. Pure.
std::vector<RankedPassage> rank(std::span<const TermCounts> matches,
                                std::span<const TermGroup> groups,
                                const FieldStatistics& statistics);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_RANKING_H_
