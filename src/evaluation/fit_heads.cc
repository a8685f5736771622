// Heads by gradient descent; the formula stands in whereof/calibration_fit.h.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "evaluation/fit_parts.h"
#include "whereof/calibration_fit.h"

namespace whereof {
namespace {

constexpr int kSteps = 400;
constexpr double kFirstRate = 0.02;  // of Adam, and for the last two fifths of the steps
constexpr double kLastRate = 0.006;
constexpr double kSmallestShare = 1e-3;  // of the largest weight: a smaller one is dropped
constexpr double kLeastUnit = 1e-9;

// One question: what each head, and full text, give each passage.
struct Table {
  std::size_t passages = 0;
  std::vector<float> rows;  // [heads of all layers + 1, passages]
  std::vector<std::size_t> gold;
  double part = 0;  // of the sum that is made small
};

std::vector<double> standardised(const std::vector<double>& values) {
  const double count = static_cast<double>(std::max<std::size_t>(1, values.size()));
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / count);
  std::vector<double> result;
  for (const double value : values) {
    result.push_back(deviation > 0 ? (value - mean) / deviation : 0);
  }
  return result;
}

Table table_of(const CalibrationExample& example) {
  const PassageMasses& masses = *example.masses;
  const std::vector<float>& question = masses.questions.at(example.question);
  Table table;
  table.passages = static_cast<std::size_t>(masses.passages);
  table.gold = example.gold;
  table.rows.reserve(question.size() + table.passages);
  for (std::size_t row = 0; row < question.size(); row += table.passages) {
    double total = 0;
    for (std::size_t p = row; p < row + table.passages; ++p) {
      total += static_cast<double>(question[p]);
    }
    for (std::size_t p = row; p < row + table.passages; ++p) {
      const double lift = std::max(0.0F, question[p] - masses.content_free[p]);
      table.rows.push_back(total > 0 ? static_cast<float>(lift / total) : 0);
    }
  }
  for (const double word : standardised(example.words)) {
    table.rows.push_back(static_cast<float>(word));
  }
  return table;
}

// Heads differ by orders of magnitude in what they give: the root of the mean square of each.
std::vector<double> units_of(const std::vector<Table>& tables, std::size_t heads) {
  std::vector<double> units(heads, 0);
  for (const Table& table : tables) {
    for (std::size_t h = 0; h < heads; ++h) {
      double squares = 0;
      for (std::size_t p = 0; p < table.passages; ++p) {
        const double share = table.rows[h * table.passages + p];
        squares += share * share;
      }
      units[h] += squares / static_cast<double>(table.passages);
    }
  }
  for (double& unit : units) {
    unit = std::sqrt(unit / static_cast<double>(tables.size())) + kLeastUnit;
  }
  return units;
}

// Adds the slope of one question's cross-entropy.
void add_slope(const Table& table, const std::vector<double>& weights, std::vector<double>& slope) {
  const std::size_t passages = table.passages;
  std::vector<double> odds(passages, 0);
  for (std::size_t h = 0; h < weights.size(); ++h) {
    if (weights[h] == 0) continue;
    for (std::size_t p = 0; p < passages; ++p) {
      odds[p] += weights[h] * static_cast<double>(table.rows[h * passages + p]);
    }
  }
  const double largest = *std::max_element(odds.begin(), odds.end());
  double total = 0;
  double right = 0;
  for (double& value : odds) total += value = std::exp(value - largest);
  for (const std::size_t p : table.gold) right += odds[p];
  std::vector<float> error(passages);
  for (std::size_t p = 0; p < passages; ++p) error[p] = static_cast<float>(odds[p] / total);
  for (const std::size_t p : table.gold) error[p] -= static_cast<float>(odds[p] / right);
  for (std::size_t h = 0; h < slope.size(); ++h) {
    const float* row = table.rows.data() + h * passages;
    float sum = 0;
    for (std::size_t p = 0; p < passages; ++p) sum += row[p] * error[p];
    slope[h] += table.part * static_cast<double>(sum);
  }
}

// Weights of heads, each in its unit, and of full text at the end.
std::vector<double> descend(const std::vector<Table>& tables, std::size_t heads,
                            const FitOptions& options) {
  std::vector<double> weights(heads + 1, 0.5 / static_cast<double>(heads));
  weights[heads] = 0.5;
  std::vector<double> mean(heads + 1, 0);
  std::vector<double> square(heads + 1, 0);
  for (int step = 1; step <= kSteps; ++step) {
    std::vector<double> slope(heads + 1, 0);
    for (const Table& table : tables) add_slope(table, weights, slope);
    const double rate = step < 0.6 * kSteps ? kFirstRate : kLastRate;
    for (std::size_t h = 0; h <= heads; ++h) {
      if (h < heads) slope[h] += options.head_l2 * weights[h] + options.head_l1;
      mean[h] = 0.9 * mean[h] + 0.1 * slope[h];
      square[h] = 0.99 * square[h] + 0.01 * slope[h] * slope[h];
      const double move = mean[h] / (1 - std::pow(0.9, step)) /
                          (std::sqrt(square[h] / (1 - std::pow(0.99, step))) + 1e-9);
      weights[h] = std::max(0.0, weights[h] - rate * move);
    }
  }
  return weights;
}

}  // namespace

HeadWeights fit_heads(const CalibrationExamples& examples, const FitOptions& options) {
  HeadWeights result;
  result.source = "all heads alike";
  std::vector<const CalibrationExample*> fitted;
  for (const CalibrationExample& example : examples.all) {
    if (example.half == options.half && !example.gold.empty()) fitted.push_back(&example);
  }
  if (fitted.empty()) return result;
  const std::vector<double> parts = evaluation::parts_of_sets(fitted);
  std::vector<Table> tables;
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    tables.push_back(table_of(*fitted[i]));
    tables.back().part = parts[i];
  }
  const auto heads = static_cast<std::size_t>(examples.layers * examples.heads);
  const std::vector<double> units = units_of(tables, heads);
  for (Table& table : tables) {
    for (std::size_t i = 0; i < heads * table.passages; ++i) {
      table.rows[i] =
          static_cast<float>(static_cast<double>(table.rows[i]) / units[i / table.passages]);
    }
  }
  std::vector<double> weights = descend(tables, heads, options);
  result.full_text_weight = weights[heads];
  for (std::size_t h = 0; h < heads; ++h) weights[h] /= units[h];
  const double largest = *std::max_element(weights.begin(), weights.end() - 1);
  for (std::size_t h = 0; h < heads; ++h) {
    if (!(weights[h] > kSmallestShare * largest)) continue;
    const auto at = static_cast<std::int64_t>(h);
    result.heads.push_back({at / examples.heads, at % examples.heads, weights[h]});
  }
  std::stable_sort(result.heads.begin(), result.heads.end(),
                   [](const HeadWeight& a, const HeadWeight& b) { return a.weight > b.weight; });
  if (result.is_fitted()) result.source = "fitted";
  return result;
}

}  // namespace whereof
