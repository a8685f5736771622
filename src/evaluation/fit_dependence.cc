// Heads that foretell falls, by coordinate descent; the formulas stand in whereof/dependence_fit.h.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "whereof/dependence_fit.h"

namespace whereof {
namespace {

constexpr int kRounds = 200;
constexpr double kSmallestShare = 1e-3;  // of the largest weight: a smaller one is dropped
constexpr double kLeastUnit = 1e-9;

// Less the mean.
void centre(std::vector<double>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(1, values.size()));
  for (double& value : values) value -= mean;
}

// What is made small: 1/2 w' products w - targets' w, of weights in units.
struct Quadratic {
  std::size_t count = 0;
  std::vector<double> products;  // [count, count]
  std::vector<double> targets;
  std::vector<double> units;
};

// The rows of one table, [heads, clauses], as shares less their means, behind those that are there.
void add_shares(const std::vector<float>& rows, const std::vector<float>& content_free,
                std::size_t clauses, std::vector<std::vector<double>>& shares) {
  for (std::size_t row = 0; row < content_free.size(); row += clauses) {
    std::vector<double>& of_head = shares.emplace_back(clauses, 0.0);
    if (rows.empty()) continue;
    double total = 0;
    for (std::size_t c = 0; c < clauses; ++c) total += static_cast<double>(rows[row + c]);
    if (total <= 0) continue;
    for (std::size_t c = 0; c < clauses; ++c) {
      of_head[c] =
          static_cast<double>(std::max(0.0F, rows[row + c] - content_free[row + c])) / total;
    }
    centre(of_head);
  }
}

void add_example(const DependenceExample& example, double fall_unit, Quadratic& sum) {
  const PassageMasses& masses = *example.masses;
  const auto clauses = static_cast<std::size_t>(masses.passages);
  std::vector<std::vector<double>> shares;
  add_shares(masses.questions.at(example.question), masses.content_free, clauses, shares);
  add_shares(masses.answers.at(example.question), masses.content_free, clauses, shares);
  std::vector<double> falls;
  for (const double fall : example.falls) falls.push_back(std::asinh(fall / fall_unit));
  centre(falls);
  const auto part = 1 / static_cast<double>(clauses);
  for (std::size_t i = 0; i < sum.count; ++i) {
    double target = 0;
    for (std::size_t c = 0; c < clauses; ++c) target += shares[i][c] * falls[c];
    sum.targets[i] += part * target;
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t c = 0; c < clauses; ++c) product += shares[i][c] * shares[j][c];
      sum.products[i * sum.count + j] += part * product;
    }
  }
}

Quadratic quadratic_of(const DependenceExamples& examples, const DependenceFitOptions& options) {
  Quadratic sum;
  sum.count = static_cast<std::size_t>(2 * examples.layers * examples.heads);
  sum.products.assign(sum.count * sum.count, 0);
  sum.targets.assign(sum.count, 0);
  double answers = 0;
  for (const DependenceExample& example : examples.all) {
    if (example.half != options.half) continue;
    add_example(example, options.fall_unit, sum);
    ++answers;
  }
  if (answers == 0) return {};
  for (std::size_t i = 0; i < sum.count; ++i) {
    sum.units.push_back(std::sqrt(sum.products[i * sum.count + i] / answers) + kLeastUnit);
  }
  for (std::size_t i = 0; i < sum.count; ++i) {
    sum.targets[i] /= answers * sum.units[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const double product =
          sum.products[i * sum.count + j] / (answers * sum.units[i] * sum.units[j]);
      sum.products[i * sum.count + j] = product;
      sum.products[j * sum.count + i] = product;
    }
  }
  return sum;
}

// Non-negative weights, each in its unit.
std::vector<double> descend(const Quadratic& sum, const DependenceFitOptions& options) {
  std::vector<double> weights(sum.count, 0);
  std::vector<double> slopes = sum.targets;  // less products weights
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < sum.count; ++i) {
      const double* row = sum.products.data() + i * sum.count;
      const double wanted = (slopes[i] + row[i] * weights[i] - options.l1) / (row[i] + options.l2);
      const double move = std::max(0.0, wanted) - weights[i];
      if (move == 0) continue;
      weights[i] += move;
      for (std::size_t j = 0; j < sum.count; ++j) slopes[j] -= move * row[j];
    }
  }
  return weights;
}

void add_scores(const std::vector<float>& rows, const PassageMasses& masses,
                const std::vector<HeadWeight>& heads, std::vector<double>& scores) {
  if (heads.empty() || rows.empty()) return;
  HeadWeights weights;
  weights.source = "depends";
  weights.heads = heads;
  const PassageMasses one{masses.layers,       masses.heads, masses.passages,
                          masses.content_free, {rows},       {}};
  const std::vector<double> found = attention_scores(one, 0, weights);
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += found[c];
}

}  // namespace

DependenceWeights fit_dependence(const DependenceExamples& examples,
                                 const DependenceFitOptions& options) {
  DependenceWeights result;
  const Quadratic sum = quadratic_of(examples, options);
  if (sum.count == 0) return result;
  std::vector<double> weights = descend(sum, options);
  for (std::size_t i = 0; i < sum.count; ++i) weights[i] /= sum.units[i];
  const double largest = *std::max_element(weights.begin(), weights.end());
  const auto rows = examples.layers * examples.heads;
  for (std::size_t i = 0; i < sum.count; ++i) {
    if (!(weights[i] > kSmallestShare * largest)) continue;
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t row = at % rows;
    (at < rows ? result.question : result.answer)
        .push_back({row / examples.heads, row % examples.heads, weights[i]});
  }
  for (std::vector<HeadWeight>* heads : {&result.question, &result.answer}) {
    std::stable_sort(heads->begin(), heads->end(),
                     [](const HeadWeight& a, const HeadWeight& b) { return a.weight > b.weight; });
  }
  return result;
}

std::vector<double> foretold_falls(const PassageMasses& masses, std::size_t question,
                                   const DependenceWeights& weights) {
  std::vector<double> scores(static_cast<std::size_t>(masses.passages), 0);
  add_scores(masses.questions.at(question), masses, weights.question, scores);
  if (question < masses.answers.size()) {
    add_scores(masses.answers[question], masses, weights.answer, scores);
  }
  return scores;
}

}  // namespace whereof
