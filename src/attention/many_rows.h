// The steps of a tile for a block of many query rows: rows lie in the vector lanes, scores are
// [key][row], keys and values are read as they lie.
#ifndef WHEREOF_ATTENTION_MANY_ROWS_H_
#define WHEREOF_ATTENTION_MANY_ROWS_H_

#include "attention/row_block.h"

namespace whereof::attention {

struct ManyRows {
  static constexpr bool kHasRowsInLanes = true;

  static void load_queries(const BlockRun& run);
  static void score(const BlockRun& run, Span tile);
  static void cap(const BlockRun& run, Span tile);
  static void mask(const BlockRun& run, Span tile);
  static std::int64_t find_above_threshold(const BlockRun& run, Span tile);
  static float score_at(const BlockRun& run, std::int64_t key, std::int64_t row) {
    return run.w.scores[key * run.state.stride + row];
  }
  static void softmax(const BlockRun& run, Span tile);
  static void add_values(const BlockRun& run, Span tile);
  static void finish(const BlockRun&) {}
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_MANY_ROWS_H_
