// From masses to scores; pure.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "whereof/error.h"
#include "whereof/passage_ranking.h"

namespace whereof {
namespace {

// Adds weight x lift of one head.
void add_lift(std::span<const float> question, std::span<const float> content_free, double weight,
              std::vector<double>& scores) {
  for (std::size_t p = 0; p < question.size(); ++p) {
    scores[p] += weight * std::max(0.0F, question[p] - content_free[p]);
  }
}

double sum_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> standardised(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  const double count = static_cast<double>(std::max<std::size_t>(1, values.size()));
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / count);
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value = deviation > 0 ? (value - mean) / deviation : 0;
  return result;
}

// attention(p) of the rows that gave the table.
std::vector<double> scores_of(const PassageMasses& masses, const std::vector<float>& table,
                              const HeadWeights& weights) {
  const auto passages = static_cast<std::size_t>(masses.passages);
  std::vector<double> scores(passages, 0);
  const auto of_head = [&](const std::vector<float>& of_rows, std::int64_t layer,
                           std::int64_t head) {
    return std::span(of_rows).subspan(
        static_cast<std::size_t>(layer * masses.heads + head) * passages, passages);
  };
  if (!weights.is_fitted()) {
    const double equal = 1 / static_cast<double>(masses.layers * masses.heads);
    for (std::int64_t layer = 0; layer < masses.layers; ++layer) {
      for (std::int64_t head = 0; head < masses.heads; ++head) {
        add_lift(of_head(table, layer, head), of_head(masses.content_free, layer, head), equal,
                 scores);
      }
    }
    return scores;
  }
  for (const HeadWeight& chosen : weights.heads) {
    if (chosen.layer < 0 || chosen.layer >= masses.layers || chosen.head < 0 ||
        chosen.head >= masses.heads) {
      throw Error(ErrorKind::invalid_argument,
                  weights.source + ": head " + std::to_string(chosen.head) + " of layer " +
                      std::to_string(chosen.layer) + ", but the masses are of " +
                      std::to_string(masses.layers) + " layers of " + std::to_string(masses.heads) +
                      " heads");
    }
    const auto of_question = of_head(table, chosen.layer, chosen.head);
    const double total = sum_of(of_question);
    if (total <= 0) continue;
    add_lift(of_question, of_head(masses.content_free, chosen.layer, chosen.head),
             chosen.weight / total, scores);
  }
  return scores;
}

void require_same_count(std::span<const double> attention, std::span<const double> full_text) {
  if (attention.size() == full_text.size()) return;
  throw Error(ErrorKind::invalid_argument, std::to_string(attention.size()) +
                                               " scores of attention and " +
                                               std::to_string(full_text.size()) + " of full text");
}

}  // namespace

std::vector<double> attention_scores(const PassageMasses& masses, std::size_t question,
                                     const HeadWeights& weights) {
  return scores_of(masses, masses.questions.at(question), weights);
}

void score_signals(const PassageMasses& masses, std::size_t question, const HeadWeights& weights,
                   AnswerSignals& signals) {
  std::vector<double> scores = attention_scores(masses, question, weights);
  signals.question_score = std::accumulate(scores.begin(), scores.end(), 0.0);
  if (!masses.answers.empty()) {
    const std::vector<double> of_answer = scores_of(masses, masses.answers.at(question), weights);
    for (std::size_t p = 0; p < scores.size(); ++p) scores[p] += of_answer[p];
  }
  const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
  signals.best_passage_score = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  signals.best_share = total > 0 ? signals.best_passage_score / total : 0;
}

std::vector<double> combined_scores(std::span<const double> attention,
                                    std::span<const double> full_text, const HeadWeights& weights) {
  require_same_count(attention, full_text);
  std::vector<double> scores = weights.is_fitted()
                                   ? std::vector<double>(attention.begin(), attention.end())
                                   : standardised(attention);
  const std::vector<double> words = standardised(full_text);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += weights.full_text_weight * words[i];
  return scores;
}

double words_at_best(std::span<const double> attention, std::span<const double> full_text) {
  require_same_count(attention, full_text);
  const auto best = std::max_element(attention.begin(), attention.end());
  if (best == attention.end() || !(*best > 0)) return 0;
  return standardised(full_text)[static_cast<std::size_t>(best - attention.begin())];
}

}  // namespace whereof
