// How a call is cut into work items. The cut depends on shapes only, never on the number of
// threads, so the bits of the result do not either.
//
// The query heads that share a kv head are taken together: flat row f = row * group_size + member.
// A block is a run of flat rows of one kv head; all of them share one pass over the keys. Where
// there are too few blocks to occupy a machine (decode), the keys are cut into pieces too, whose
// partial results are merged exactly.
#ifndef WHEREOF_ATTENTION_TILE_PLAN_H_
#define WHEREOF_ATTENTION_TILE_PLAN_H_

#include <cstdint>
#include <vector>

#include "attention/problem.h"
#include "whereof/span.h"

namespace whereof::attention {

struct WorkBlock {
  std::int64_t batch = 0;
  std::int64_t kv_head = 0;
  std::int64_t first_row = 0;  // flat
  std::int64_t rows = 0;
};

// Where row r of the block lies in a tensor of queries, of their gradients or of outputs.
inline std::int64_t row_offset(const Problem& problem, const ConstTensorView& view,
                               const WorkBlock& block, std::int64_t r) noexcept {
  const std::int64_t flat = block.first_row + r;
  const std::int64_t head = block.kv_head * problem.group_size + flat % problem.group_size;
  return view.row_offset(block.batch, flat / problem.group_size, head);
}

class TilePlan {
 public:
  TilePlan(const Problem& problem, std::int64_t block_rows);

  std::int64_t blocks() const noexcept { return heads_ * blocks_per_head_; }
  std::int64_t pieces() const noexcept { return pieces_; }
  // Of one kv head, the block with the most visible keys first, so that what is handed out last is
  // short.
  WorkBlock block(std::int64_t index) const noexcept;
  Span keys_of_piece(std::int64_t piece) const noexcept;

 private:
  std::int64_t kv_heads_;
  std::int64_t heads_;  // batch * kv_heads
  std::int64_t flat_rows_;
  std::int64_t block_rows_;
  std::int64_t blocks_per_head_;
  std::int64_t key_length_;
  std::int64_t pieces_ = 1;
  std::int64_t piece_keys_;
};

// Where the weights of a tile's keys are summed to. Bin 0 takes keys of no span, bin 1 the sink,
// bin 2 + i span i of the spans that a piece meets.
struct Segment {
  std::int64_t end = 0;  // relative to the tile
  std::int64_t bin = -1;
  bool is_sink = false;
};
constexpr std::int64_t kUnassignedBin = 0;
constexpr std::int64_t kSinkBin = 1;
constexpr std::int64_t kFirstSpanBin = 2;

// Walks key spans in step with the tiles of a piece.
class SpanWalk {
 public:
  // Without spans every tile is one segment of no bin.
  SpanWalk() = default;
  SpanWalk(const std::vector<Span>& spans, std::int64_t sink_length, Span keys);

  std::int64_t first_span() const noexcept { return first_span_; }
  std::int64_t spans() const noexcept { return end_span_ - first_span_; }
  std::int64_t bins() const noexcept { return spans_ == nullptr ? 0 : kFirstSpanBin + spans(); }
  // The segments of a tile; tiles must come in ascending order.
  void segments_of(Span tile, std::vector<Segment>& segments);

 private:
  const std::vector<Span>* spans_ = nullptr;
  std::int64_t sink_length_ = 0;
  std::int64_t first_span_ = 0;
  std::int64_t end_span_ = 0;
  std::int64_t current_ = 0;
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_TILE_PLAN_H_
