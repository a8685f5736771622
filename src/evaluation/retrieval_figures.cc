#include <algorithm>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

constexpr std::int64_t kDeepest = 100;  // hits looked at for the reciprocal rank

}  // namespace

Span source_span(const Document& document, Span text_bytes) {
  if (text_bytes.is_empty()) return {};
  const auto begin = document.source_code_point(text_bytes.begin);
  const auto last = document.source_code_point(text_bytes.end - 1);
  if (!begin || !last) return text_bytes;
  return {*begin, *last + 1};
}

RetrievalFigures measure_retrieval(const QuestionSet& set, std::span<const Document> documents,
                                   Library& library) {
  if (documents.size() != set.documents.size()) {
    throw Error(ErrorKind::invalid_argument,
                "a question set of " + std::to_string(set.documents.size()) + " documents, but " +
                    std::to_string(documents.size()) + " were read");
  }
  std::vector<std::int64_t> first_hits;
  std::vector<ScoredLabel> best_scores;
  std::vector<ScoredLabel> covered_scores;
  for (const GoldQuestion& question : set.questions) {
    const Document& document = documents[static_cast<std::size_t>(question.document)];
    const std::vector<Hit> hits =
        library.search(question.text, kDeepest, document.content_hash, question.more_words);
    double covered = 0;
    for (const Hit& hit : hits) covered = std::max(covered, hit.score * hit.coverage);
    best_scores.push_back({hits.empty() ? 0 : hits.front().score, question.is_answerable});
    covered_scores.push_back({covered, question.is_answerable});
    if (!question.is_answerable || question.gold.empty()) continue;
    std::vector<Span> places;
    for (const Hit& hit : hits) places.push_back(source_span(document, hit.where.text));
    first_hits.push_back(first_hit(places, question.gold));
  }
  RetrievalFigures figures;
  figures.documents = static_cast<std::int64_t>(documents.size());
  figures.answerable = static_cast<std::int64_t>(first_hits.size());
  figures.unanswerable = static_cast<std::int64_t>(set.questions.size()) - figures.answerable;
  figures.recall_at_1 = recall_at(first_hits, 1);
  figures.recall_at_5 = recall_at(first_hits, 5);
  figures.recall_at_10 = recall_at(first_hits, 10);
  figures.mean_reciprocal_rank = mean_reciprocal_rank(first_hits);
  figures.best_score_auroc = auroc(best_scores);
  figures.covered_score_auroc = auroc(covered_scores);
  return figures;
}

}  // namespace whereof
