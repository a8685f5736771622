// AUROC is the Mann-Whitney statistic: with R the sum of the positives' ranks among all scores
// (equal scores share their mean rank), AUROC = (R - p (p + 1) / 2) / (p n).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::vector<ScoredLabel> best_first(std::span<const ScoredLabel> scored) {
  std::vector<ScoredLabel> sorted(scored.begin(), scored.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const ScoredLabel& a, const ScoredLabel& b) { return a.score > b.score; });
  return sorted;
}

// From 0; equal values share the mean of theirs.
std::vector<double> mean_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) {
      ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    }
    first = end;
  }
  return ranks;
}

// Disjoint, ascending, together covering the same places.
std::vector<Span> merged(std::span<const Span> spans) {
  std::vector<Span> sorted(spans.begin(), spans.end());
  std::sort(sorted.begin(), sorted.end(), [](Span a, Span b) { return a.begin < b.begin; });
  std::vector<Span> merged;
  for (const Span span : sorted) {
    if (span.is_empty()) continue;
    if (!merged.empty() && span.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, span.end);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

std::int64_t total_length(std::span<const Span> spans) {
  std::int64_t length = 0;
  for (const Span span : spans) length += span.length();
  return length;
}

std::int64_t shared_length(std::span<const Span> a, std::span<const Span> b) {
  std::int64_t length = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    length +=
        std::max<std::int64_t>(0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    a[i].end < b[j].end ? ++i : ++j;
  }
  return length;
}

std::int64_t count_overlapping(std::span<const Span> spans, std::span<const Span> others) {
  return std::count_if(spans.begin(), spans.end(), [&](Span span) {
    return std::any_of(others.begin(), others.end(),
                       [&](Span other) { return span.overlaps(other); });
  });
}

}  // namespace

std::int64_t first_hit(std::span<const Span> ranked, std::span<const Span> gold) {
  for (std::size_t place = 0; place < ranked.size(); ++place) {
    if (count_overlapping(ranked.subspan(place, 1), gold) > 0) {
      return static_cast<std::int64_t>(place) + 1;
    }
  }
  return 0;
}

double recall_at(std::span<const std::int64_t> first_hits, std::int64_t k) {
  const auto found = std::count_if(first_hits.begin(), first_hits.end(),
                                   [k](std::int64_t place) { return place >= 1 && place <= k; });
  return ratio(static_cast<double>(found), static_cast<double>(first_hits.size()));
}

double mean_reciprocal_rank(std::span<const std::int64_t> first_hits) {
  double sum = 0;
  for (const std::int64_t place : first_hits) {
    if (place >= 1) sum += 1 / static_cast<double>(place);
  }
  return ratio(sum, static_cast<double>(first_hits.size()));
}

RankingFigures ranking_figures(std::span<const std::int64_t> first_hits) {
  return {recall_at(first_hits, 1), recall_at(first_hits, 5), recall_at(first_hits, 10),
          recall_at(first_hits, 30), mean_reciprocal_rank(first_hits)};
}

double auroc(std::span<const ScoredLabel> scored) {
  const std::vector<ScoredLabel> sorted = best_first(scored);
  double positives = 0;
  double rank_sum = 0;  // of positives, from the lowest score up
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && sorted[end].score == sorted[begin].score) ++end;
    const double best_rank = static_cast<double>(sorted.size() - begin);
    const double worst_rank = static_cast<double>(sorted.size() - end + 1);
    for (std::size_t i = begin; i < end; ++i) {
      if (!sorted[i].is_positive) continue;
      positives += 1;
      rank_sum += (best_rank + worst_rank) / 2;
    }
    begin = end;
  }
  const double negatives = static_cast<double>(sorted.size()) - positives;
  if (positives == 0 || negatives == 0) return sorted.empty() ? 0 : 0.5;
  return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

double rank_correlation(std::span<const double> one, std::span<const double> other) {
  if (one.size() != other.size()) {
    throw Error(ErrorKind::invalid_argument,
                std::to_string(one.size()) + " values against " + std::to_string(other.size()));
  }
  if (one.empty()) return 0;
  const std::vector<double> a = mean_ranks(one);
  const std::vector<double> b = mean_ranks(other);
  const double mean = static_cast<double>(one.size() - 1) / 2;
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - mean) * (b[i] - mean);
    squares_a += (a[i] - mean) * (a[i] - mean);
    squares_b += (b[i] - mean) * (b[i] - mean);
  }
  const double scale = std::sqrt(squares_a * squares_b);
  return scale > 0 ? products / scale : 0;
}

double precision_at_recall(std::span<const ScoredLabel> scored, double recall) {
  const std::vector<ScoredLabel> sorted = best_first(scored);
  const auto positives = static_cast<double>(std::count_if(
      sorted.begin(), sorted.end(), [](const ScoredLabel& s) { return s.is_positive; }));
  double best = 0;
  double found = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].is_positive) found += 1;
    const bool is_threshold = i + 1 == sorted.size() || sorted[i + 1].score != sorted[i].score;
    if (is_threshold && positives > 0 && found / positives >= recall) {
      best = std::max(best, found / static_cast<double>(i + 1));
    }
  }
  return best;
}

std::vector<std::pair<double, double>> risk_by_coverage(std::span<const ScoredLabel> scored) {
  std::vector<ScoredLabel> order(scored.begin(), scored.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const ScoredLabel& a, const ScoredLabel& b) { return a.score > b.score; });
  std::vector<std::pair<double, double>> curve;
  double negatives = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!order[i].is_positive) ++negatives;
    if (i + 1 < order.size() && order[i + 1].score == order[i].score) continue;
    const auto taken = static_cast<double>(i + 1);
    curve.emplace_back(taken / static_cast<double>(order.size()), negatives / taken);
  }
  return curve;
}

CitationCounts& CitationCounts::operator+=(const CitationCounts& other) {
  cited += other.cited;
  cited_right += other.cited_right;
  gold += other.gold;
  gold_found += other.gold_found;
  cited_characters += other.cited_characters;
  gold_characters += other.gold_characters;
  shared_characters += other.shared_characters;
  return *this;
}

double CitationCounts::precision() const { return ratio(double(cited_right), double(cited)); }
double CitationCounts::recall() const { return ratio(double(gold_found), double(gold)); }
double CitationCounts::character_precision() const {
  return ratio(double(shared_characters), double(cited_characters));
}
double CitationCounts::character_recall() const {
  return ratio(double(shared_characters), double(gold_characters));
}

CitationCounts compare_citations(std::span<const Span> cited, std::span<const Span> gold) {
  const std::vector<Span> cited_places = merged(cited);
  const std::vector<Span> gold_places = merged(gold);
  CitationCounts counts;
  counts.cited = static_cast<std::int64_t>(cited.size());
  counts.cited_right = count_overlapping(cited, gold);
  counts.gold = static_cast<std::int64_t>(gold.size());
  counts.gold_found = count_overlapping(gold, cited);
  counts.cited_characters = total_length(cited_places);
  counts.gold_characters = total_length(gold_places);
  counts.shared_characters = shared_length(cited_places, gold_places);
  return counts;
}

}  // namespace whereof
