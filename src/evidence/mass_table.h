// Span mass of many rows, layer by layer and head by head, and what is read off it.
//
// The score of a span, for the rows of a question or an answer (in-context re-ranking, Chen et al.
// 2024, arXiv 2410.02642):
//   score(span) = mean over layers and heads of  mass(span, rows) - mass(span, content-free rows)
// where the content-free rows ask nothing ("N/A") of the same document: what is left is what the
// rows look for, not where every row looks (sinks, the last clause, long clauses).
#ifndef WHEREOF_EVIDENCE_MASS_TABLE_H_
#define WHEREOF_EVIDENCE_MASS_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "whereof/calibration.h"
#include "whereof/evidence.h"
#include "whereof/span.h"

namespace whereof::evidence {

// Sums of evidence with one group (EvidenceRows::all_summed) over calls and rows. Batch 1.
class MassTable {
 public:
  // One Evidence a layer, all of the same shape as before. Throws Error(invalid_argument) else.
  void add(std::span<const Evidence> layers);
  // All that the other table holds; of the same shape, or of none yet.
  void add(const MassTable& other);

  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t layers() const noexcept { return layers_; }
  std::int64_t heads() const noexcept { return heads_; }
  std::int64_t spans() const noexcept { return spans_; }

  // Means over rows; 0 when there are none.
  double mass(std::int64_t layer, std::int64_t head, std::int64_t span) const;
  double sink_mass() const;                    // mean over layers and heads too
  double sink_mass(std::int64_t layer) const;  // mean over heads
  double entropy(std::int64_t layer) const;    // likewise, nats
  double log_sum_exp(std::int64_t layer, std::int64_t head) const;
  double mass_of_all_spans(std::int64_t layer, std::int64_t head) const;
  // [layers, heads, spans], means over rows.
  std::vector<float> mean_masses() const;
  // Mean over layers and heads of the mass of all spans together.
  double mass_of_all_spans() const;
  // [spans], mean over layers and heads.
  std::vector<double> mean_span_mass() const;

 private:
  // Of [layers, heads] sums.
  double mean_over_heads(const std::vector<double>& sums, std::int64_t layer) const;

  std::int64_t rows_ = 0;
  std::int64_t layers_ = 0;
  std::int64_t heads_ = 0;
  std::int64_t spans_ = 0;
  std::vector<double> span_mass_;    // [layers, heads, spans]
  std::vector<double> sink_mass_;    // [layers, heads]
  std::vector<double> entropy_;      // [layers, heads]
  std::vector<double> log_sum_exp_;  // [layers, heads]
};

// The formula above, where no heads are chosen; else, for a model with chosen heads,
//   score(span) = sum over them of weight x max(0, mass(span, rows) - mass(span, content-free
//   rows))
//                 / mass(all spans, rows)
// as passages are ranked (whereof/passage_ranking.h). Never below zero. [spans].
// Error(invalid_argument) for a head that the table does not have.
std::vector<double> span_scores(const MassTable& rows, const MassTable& content_free_rows,
                                const HeadWeights& weights);

// Takes the last key span out of the evidence of every layer; returns its mass, [layers, heads],
// summed over rows. Batch 1, one group.
std::vector<double> take_last_span(std::span<Evidence> layers);

// d / (d + a), d and a being the mean weights on a token of the document and on one of the answer
// itself; mean over heads. [layers, heads] each. 0 where nothing is there to compare.
double lookback_ratio(std::span<const Evidence> layers, std::int64_t document_tokens,
                      std::span<const double> answer_mass, std::int64_t answer_tokens);

// The largest weight that any head of any layer puts on a key inside one of the spans, from the top
// keys of the evidence. 0 when no top key lies in a span. Spans ascending, disjoint.
double largest_weight_on(std::span<const Evidence> layers, std::span<const Span> spans);

}  // namespace whereof::evidence

#endif  // WHEREOF_EVIDENCE_MASS_TABLE_H_
