#include "answering/citations.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace whereof::answering {
namespace {

struct CitedClause {
  double score = 0;
  std::int64_t tokens = 0;
  std::size_t best_sentence = 0;
  double best_score = -1;
};

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

}  // namespace

std::vector<Citation> cite(const Document& document, std::span<const ReadSentence> sentences,
                           std::span<const double> scores, std::int64_t limit) {
  std::map<std::int32_t, CitedClause> clauses;
  double total_score = 0;
  std::int64_t total_tokens = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CitedClause& cited = clauses[sentences[i].clause];
    cited.score += scores[i];
    cited.tokens += sentences[i].tokens.length();
    if (scores[i] > cited.best_score) {
      cited.best_score = scores[i];
      cited.best_sentence = i;
    }
    total_score += scores[i];
    total_tokens += sentences[i].tokens.length();
  }
  std::vector<Citation> citations;
  for (const auto& [clause, cited] : clauses) {
    if (cited.score <= 0) continue;
    Citation citation = citation_of(document, clause, sentences[cited.best_sentence].document);
    citation.share = cited.score / total_score;
    citation.lift = citation.share * static_cast<double>(total_tokens) /
                    static_cast<double>(std::max<std::int64_t>(1, cited.tokens));
    citations.push_back(std::move(citation));
  }
  std::stable_sort(citations.begin(), citations.end(),
                   [](const Citation& a, const Citation& b) { return a.share > b.share; });
  if (static_cast<std::int64_t>(citations.size()) > limit) {
    citations.resize(static_cast<std::size_t>(std::max<std::int64_t>(limit, 0)));
  }
  return citations;
}

}  // namespace whereof::answering
