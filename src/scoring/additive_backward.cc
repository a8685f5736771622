// With s the scores, w the weights, dO the gradient of the output, h_ij = tanh(a_i + b_j):
//
//   p_ij = dO_i . value_j,  g_ij = w_ij (p_ij - dO_i . output_i),  d value_j = sum_i w_ij dO_i
//   d a_i = v sum_j g_ij (1 - h_ij^2),  d b_j = v sum_i g_ij (1 - h_ij^2),  d v = sum_ij g_ij h_ij
//
// (the softmax backwards as in Dao et al. 2022, arXiv 2205.14135, algorithm 4). A work item is one
// head and a piece of its keys: it alone writes the gradients of those keys, and gives gradients of
// the queries and of v that are added up in the order of the pieces. The cut depends on shapes
// alone.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "attention/argument_checks.h"
#include "parallel/thread_pool.h"
#include "scoring/additive_block.h"

namespace whereof::scoring {
namespace {

constexpr std::int64_t kEnoughItems = 8;
constexpr std::int64_t kSmallestPiece = 4 * kTileKeys;

class Backward {
 public:
  Backward(const kernels::KernelSet& kernels, const AdditiveProblem& problem,
           const ConstTensorView& output, const float* log_sum_exp,
           const ConstTensorView& grad_output, const TensorView& grad_value)
      : kernels_(kernels),
        problem_(problem),
        output_(output),
        log_sum_exp_(log_sum_exp),
        grad_output_(grad_output),
        grad_value_(grad_value),
        heads_(problem.batch() * problem.heads()),
        pieces_(pieces_for(problem)),
        piece_keys_(whole_vectors((problem.key_length() + pieces_ - 1) / pieces_, kTileKeys)),
        grad_keys_(problem.batch(), problem.heads(), problem.key_length(), problem.width(),
                   kernels.lanes),
        grad_queries_(pieces_, heads_, problem.query_length, problem.width(), kernels.lanes),
        grad_vector_(pieces_, heads_, 1, problem.width(), kernels.lanes) {}

  AdditiveGradients run(const TensorView& grad_score_vector) {
    parallel::ThreadPool::process().for_each(
        heads_ * pieces_, problem_.threads,
        [&](std::int64_t item, int) { run_piece(item / pieces_, item % pieces_); });
    HeadRows queries(problem_.batch(), problem_.heads(), problem_.query_length, problem_.width(),
                     kernels_.lanes);
    add_pieces(queries);
    write_score_vector(grad_score_vector);
    return {std::move(queries), std::move(grad_keys_)};
  }

 private:
  static std::int64_t pieces_for(const AdditiveProblem& problem) {
    const std::int64_t heads = std::max<std::int64_t>(1, problem.batch() * problem.heads());
    const std::int64_t wanted = (kEnoughItems + heads - 1) / heads;
    return std::clamp<std::int64_t>(problem.key_length() / kSmallestPiece, 1, wanted);
  }

  // A block of query rows, as the gradients need it.
  struct Rows {
    Rows(const Backward& all, const AdditiveBlock& block)
        : grad_output(block.rows(), all.problem_.value_dim(), all.kernels_.lanes),
          grad_panel(all.problem_.value_dim(), block.rows(), all.kernels_.lanes),
          figures(3, block.rows(), all.kernels_.lanes),
          grad_queries(all.problem_.width(), block.rows(), all.kernels_.lanes) {}
    const float* log_sum() const { return figures.row(0); }
    const float* rest() const { return figures.row(1); }
    const float* mean() const { return figures.row(2); }

    PaddedRows grad_output;   // [rows][value_dim]
    PaddedRows grad_panel;    // [value_dim][rows]
    PaddedRows figures;       // log_sum_exp in base 2, in two floats; dO . output
    PaddedRows grad_queries;  // [width][rows]
  };

