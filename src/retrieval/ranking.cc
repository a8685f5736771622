// BM25F (Robertson, Zaragoza, Taylor 2004) over groups of synonyms: with tf(t, f) the count of term
// t in field f, and share(t) 1 for the question's own word and less for another in its place,
//
//     w(g) = sum over t in g of share(t)
//            sum over f of weight(f) tf(t, f) / (1 - b(f) + b(f) length(f) / mean length(f))
//     score = sum over g of idf(g) w(g) / (k1 + w(g)),
//     idf(g) = ln(1 + (N - n(g) + 0.5) / (n(g) + 0.5)),
//
// N passages, n(g) of them with the question's word in any field (with any term of the group where
// it is in none). The statistics are those of the passages that are searched, so a document's
// ranking does not depend on what else the library holds.
#include "retrieval/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace whereof::retrieval {
namespace {

constexpr double kSaturation = 1.2;  // k1
constexpr std::array<double, kFieldCount> kWeights = {1, 3, 1};
constexpr std::array<double, kFieldCount> kLengthShares = {0, 0.3, 0.75};  // b
// A clause that the question names by its number outweighs words.
constexpr double kLabelWeight = 4;
constexpr double kSynonymShare = 0.25;  // of a word of its own

double inverse_frequency(double passages, double matching) {
  return std::log(1 + std::max(0.0, passages - matching + 0.5) / (matching + 0.5));
}

double weight_of_term(const TermCounts& match, std::size_t term, const FieldStatistics& all) {
  double weight = 0;
  for (std::size_t field = 0; field < kFieldCount; ++field) {
    const auto count = static_cast<double>(match.counts[term][field]);
    if (count == 0) continue;
    const double mean = all.mean_lengths[field];
    const double length = mean > 0 ? static_cast<double>(match.lengths[field]) / mean : 1;
    weight += kWeights[field] * count / (1 - kLengthShares[field] + kLengthShares[field] * length);
  }
  return weight;
}

bool occurs(const TermCounts& match, std::size_t term) {
  const auto& counts = match.counts[term];
  return std::any_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count > 0; });
}

double inverse_frequency(std::span<const TermCounts> matches, const TermGroup& group,
                         double passages) {
  const auto count_with = [&](std::size_t first, std::size_t end) {
    return std::count_if(matches.begin(), matches.end(), [&](const TermCounts& match) {
      for (std::size_t term = first; term < end; ++term) {
        if (occurs(match, term)) return true;
      }
      return false;
    });
  };
  auto matching = count_with(group.first, group.first + 1);
  if (matching == 0) matching = count_with(group.first, group.first + group.count);
  const double inverse = inverse_frequency(passages, static_cast<double>(matching));
  return group.is_label ? inverse * kLabelWeight : inverse;
}

double weight_of_group(const TermCounts& match, const TermGroup& group,
                       const FieldStatistics& all) {
  double weight = weight_of_term(match, group.first, all);
  for (std::size_t i = 1; i < group.count; ++i) {
    weight += kSynonymShare * weight_of_term(match, group.first + i, all);
  }
  return weight;
}

}  // namespace

std::vector<RankedPassage> rank(std::span<const TermCounts> matches,
                                std::span<const TermGroup> groups,
                                const FieldStatistics& statistics) {
  std::vector<double> inverse;
  for (const TermGroup& group : groups) {
    inverse.push_back(inverse_frequency(matches, group, statistics.passages));
  }
  const double whole = std::accumulate(inverse.begin(), inverse.end(), 0.0);
  std::vector<RankedPassage> ranked;
  ranked.reserve(matches.size());
  for (const TermCounts& match : matches) {
    double score = 0;
    double covered = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double weight = weight_of_group(match, groups[i], statistics);
      score += inverse[i] * weight / (kSaturation + weight);
      if (weight > 0) covered += inverse[i];
    }
    ranked.push_back({match.passage, score, whole > 0 ? covered / whole : 0});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedPassage& a, const RankedPassage& b) {
    return a.score != b.score ? a.score > b.score : a.passage < b.passage;
  });
  return ranked;
}

}  // namespace whereof::retrieval
