// A block of query rows of one head against tiles of keys: what forward and backward both do.
#ifndef WHEREOF_SCORING_ADDITIVE_BLOCK_H_
#define WHEREOF_SCORING_ADDITIVE_BLOCK_H_

#include <vector>

#include "scoring/additive_attention.h"
#include "whereof/span.h"

namespace whereof::scoring {

constexpr std::int64_t kTileKeys = 64;
constexpr float kLog2E = 1.44269504088896340736F;

// Rows lie in the columns: queries [width][stride], scores [key][stride].
class AdditiveBlock {
 public:
  AdditiveBlock(const kernels::KernelSet& kernels, const AdditiveProblem& problem, std::int64_t b,
                std::int64_t head, std::int64_t first_row);

  static std::int64_t blocks_per_head(const kernels::KernelSet& kernels,
                                      const AdditiveProblem& problem);

  std::int64_t b() const noexcept { return b_; }
  std::int64_t head() const noexcept { return head_; }
  std::int64_t first_row() const noexcept { return first_row_; }
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t stride() const noexcept { return queries_.stride(); }
  // Keys that its last row sees.
  std::int64_t visible_keys() const noexcept {
    return problem_.visible_keys(first_row_ + rows_ - 1);
  }
  const float* queries() const noexcept { return queries_.row(0); }
  const float* score_vector() const noexcept { return row_of(problem_.score_vector, 0, head_, 0); }
  const float* keys(Span tile) const noexcept { return problem_.keys.row(b_, head_, tile.begin); }

  // Scores of the tile in base 2, [key][stride], kMaskedScore where a row does not see the key.
  void score(Span tile, float* scores);

 private:
  const kernels::KernelSet& kernels_;
  const AdditiveProblem& problem_;
  std::int64_t b_;
  std::int64_t head_;
  std::int64_t first_row_;
  std::int64_t rows_;
  PaddedRows queries_;          // [width][stride]
  std::vector<float> zeros_;    // [stride]
  std::vector<float> visible_;  // [stride], keys of a tile that each row sees
};

}  // namespace whereof::scoring

#endif  // WHEREOF_SCORING_ADDITIVE_BLOCK_H_
