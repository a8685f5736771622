// BM25F (Robertson, Zaragoza, Taylor 2004) over groups of synonyms: with tf(t, f) the count of term
// t in field f, and share(t) 1 for the question's own word and less for another in its place,
//
//     w(g) = sum over t in g of share(t)
//            sum over f of weight(f) tf(t, f) / (1 - b(f) + b(f) length(f) / mean length(f))
//     score = sum over g of idf(g) w(g) / (k1 + w(g)),
//     idf(g) = ln(1 + (N - n(g) + 0.5) / (n(g) + 0.5)),
//
// N passages, n(g) of them with the question's word in any field (with any term of the group where
// it is in none: the others then stand for it with the share kAbsentShare). The statistics are
// those of the passages that are searched, so a document's ranking does not depend on what else the
// library holds.
#include "retrieval/ranking.h"

#include <algorithm>
#include <cmath>

namespace whereof::retrieval {
namespace {

constexpr double kSaturation = 1.2;  // k1
constexpr std::array<double, kFieldCount> kWeights = {1, 3, 1};
constexpr std::array<double, kFieldCount> kLengthShares = {0, 0.3, 0.75};  // b
// A clause that the question names by its number outweighs words.
constexpr double kLabelWeight = 4;
// A Chinese character says less than the word that it is of.
constexpr double kCharacterShare = 0.5;
// The question's own words say more than those that a model adds.
constexpr double kAddedShare = 0.5;
constexpr double kSynonymShare = 0.25;  // of a word of its own
// The same where the question's word occurs nowhere: people's words for what drafters call
// otherwise.
constexpr double kAbsentShare = 0.6;

struct GroupWeight {
  double inverse = 0;  // idf
  double synonym_share = kSynonymShare;
};

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

GroupWeight weigh(std::span<const TermCounts> matches, const TermGroup& group, double passages) {
  const auto count_with = [&](std::size_t first, std::size_t end) {
    return std::count_if(matches.begin(), matches.end(), [&](const TermCounts& match) {
      for (std::size_t term = first; term < end; ++term) {
        if (occurs(match, term)) return true;
      }
      return false;
    });
  };
  GroupWeight weight;
  auto matching = count_with(group.first, group.first + 1);
  if (matching == 0) {
    matching = count_with(group.first, group.first + group.count);
    weight.synonym_share = kAbsentShare;
  }
  weight.inverse = inverse_frequency(passages, static_cast<double>(matching));
  if (group.is_label) weight.inverse *= kLabelWeight;
  if (group.is_character) weight.inverse *= kCharacterShare;
  if (group.is_added) weight.inverse *= kAddedShare;
  return weight;
}

double weight_of_group(const TermCounts& match, const TermGroup& group, double synonym_share,
                       const FieldStatistics& all) {
  double weight = weight_of_term(match, group.first, all);
  for (std::size_t i = 1; i < group.count; ++i) {
    weight += synonym_share * weight_of_term(match, group.first + i, all);
  }
  return weight;
}

}  // namespace

std::vector<RankedPassage> rank(std::span<const TermCounts> matches,
                                std::span<const TermGroup> groups,
                                const FieldStatistics& statistics) {
  std::vector<GroupWeight> weights;
  double whole = 0;
  for (const TermGroup& group : groups) {
    weights.push_back(weigh(matches, group, statistics.passages));
    if (!group.is_added) whole += weights.back().inverse;
  }
  std::vector<RankedPassage> ranked;
  ranked.reserve(matches.size());
  for (const TermCounts& match : matches) {
    double score = 0;
    double covered = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double weight = weight_of_group(match, groups[i], weights[i].synonym_share, statistics);
      score += weights[i].inverse * weight / (kSaturation + weight);
      if (weight > 0 && !groups[i].is_added) covered += weights[i].inverse;
    }
    ranked.push_back({match.passage, score, whole > 0 ? covered / whole : 0});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedPassage& a, const RankedPassage& b) {
    return a.score != b.score ? a.score > b.score : a.passage < b.passage;
  });
  return ranked;
}

}  // namespace whereof::retrieval
