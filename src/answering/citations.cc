#include "answering/citations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace whereof::answering {
namespace {

struct CitedClause {
  double score = 0;
  double rank = 0;  // score, and more for the answer's figures
  std::int64_t tokens = 0;
  std::size_t best_sentence = 0;
  double best_rank = -1;
};

// Sums of many scores stay finite.
constexpr double kLargestScore = 1e100;

double usable(double score) {
  return std::isfinite(score) && score > 0 ? std::min(score, kLargestScore) : 0;
}

}  // namespace

Citation citation_of(const Document& document, std::int32_t clause_index, Span quotation) {
  Citation citation;
  citation.clause = clause_index;
  if (clause_index >= 0) {
    const Clause& clause = document.clauses[static_cast<std::size_t>(clause_index)];
    citation.label = clause.label;
    citation.heading = clause.heading;
  }
  citation.page = document.page_of(quotation.begin);
  if (document.report.pages > 0 &&
      static_cast<std::size_t>(citation.page) < document.pages.size()) {
    citation.page_label = document.pages[static_cast<std::size_t>(citation.page)].label;
  }
  citation.quotation = quotation;
  citation.quotation_text = std::string(document.slice(quotation));
  return citation;
}

std::vector<Citation> cite(const Document& document, std::span<const ReadSentence> sentences,
                           std::span<const double> scores, std::span<const double> favours,
                           std::int64_t limit) {
  std::map<std::int32_t, CitedClause> clauses;
  double total_score = 0;
  std::int64_t total_tokens = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const double score = i < scores.size() ? usable(scores[i]) : 0;
    const double rank = score * (1 + (i < favours.size() ? favours[i] : 0));
    CitedClause& cited = clauses[sentences[i].clause];
    cited.score += score;
    cited.rank += rank;
    cited.tokens += sentences[i].tokens.length();
    if (rank > cited.best_rank) {
      cited.best_rank = rank;
      cited.best_sentence = i;
    }
    total_score += score;
    total_tokens += sentences[i].tokens.length();
  }
  struct Ranked {
    double rank;
    Citation citation;
  };
  std::vector<Ranked> ranked;
  for (const auto& [clause, cited] : clauses) {
    if (cited.score <= 0) continue;
    Citation citation = citation_of(document, clause, sentences[cited.best_sentence].document);
    citation.share = cited.score / total_score;
    citation.lift = citation.share * static_cast<double>(total_tokens) /
                    static_cast<double>(std::max<std::int64_t>(1, cited.tokens));
    ranked.push_back({cited.rank, std::move(citation)});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank > b.rank; });
  std::vector<Citation> citations;
  for (Ranked& one : ranked) {
    if (std::ssize(citations) >= limit) break;
    citations.push_back(std::move(one.citation));
  }
  return citations;
}

}  // namespace whereof::answering
