#include "attention/tile_plan.h"

#include <algorithm>

namespace whereof::attention {
namespace {

constexpr std::int64_t kEnoughItems = 32;     // keeps a few dozen cores busy
constexpr std::int64_t kSmallestPiece = 512;  // under this, merging costs more than it wins
constexpr std::int64_t kPieceUnit = 192;      // whole tiles, of many rows and of few

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

TilePlan::TilePlan(const Problem& problem, std::int64_t block_rows)
    : kv_heads_(problem.kv_heads),
      heads_(problem.batch * problem.kv_heads),
      flat_rows_(problem.query_length * problem.group_size),
      block_rows_(block_rows),
      blocks_per_head_(divide_up(flat_rows_, block_rows)),
      key_length_(problem.key_length),
      piece_keys_(std::max<std::int64_t>(problem.key_length, 1)) {
  const std::int64_t few = blocks();
  if (few == 0 || few >= kEnoughItems / 2) return;
  if (problem.query.type == ElementType::f64) return;  // rows are finished in one go
  const std::int64_t wanted = divide_up(kEnoughItems, few);
  const std::int64_t possible = std::max<std::int64_t>(1, key_length_ / kSmallestPiece);
  const std::int64_t keys = divide_up(key_length_, std::min(wanted, possible));
  piece_keys_ = std::max(kPieceUnit, divide_up(keys, kPieceUnit) * kPieceUnit);
  pieces_ = std::max<std::int64_t>(1, divide_up(key_length_, piece_keys_));
}

WorkBlock TilePlan::block(std::int64_t index) const noexcept {
  const std::int64_t head = index / blocks_per_head_;
  const std::int64_t place = blocks_per_head_ - 1 - index % blocks_per_head_;
  const std::int64_t first = place * block_rows_;
  return {.batch = head / kv_heads_,
          .kv_head = head % kv_heads_,
          .first_row = first,
          .rows = std::min(block_rows_, flat_rows_ - first)};
}

Span TilePlan::keys_of_piece(std::int64_t piece) const noexcept {
  return {piece * piece_keys_, std::min((piece + 1) * piece_keys_, key_length_)};
}

SpanWalk::SpanWalk(const std::vector<Span>& spans, std::int64_t sink_length, Span keys)
    : spans_(&spans), sink_length_(sink_length) {
  const auto first = std::partition_point(spans.begin(), spans.end(),
                                          [&](Span span) { return span.end <= keys.begin; });
  const auto end =
      std::partition_point(first, spans.end(), [&](Span span) { return span.begin < keys.end; });
  first_span_ = first - spans.begin();
  end_span_ = end - spans.begin();
  current_ = first_span_;
}

void SpanWalk::segments_of(Span tile, std::vector<Segment>& segments) {
  segments.clear();
  if (spans_ == nullptr) {
    segments.push_back({.end = tile.length()});
    return;
  }
  for (std::int64_t at = tile.begin; at < tile.end;) {
    while (current_ < end_span_ && (*spans_)[static_cast<std::size_t>(current_)].end <= at) {
      ++current_;
    }
    std::int64_t end = tile.end;
    std::int64_t bin = kUnassignedBin;
    if (current_ < end_span_) {
      const Span span = (*spans_)[static_cast<std::size_t>(current_)];
      const bool is_inside = span.begin <= at;
      end = std::min(end, is_inside ? span.end : span.begin);
      if (is_inside) bin = kFirstSpanBin + current_ - first_span_;
    }
    const bool is_sink = at < sink_length_;
    if (is_sink) end = std::min(end, sink_length_);
    segments.push_back({.end = end - tile.begin, .bin = bin, .is_sink = is_sink});
    at = end;
  }
}

}  // namespace whereof::attention
