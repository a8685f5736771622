// The rank of the matrix of scores: query . key^T of head_dim columns has at most that rank,
// however long the sequence.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab.h"
#include "whereof/attention.h"

namespace whereof::cli {
namespace {

using Matrix = std::vector<std::vector<double>>;

// Scores as the library computes them, a key at a time: of a single key the log_sum_exp is its
// score.
Matrix measured_scores(std::int64_t length, std::int64_t head_dim) {
  std::mt19937_64 random(static_cast<std::uint64_t>(1000 * length + head_dim));
  LabTensor query = random_tensor({1, length, 1, head_dim}, random);
  LabTensor key = random_tensor({1, length, 1, head_dim}, random);
  LabTensor value({1, 1, 1, 1});
  LabTensor output({1, length, 1, 1});
  std::vector<float> scores(static_cast<std::size_t>(length));
  Matrix matrix(static_cast<std::size_t>(length), std::vector<double>(scores.size()));
  for (std::int64_t j = 0; j < length; ++j) {
    const ConstTensorView one_key =
        dense_view(static_cast<const void*>(&key.at(j, 0)), ElementType::f32, {1, 1, 1, head_dim});
    attention_forward(query.view(), one_key, value.view(), output.view(), {}, scores.data());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      matrix[i][static_cast<std::size_t>(j)] = static_cast<double>(scores[i]);
    }
  }
  return matrix;
}

// Gaussian elimination with full pivoting; pivots under 1e-5 of the largest are rounding.
std::int64_t rank_of(Matrix m) {
  const std::size_t n = m.size();
  double first_pivot = 0;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t row = step;
    std::size_t column = step;
    for (std::size_t i = step; i < n; ++i) {
      for (std::size_t j = step; j < n; ++j) {
        if (std::abs(m[i][j]) > std::abs(m[row][column])) {
          row = i;
          column = j;
        }
      }
    }
    const double pivot = std::abs(m[row][column]);
    first_pivot = std::max(first_pivot, pivot);
    if (pivot <= 1e-5 * first_pivot) return static_cast<std::int64_t>(step);
    std::swap(m[row], m[step]);
    for (auto& line : m) std::swap(line[column], line[step]);
    for (std::size_t i = step + 1; i < n; ++i) {
      const double factor = m[i][step] / m[step][step];
      for (std::size_t j = step; j < n; ++j) m[i][j] -= factor * m[step][j];
    }
  }
  return static_cast<std::int64_t>(n);
}

}  // namespace

LabReport lab_rank(const LabOptions&) {
  LabReport report{.title = "rank(query . key^T) = min(length, head_dim) for random rows",
                   .lines = {},
                   .drawing = {},
                   .plot = {}};
  constexpr std::pair<std::int64_t, std::int64_t> kShapes[] = {{64, 4},  {64, 8},  {64, 16},
                                                               {64, 32}, {12, 16}, {12, 64}};
  for (const auto& [length, head_dim] : kShapes) {
    report.lines.push_back(near(fmt::format("rank_{}_{}", length, head_dim),
                                fmt::format("length {}, head_dim {}", length, head_dim),
                                static_cast<double>(rank_of(measured_scores(length, head_dim))),
                                static_cast<double>(std::min(length, head_dim)), 0));
  }
  return report;
}

}  // namespace whereof::cli
