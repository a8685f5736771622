// Passages ranked by the model's own attention.
//
// A document is read once, in windows; then each question, and a question without content, is read
// over the same keys. With m(h, p) the mean weight that the question's rows put on passage p with
// head h, and m0(h, p) that of the content-free rows:
//
//     lift(h, p)   = max(0, m(h, p) - m0(h, p))
//     share(h, p)  = lift(h, p) / sum over all passages of m(h, .)
//     attention(p) = sum over the chosen heads of weight(h) share(h, p)
//     both(p)      = attention(p) + weight of full text x its standardised score
//
// Where no heads are chosen, attention(p) is the mean of lift(h, p) over all heads, standardised
// before the full text is added. Standardised: mean 0 and deviation 1 over the passages.
//
// after in-context re-ranking (Chen et al. 2024, arXiv 2410.02642) and chosen heads (Zhang et al.
// 2025, arXiv 2506.09944). What is fitted are the weights: a readable file for each model.
#ifndef WHEREOF_PASSAGE_RANKING_H_
#define WHEREOF_PASSAGE_RANKING_H_

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "whereof/calibration.h"
#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/progress.h"
#include "whereof/retrieval.h"

namespace whereof {

// The mass of questions' rows on passages, head by head.
struct PassageMasses {
  std::int64_t layers = 0;
  std::int64_t heads = 0;  // of a layer
  std::int64_t passages = 0;
  std::vector<float> content_free;            // [layers, heads, passages], means over rows
  std::vector<std::vector<float>> questions;  // for each question the same
  // Of the rows of each question's answer, where answers were given, else empty.
  std::vector<std::vector<float>> answers;
};

struct PassageMassOptions {
  std::int64_t window_tokens = 8192;      // longest piece of document that is read in one window
  std::vector<std::string> earlier = {};  // questions that stand before each, oldest first
  int threads = 0;
  std::shared_ptr<SharedSteps> shared_steps = nullptr;  // ContextOptions::shared_steps
  ProgressCallback progress;
  std::stop_token stop;
};

// Reads the passages (ascending, disjoint) in as few windows of about equal length as hold them,
// and all questions over each. Questions are put in the language of the first one. Throws what
// Context throws; Error(over_window) for a question that fits no window.
PassageMasses read_passage_masses(const Document& document, std::span<const Passage> passages,
                                  std::span<const std::string> questions,
                                  const std::shared_ptr<const Model>& model,
                                  const PassageMassOptions& options);

// attention(p) for one question; [passages]. Error(invalid_argument) for a head that the masses do
// not have.
std::vector<double> attention_scores(const PassageMasses& masses, std::size_t question,
                                     const HeadWeights& weights);

// Of signals, those that depend on the chosen heads: question_score, best_passage_score,
// best_share. Error as above.
void score_signals(const PassageMasses& masses, std::size_t question, const HeadWeights& weights,
                   AnswerSignals& signals);

// both(p), of attention_scores() and full-text scores of the same passages. Error(invalid_argument)
// for counts that differ.
std::vector<double> combined_scores(std::span<const double> attention,
                                    std::span<const double> full_text, const HeadWeights& weights);

// Whether two ways of finding agree: the standardised full-text score of the passage whose
// attention score is the largest; 0 where no passage has one. Error as above.
double words_at_best(std::span<const double> attention, std::span<const double> full_text);

}  // namespace whereof

#endif  // WHEREOF_PASSAGE_RANKING_H_
