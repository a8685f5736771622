// One block of query rows against the keys that it sees, tile by tile: the inner loop of backward.
//
// Query rows lie in the lanes as in a block of many rows (many_rows.h). With S, P, dP, dS a tile
// [key][row], all five products are the two kinds that forward has:
//
//   S  = K Q^T    score        dV += P dO     row_value
//   dP = V dO^T   score        dK += dS Q     row_value
//                              dQ^T += K^T dS  value
//
// The block keeps its dQ; dK and dV are sums over all blocks of a kv head, which take their turns.
#ifndef WHEREOF_ATTENTION_BACKWARD_BLOCK_H_
#define WHEREOF_ATTENTION_BACKWARD_BLOCK_H_

#include <cstdint>
#include <vector>

#include "attention/backward_problem.h"
#include "attention/staged_rows.h"
#include "attention/tile_plan.h"
#include "attention/turn.h"
#include "memory/aligned_array.h"
#include "whereof/span.h"

namespace whereof::attention {

// Sums over the rows of one kv head, not yet scaled.
struct HeadGradients {
  float* key = nullptr;    // [key_length][key_stride]
  float* value = nullptr;  // [key_length][value_stride]
  std::int64_t key_stride = 0;
  std::int64_t value_stride = 0;
};

// Rows of a block at most. A long call takes larger blocks than forward: the sums of a tile of keys
// are loaded and stored once for so many rows. In a short one they would cross the diagonal.
std::int64_t backward_block_rows(const Problem& problem, const kernels::ProductKernels& products);

class BackwardBlock {
 public:
  // Both must outlive this.
  BackwardBlock(const BackwardProblem& problem, const WordProducts& words);

  // Writes grad_query of the block and adds to `sums`. Allocates next to nothing, throws nothing.
  void run(const WorkBlock& block, const HeadGradients& sums, Turn& turn);

 private:
  // Rows of one tensor, in all the forms that the products take.
  struct Operand {
    // panel_stride 0: no panel.
    Operand(const WordProducts& words, std::int64_t row_count, std::int64_t elements,
            std::int64_t panel_stride);
    void transpose(const WordProducts& words, std::int64_t row_count, std::int64_t panel_stride);
    void make_values(const WordProducts& words, std::int64_t row_count);
    const float* as_values() const noexcept {
      return values.size() > 0 ? values.data() : rows.data();
    }

    std::int64_t elements;
    std::int64_t value_stride;
    std::int64_t row_stride;
    memory::AlignedArray<float> rows;    // words [row_count][row_stride]
    memory::AlignedArray<float> panel;   // words [words of a row][panel_stride]
    memory::AlignedArray<float> values;  // pairs of rows [row_count / 2][value_stride]; or none
  };

  bool load(const WorkBlock& block);
  bool load_row(const WorkBlock& block, std::int64_t r);
  void run_rows(const WorkBlock& block, const HeadGradients& sums, Turn& turn);
  void stage_keys(const WorkBlock& block, Span tile);
  void compute_scores(Span tile);
  void compute_gradients(Span tile);
  void mask(const WorkBlock& block, Span tile);
  void add_to_query(Span tile);
  void add_to_keys(const HeadGradients& sums, Span tile);
  void write_grad_query(const WorkBlock& block);

  const BackwardProblem& problem_;
  const WordProducts& words_;
  std::int64_t block_rows_;
  std::int64_t tile_keys_;
  Operand query_;
  Operand grad_output_;
  Operand key_;
  Operand value_;
  memory::AlignedArray<float> scores_;            // [key][stride], then weights
  memory::AlignedArray<float> gradients_;         // [key][stride]
  memory::AlignedArray<float> gradient_columns_;  // words [pair of keys][stride]
  memory::AlignedArray<float> grad_query_;        // [head_dim][stride], transposed
  memory::AlignedArray<float> log_sum_exp_;       // [stride], base 2
  memory::AlignedArray<float> rest_;              // [stride], what rounding took from it
  memory::AlignedArray<float> dot_;               // [stride], D
  memory::AlignedArray<float> visible_;           // [4][stride], bounds of what each row sees
  memory::AlignedArray<float> ones_;              // for products that rescale what they add to
  memory::AlignedArray<float> wide_[2];           // a row of floats each
  std::vector<Span> runs_;                        // of keys that the block sees
  std::int64_t rows_ = 0;
  std::int64_t stride_ = 0;  // rows, rounded up to whole vectors
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_BACKWARD_BLOCK_H_
