// The steps of a tile for a block of few query rows, as in decode: keys and values are read as they
// are stored, head and value elements in the vector lanes; scores are [row][key].
#ifndef WHEREOF_ATTENTION_FEW_ROWS_H_
#define WHEREOF_ATTENTION_FEW_ROWS_H_

#include "attention/row_block.h"

namespace whereof::attention {

struct FewRows {
  // More rows than this fill the lanes better than keys do.
  static constexpr std::int64_t kMostRows = 12;
  static constexpr std::int64_t kTileKeys = 192;
  // Scores are written in whole runs of keys, up to a vector past the tile.
  static constexpr std::int64_t kScoreStride = kTileKeys + 16;
  static constexpr bool kHasRowsInLanes = false;

  static void load_queries(const BlockRun& run);
  static void score(const BlockRun& run, Span tile);
  static void cap(const BlockRun& run, Span tile);
  // Also hides the padding of the last vector: it is called for every tile.
  static void mask(const BlockRun& run, Span tile);
  static std::int64_t find_above_threshold(const BlockRun& run, Span tile);
  static float score_at(const BlockRun& run, std::int64_t key, std::int64_t row) {
    return run.w.scores[row * kScoreStride + key];
  }
  static void softmax(const BlockRun& run, Span tile);
  static void add_values(const BlockRun& run, Span tile);
  // Brings the output out of the order of the values' cells.
  static void finish(const BlockRun& run);
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_FEW_ROWS_H_
