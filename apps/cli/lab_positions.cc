// Without positions attention is permutation-equivariant: rows in another order give the same
// outputs in that order. With RoPE they do not, and only distances count.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab.h"
#include "whereof/attention.h"
#include "whereof/rotary.h"

namespace whereof::cli {
namespace {

constexpr std::int64_t kRows = 24;
constexpr std::int64_t kHeadDim = 32;

struct Sequence {
  LabTensor query, key, value;
};

Sequence random_sequence() {
  std::mt19937_64 random(11);
  const std::array<std::int64_t, 4> shape{1, kRows, 1, kHeadDim};
  return {random_tensor(shape, random), random_tensor(shape, random), random_tensor(shape, random)};
}

LabTensor permuted(LabTensor rows, const std::vector<std::int64_t>& order) {
  LabTensor result(rows.shape);
  for (std::int64_t i = 0; i < kRows; ++i) {
    const std::int64_t from = order[static_cast<std::size_t>(i)];
    for (std::int64_t d = 0; d < kHeadDim; ++d) result.at(i, d) = rows.at(from, d);
  }
  return result;
}

Sequence permuted(const Sequence& s, const std::vector<std::int64_t>& order) {
  return {permuted(s.query, order), permuted(s.key, order), permuted(s.value, order)};
}

LabTensor attend(Sequence s) {
  LabTensor output({1, kRows, 1, kHeadDim});
  attention_forward(s.query.view(), s.key.view(), s.value.view(), output.view());
  return output;
}

// Row i rotated for position first + i.
LabTensor attend_with_rope(Sequence s, std::int64_t first) {
  const RotaryTable table(kHeadDim, 10000.0, 4096, RotaryPairing::halves);
  std::vector<std::int64_t> positions(static_cast<std::size_t>(kRows));
  std::iota(positions.begin(), positions.end(), first);
  table.rotate(s.query.view(), positions);
  table.rotate(s.key.view(), positions);
  return attend(std::move(s));
}

double largest_difference(const LabTensor& a, const LabTensor& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a.data[i] - b.data[i])));
  }
  return largest;
}

}  // namespace

LabReport lab_positions(const LabOptions&) {
  const Sequence sequence = random_sequence();
  std::vector<std::int64_t> order(static_cast<std::size_t>(kRows));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::mt19937_64 random(13);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  const Sequence shuffled = permuted(sequence, order);
  const LabTensor plain = attend(sequence);
  const LabTensor rotated = attend_with_rope(sequence, 0);
  return {.title = "Positions",
          .lines = {at_most("without", "rows permuted, no positions: outputs differ by",
                            largest_difference(attend(shuffled), permuted(plain, order)), 2e-6),
                    at_least(
                        "with", "rows permuted, RoPE: outputs differ by",
                        largest_difference(attend_with_rope(shuffled, 0), permuted(rotated, order)),
                        0.05),
                    at_most("shifted", "all positions + 1,000, RoPE: outputs differ by",
                            largest_difference(attend_with_rope(sequence, 1000), rotated), 1e-4),
                    at_least("rotated", "RoPE against no positions: outputs differ by",
                             largest_difference(rotated, plain), 0.05)},
          .drawing = {},
          .plot = {}};
}

}  // namespace whereof::cli