  Rows load(const AdditiveBlock& block) const {
    Rows rows(*this, block);
    const float* log_sum_exp =
        log_sum_exp_ + (block.b() * problem_.heads() + block.head()) * problem_.query_length +
        block.first_row();
    float* log_sum = rows.figures.row(0);
    std::fill_n(log_sum, block.stride(), 1.0e30F);  // weight 0 in the padding
    for (std::int64_t r = 0; r < block.rows(); ++r) {
      const float* gradient = row_of(grad_output_, block.b(), block.first_row() + r, block.head());
      const float* output = row_of(output_, block.b(), block.first_row() + r, block.head());
      float mean = 0;
      for (std::int64_t j = 0; j < problem_.value_dim(); ++j) mean += gradient[j] * output[j];
      rows.figures.row(2)[r] = mean;
      if (log_sum_exp[r] != -HUGE_VALF) {  // else it sees no key: weights 0
        const double base_2 = static_cast<double>(log_sum_exp[r]) * std::numbers::log2e;
        log_sum[r] = static_cast<float>(base_2);
        rows.figures.row(1)[r] = static_cast<float>(base_2 - static_cast<double>(log_sum[r]));
      }
      std::copy_n(gradient, problem_.value_dim(), rows.grad_output.row(r));
    }
    transpose(rows.grad_output.row(0), rows.grad_output.stride(), block.rows(),
              problem_.value_dim(), rows.grad_panel.row(0), rows.grad_panel.stride());
    return rows;
  }

  // Scratch of a piece.
  struct Piece {
    PaddedRows scores;      // [key][rows]
    PaddedRows gradients;   // [key][rows]
    PaddedRows tile_value;  // [key][value_dim]
    PaddedRows grad_value;  // [key of the piece][value_dim]
  };

  void run_piece(std::int64_t head_item, std::int64_t piece_index) {
    const std::int64_t b = head_item / problem_.heads();
    const std::int64_t head = head_item % problem_.heads();
    const Span keys{std::min(piece_index * piece_keys_, problem_.key_length()),
                    std::min((piece_index + 1) * piece_keys_, problem_.key_length())};
    Piece piece{PaddedRows(kTileKeys, kernels_.floats.block.rows, kernels_.lanes),
                PaddedRows(kTileKeys, kernels_.floats.block.rows, kernels_.lanes),
                PaddedRows(kTileKeys, problem_.value_dim(), kernels_.lanes),
                PaddedRows(keys.length(), problem_.value_dim(), kernels_.lanes)};
    for (std::int64_t row = 0; row < problem_.query_length; row += kernels_.floats.block.rows) {
      attention::check_stop(problem_.stop);
      AdditiveBlock block(kernels_, problem_, b, head, row);
      const std::int64_t end = std::min(keys.end, block.visible_keys());
      if (end <= keys.begin) continue;
      Rows rows = load(block);
      for (Span tile{keys.begin, 0}; tile.begin < end; tile.begin = tile.end) {
        tile.end = std::min(tile.begin + kTileKeys, end);
        add_tile(block, tile, rows, piece, piece.grad_value.row(tile.begin - keys.begin),
                 grad_vector_.row(piece_index, head_item, 0));
      }
      transpose(rows.grad_queries.row(0), rows.grad_queries.stride(), problem_.width(),
                block.rows(), grad_queries_.row(piece_index, head_item, row),
                grad_queries_.stride());
    }
    for (std::int64_t j = keys.begin; j < keys.end; ++j) {
      std::copy_n(piece.grad_value.row(j - keys.begin), problem_.value_dim(),
                  row_of(grad_value_, b, j, head));
    }
  }

