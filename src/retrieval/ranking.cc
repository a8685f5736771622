// BM25F (Robertson, Zaragoza, Taylor 2004): with tf(t, f) the count of term t in field f,
//
//     w(t) = sum over f of weight(f) tf(t, f) / (1 - b(f) + b(f) length(f) / mean length(f))
//     score = sum over t of idf(t) w(t) / (k1 + w(t)),
//     idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5)),
//
// N passages, n(t) of them with t in any field. The statistics are those of the passages that are
// searched, so a document's ranking does not depend on what else the library holds.
#include "retrieval/ranking.h"

#include <algorithm>
#include <cmath>

namespace whereof::retrieval {
namespace {

constexpr double kSaturation = 1.2;  // k1
constexpr std::array<double, kFieldCount> kWeights = {1, 2, 1};
constexpr std::array<double, kFieldCount> kLengthShares = {0, 0.3, 0.75};  // b
// A clause that the question names by its number outweighs words.
constexpr double kLabelWeight = 4;

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

}  // namespace

std::vector<RankedPassage> rank(std::span<const TermCounts> matches, std::int64_t label_terms,
                                const FieldStatistics& statistics) {
  if (matches.empty()) return {};
  const std::size_t terms = matches.front().counts.size();
  std::vector<double> inverse(terms);
  for (std::size_t term = 0; term < terms; ++term) {
    const auto matching =
        std::count_if(matches.begin(), matches.end(),
                      [&](const TermCounts& match) { return occurs(match, term); });
    inverse[term] = inverse_frequency(statistics.passages, static_cast<double>(matching));
    if (term < static_cast<std::size_t>(label_terms)) inverse[term] *= kLabelWeight;
  }
  std::vector<RankedPassage> ranked;
  ranked.reserve(matches.size());
  for (const TermCounts& match : matches) {
    double score = 0;
    for (std::size_t term = 0; term < terms; ++term) {
      const double weight = weight_of_term(match, term, statistics);
      score += inverse[term] * weight / (kSaturation + weight);
    }
    ranked.push_back({match.passage, score});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedPassage& a, const RankedPassage& b) {
    return a.score != b.score ? a.score > b.score : a.passage < b.passage;
  });
  return ranked;
}

}  // namespace whereof::retrieval
