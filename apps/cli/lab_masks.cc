// The causal mask, as the library applies it: values that are the identity make the output the
// weights themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab.h"
#include "whereof/attention.h"

namespace whereof::cli {
namespace {

struct Weights {
  std::int64_t rows;
  std::int64_t keys;
  LabTensor of;  // [1, rows, 1, keys]

  double row_sum(std::int64_t row) {
    double sum = 0;
    for (std::int64_t j = 0; j < keys; ++j) sum += static_cast<double>(of.at(row, j));
    return sum;
  }
};

Weights random_weights(std::int64_t rows, std::int64_t keys, bool is_causal) {
  std::mt19937_64 random(7);
  LabTensor query = random_tensor({1, rows, 1, 16}, random);
  LabTensor key = random_tensor({1, keys, 1, 16}, random);
  LabTensor value = identity(keys);
  Weights weights{rows, keys, LabTensor({1, rows, 1, keys})};
  AttentionOptions options;
  options.mask.is_causal = is_causal;
  attention_forward(query.view(), key.view(), value.view(), weights.of.view(), options);
  return weights;
}

// Largest weight of a key after the row's own position; the last row stands at the last key.
double largest_hidden_weight(Weights& weights) {
  double largest = 0;
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    for (std::int64_t j = weights.keys - weights.rows + i + 1; j < weights.keys; ++j) {
      largest = std::max(largest, std::abs(static_cast<double>(weights.of.at(i, j))));
    }
  }
  return largest;
}

double worst_row_sum(Weights& weights) {
  double worst = 0;
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    worst = std::max(worst, std::abs(weights.row_sum(i) - 1));
  }
  return worst;
}

// What a mask after the softmax leaves: the row that sees one key of all.
double row_sum_zeroed_after(Weights weights) {
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    for (std::int64_t j = i + 1; j < weights.keys; ++j) weights.of.at(i, j) = 0;
  }
  return weights.row_sum(0);
}

std::string drawing_of(const char* title, Weights& weights) {
  std::string text = fmt::format("  {}\n    key   ", title);
  for (std::int64_t j = 0; j < weights.keys; ++j) text += fmt::format(" {}", j);
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    text += fmt::format("\n    row {} ", i);
    for (std::int64_t j = 0; j < weights.keys; ++j) {
      text += weights.of.at(i, j) > 0 ? " x" : " .";
    }
  }
  return text + "\n";
}

}  // namespace

LabReport lab_masks(const LabOptions&) {
  LabReport report{.title = "The causal mask is minus infinity before the softmax",
                   .lines = {},
                   .drawing = {},
                   .plot = {}};
  Weights causal = random_weights(8, 8, true);
  Weights full = random_weights(8, 8, false);
  Weights longer = random_weights(3, 5, true);
  report.lines = {at_most("above_diagonal", "largest weight above the diagonal",
                          largest_hidden_weight(causal), 0),
                  at_most("row_sums", "causal rows: largest distance of a sum from 1",
                          worst_row_sum(causal), 1e-6),
                  near("first_weight", "causal row 0: weight of key 0",
                       static_cast<double>(causal.of.at(0, 0)), 1, 0),
                  at_most("zeroed_after", "row 0 zeroed after the softmax instead: its sum",
                          row_sum_zeroed_after(full), 0.9),
                  at_most("aligned", "3 rows, 5 keys: largest weight right of the last diagonal",
                          largest_hidden_weight(longer), 0),
                  at_most("aligned_sums", "3 rows, 5 keys: largest distance of a sum from 1",
                          worst_row_sum(longer), 1e-6)};
  report.drawing = drawing_of("8 rows, 8 keys", causal) +
                   drawing_of("3 rows, 5 keys: the last row stands at the last key", longer);
  return report;
}

}  // namespace whereof::cli