  void add_tile(AdditiveBlock& block, Span tile, Rows& rows, Piece& piece, float* grad_value,
                float* grad_vector) {
    const std::int64_t stride = block.stride();
    float* scores = piece.scores.row(0);
    float* gradients = piece.gradients.row(0);
    block.score(tile, scores);
    kernels_.floats.score({.panel = rows.grad_panel.row(0),
                           .rows = row_of(problem_.value, block.b(), tile.begin, block.head()),
                           .scores = gradients,
                           .row_stride = problem_.value.strides[1],
                           .row_count = tile.length(),
                           .depth = problem_.value_dim(),
                           .columns = stride,
                           .stride = stride,
                           .factor = 1.0F});
    kernels_.softmax_gradient({.scores = scores,
                               .gradients = gradients,
                               .gradient_columns = nullptr,
                               .log_sum_exp = rows.log_sum(),
                               .rest = rows.rest(),
                               .dot = rows.mean(),
                               .inverse_cap = 0.0F,
                               .key_count = tile.length(),
                               .columns = stride,
                               .stride = stride});
    add_to_value(block, tile, rows, piece, grad_value);
    kernels_.additive_gradient({.queries = block.queries(),
                                .keys = block.keys(tile),
                                .vector = block.score_vector(),
                                .score_gradient = gradients,
                                .query_gradient = rows.grad_queries.row(0),
                                .key_gradient = grad_keys_.row(block.b(), block.head(), tile.begin),
                                .vector_gradient = grad_vector,
                                .key_stride = grad_keys_.stride(),
                                .key_count = tile.length(),
                                .width = problem_.width(),
                                .columns = stride,
                                .stride = stride});
  }

  // grad_value[key] += sum over rows of the weights times the gradient of the output
  void add_to_value(const AdditiveBlock& block, Span tile, const Rows& rows, Piece& piece,
                    float* grad_value) const {
    const std::int64_t stride = rows.grad_output.stride();
    float* sums = piece.tile_value.row(0);
    kernels_.floats.score({.panel = rows.grad_output.row(0),
                           .rows = piece.scores.row(0),
                           .scores = sums,
                           .row_stride = block.stride(),
                           .row_count = tile.length(),
                           .depth = block.rows(),
                           .columns = stride,
                           .stride = stride,
                           .factor = 1.0F});
    for (std::int64_t i = 0; i < tile.length() * stride; ++i) grad_value[i] += sums[i];
  }

  void add_pieces(HeadRows& queries) const {
    const std::int64_t length = problem_.query_length * queries.stride();
    for (std::int64_t head_item = 0; head_item < heads_ && length > 0; ++head_item) {
      float* to = queries.row(0, head_item, 0);
      for (std::int64_t piece = 0; piece < pieces_; ++piece) {
        const float* from = grad_queries_.row(piece, head_item, 0);
        for (std::int64_t i = 0; i < length; ++i) to[i] += from[i];
      }
    }
  }

  void write_score_vector(const TensorView& to) const {
    for (std::int64_t head = 0; head < problem_.heads(); ++head) {
      float* sum = row_of(to, 0, head, 0);
      std::fill_n(sum, problem_.width(), 0.0F);
      for (std::int64_t b = 0; b < problem_.batch(); ++b) {
        for (std::int64_t piece = 0; piece < pieces_; ++piece) {
          const float* from = grad_vector_.row(piece, b * problem_.heads() + head, 0);
          for (std::int64_t w = 0; w < problem_.width(); ++w) sum[w] += from[w];
        }
      }
    }
  }

  const kernels::KernelSet& kernels_;
  const AdditiveProblem& problem_;
  const ConstTensorView& output_;
  const float* log_sum_exp_;
  const ConstTensorView& grad_output_;
  const TensorView& grad_value_;
  std::int64_t heads_;  // batch * heads
  std::int64_t pieces_;
  std::int64_t piece_keys_;
  HeadRows grad_keys_;
  HeadRows grad_queries_;  // [pieces, batch * heads, query_length, width]
  HeadRows grad_vector_;   // [pieces, batch * heads, 1, width]
};

}  // namespace

AdditiveGradients additive_backward(const kernels::KernelSet& kernels,
                                    const AdditiveProblem& problem, const ConstTensorView& output,
                                    const float* log_sum_exp, const ConstTensorView& grad_output,
                                    const TensorView& grad_value,
                                    const TensorView& grad_score_vector) {
  return Backward(kernels, problem, output, log_sum_exp, grad_output, grad_value)
      .run(grad_score_vector);
}

}  // namespace whereof::scoring
