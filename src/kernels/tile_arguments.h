// What the kernels work on. A tile is a block of query rows against a run of keys. Arrays are
// [something][stride] floats with stride >= columns; columns is a multiple of the lanes, padded.
// Where a comment says words, an element is a float or a pair of bf16, as the products take it.
//
// Two arrangements: a block of many rows has its rows in the columns (queries transposed, scores
// [key][row]); a block of few rows reads keys and values as they are stored (scores [row][key]).
#ifndef WHEREOF_KERNELS_TILE_ARGUMENTS_H_
#define WHEREOF_KERNELS_TILE_ARGUMENTS_H_

#include <cstdint>

namespace whereof::kernels {

// Masked scores, and the running maximum of a row that has seen nothing. The second is larger, so
// that exp2(kMaskedScore - kNoMaximum) is 0 and a masked key never weighs anything. True scores
// under kNoMaximum weigh nothing either.
constexpr float kMaskedScore = -3.0e38F;
constexpr float kNoMaximum = -1.0e37F;

// scores[row][column] = factor * sum over depth of panel[depth][column] * rows[row][depth]
// The panel holds queries, the rows are keys.
struct ScoreTile {
  const float* panel;  // words [depth][stride]
  const float* rows;   // words [row_count][row_stride]
  float* scores;       // [row_count][stride]
  std::int64_t row_stride;
  std::int64_t row_count;
  std::int64_t depth;  // words
  std::int64_t columns;
  std::int64_t stride;
  float factor;
};

// scores[line][column] = factor * tanh(scores[line][column])
struct CapTile {
  float* scores;
  std::int64_t lines;
  std::int64_t columns;
  std::int64_t stride;
  float factor;
};

// scores[key][column] = kMaskedScore but where sinks_begin <= key < sinks_end or begin <= key <
// end, with sinks_end <= begin: keys of this tile that the row sees, each [columns].
struct MaskTile {
  float* scores;
  const float* sinks_begin;
  const float* sinks_end;
  const float* begin;
  const float* end;
  std::int64_t key_count;
  std::int64_t columns;
  std::int64_t stride;
};

// The online softmax in base 2. With s the scores, m the running maximum, l the running sum of
// w = 2^(s - m), and t that of w (s - m), from which the entropy log2 l - t / l follows:
//   m' = max(m, max s), a = 2^(m - m'), w = 2^(s - m')
//   t' = (t + l (m - m')) a + sum w (s - m'),  l' = l a + sum w
// Scores become weights in place; where products take pairs of bf16, words [pair of keys][row].
// Segments are runs of keys that end at segment_ends[i]; the sum of w over each goes to
// segment_sums[i][column].
struct SoftmaxTile {
  float* scores;
  float* row_max;
  float* row_sum;
  float* row_dot;
  float* rescale;       // a, [columns]
  float* segment_sums;  // [segments][stride]
  const std::int64_t* segment_ends;
  std::int64_t segments;  // at least 1; the last ends at key_count
  std::int64_t columns;
  std::int64_t stride;
};

// output[row][column] = output[row][column] * rescale[column]
//                     + sum over keys of weights[key][column] * values[key][row]
struct ValueTile {
  const float* weights;  // words [key_count][stride]
  const float* values;   // words [key_count][value_stride]
  float* output;         // [value_dim][stride]
  const float* rescale;
  std::int64_t value_stride;
  std::int64_t key_count;  // in words
  std::int64_t value_dim;
  std::int64_t columns;
  std::int64_t stride;
};

// The same for few rows: scores and weights [row][key].
struct RowSoftmaxTile {
  float* scores;  // [rows][score_stride], kMaskedScore in the padding of the last vector
  float* row_max;
  float* row_sum;
  float* row_dot;
  float* rescale;
  float* segment_sums;  // [segments][stride]
  const std::int64_t* segment_ends;
  std::int64_t segments;
  std::int64_t rows;
  std::int64_t score_stride;
  std::int64_t stride;
};

// Elements of a row, rounded up to whole cells: the largest cell is two vectors.
constexpr std::int64_t whole_cells(std::int64_t elements, std::int64_t lanes) noexcept {
  return (elements + 2 * lanes - 1) / (2 * lanes) * (2 * lanes);
}

// What is fetched into the second-level cache while a product of few rows runs: the rows that the
// next tile will read.
struct RowPrefetch {
  const char* from = nullptr;
  std::int64_t stride = 0;  // bytes
  std::int64_t row_count = 0;
};

// scores[row][key] = factor * query_units[row]
//                  * sum over depth of queries[row][depth] * keys[key][depth]
// keys is read as it is stored, depth elements a row and no byte more; queries are words in the
// order of the keys' cells (row_cells.h). Scores are written in whole runs of keys, so up to
// kLanes - 1 columns past key_count get numbers of no meaning.
struct RowScoreTile {
  const void* keys;      // [key_count][key_stride]
  const float* queries;  // words [row_count][query_stride], the last cell filled up with zeros
  float* scores;         // [row_count][score_stride]
  std::int64_t key_stride;
  std::int64_t query_stride;
  std::int64_t score_stride;
  std::int64_t key_count;
  std::int64_t row_count;
  std::int64_t depth;
  float factor;
  const float* query_units;  // [row_count]
  RowPrefetch next = {};
};

// output[row][column] = output[row][column] * rescale[row]
//                     + weight_units[row] * sum over keys of weights[row][key]
//                                                        * values[key][column]
// values is read as it is stored, value_dim elements a row; columns of the output stand in the
// order of the values' cells, whole cells.
struct RowValueTile {
  const float* weights;  // words [rows][weight_stride]; the partner of a lone last key weighs 0
  const void* values;    // [key_count][value_stride]
  float* output;         // [rows][output_stride]
  const float* rescale;
  std::int64_t weight_stride;
  std::int64_t value_stride;
  std::int64_t output_stride;
  std::int64_t key_count;
  std::int64_t rows;
  std::int64_t value_dim;
  const float* weight_units;  // [rows]; read only where weights are integers
  RowPrefetch next = {};
};

// scores[row][key] *= factors[key]
struct ColumnScaling {
  float* scores;         // [rows][stride]
  const float* factors;  // [columns]
  std::int64_t rows;
  std::int64_t columns;  // whole vectors
  std::int64_t stride;
};

// A bin keeps a sum of weights relative to a maximum of its own:
//   bin_sum = bin_sum * 2^(bin_max - m) + amount, bin_max = m
struct BinAddition {
  float* bin_sum;
  float* bin_max;
  const float* amount;
  const float* row_max;
  std::int64_t columns;
};

// mass[column] = bin_sum * 2^(bin_max - m) / l; 0 where l is 0
struct BinMass {
  const float* bin_sum;
  const float* bin_max;
  const float* row_max;
  const float* row_sum;
  float* mass;
  std::int64_t columns;
};

// scores[key][column] = factor * sum over width of
//     vector[width] tanh(queries[width][column] + keys[key][width])
struct AdditiveTile {
  const float* queries;  // [width][stride]
  const float* keys;     // [key_count][key_stride]
  const float* vector;   // [width]
  float* scores;         // [key_count][stride]
  std::int64_t key_stride;
  std::int64_t key_count;
  std::int64_t width;
  std::int64_t columns;
  std::int64_t stride;
  float factor;
};

// With g the gradient of the scores (factor 1) and h = tanh(queries + keys), all added to:
//   query_gradient[width][column] += sum over keys of g vector[width] (1 - h^2)
//   key_gradient[key][width]      += sum over columns of the same
//   vector_gradient[width]        += sum over keys and columns of g h
struct AdditiveGradientTile {
  const float* queries;         // [width][stride]
  const float* keys;            // [key_count][key_stride]
  const float* vector;          // [width]
  const float* score_gradient;  // [key_count][stride], 0 in the padding
  float* query_gradient;        // [width][stride]
  float* key_gradient;          // [key_count][key_stride]
  float* vector_gradient;       // [width]
  std::int64_t key_stride;
  std::int64_t key_count;
  std::int64_t width;
  std::int64_t columns;
  std::int64_t stride;
};

// The (key, row) whose score exceeds the threshold of its row, ascending in keys for each row.
struct ScoreSearch {
  const float* scores;     // [key][row] or, for few rows, [row][key]
  const float* threshold;  // a row
  std::int64_t lines;      // of scores
  std::int64_t columns;
  std::int64_t stride;
  std::uint32_t* found;  // key << 16 | row, room for lines * columns
};

// Backward, many rows. With s the scores in base 2, L the log_sum_exp of a row in base 2, dP the
// gradient of a weight, D the sum of w dP over the keys of a row, and c the soft cap in base 2:
//   w = 2^(s - L), dS = w (dP - D) (1 - (s / c)^2); both 0 where s is kMaskedScore
// L is two floats: rounded to one it would cost as much as all other roundings of w.
// Scores become weights and gradients of weights become those of scores, in place, as the products
// take them: floats [key][row], or words [key][pair of rows], with which goes a second copy of the
// gradients in words [pair of keys][row].
struct SoftmaxGradientTile {
  float* scores;             // [key_count][stride]
  float* gradients;          // [key_count][stride]
  float* gradient_columns;   // words [(key_count + 1) / 2][stride]; null for floats
  const float* log_sum_exp;  // [columns]; very large for a row that sees nothing
  const float* rest;         // [columns], what L is more than log_sum_exp
  const float* dot;          // D, [columns]
  float inverse_cap;         // 1 / c; 0 where there is none
  std::int64_t key_count;
  std::int64_t columns;
  std::int64_t stride;
};

// Backward, many rows:
// sums[key][column] += sum over query rows of weights[key][row] * rows[row][column]
struct GradientTile {
  const float* weights;  // words [key_count][weight_stride]
  const float* rows;     // words [row_count][row_stride]
  float* sums;           // [key_count][sum_stride]
  std::int64_t weight_stride;
  std::int64_t row_stride;
  std::int64_t sum_stride;
  std::int64_t row_count;  // in words
  std::int64_t key_count;
  std::int64_t columns;
};

}  // namespace whereof::kernels

#endif  // WHEREOF_KERNELS_TILE_ARGUMENTS_H_
