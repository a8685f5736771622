#include "attention/visibility.h"

#include <algorithm>
#include <limits>
#include <string>

#include "attention/argument_checks.h"

namespace whereof::attention {
namespace {

// Removes from each run what a hidden span covers.
void take_out(const std::vector<Span>& hidden, std::vector<Span>& runs) {
  if (hidden.empty()) return;
  std::vector<Span> left;
  for (Span run : runs) {
    auto span = std::partition_point(hidden.begin(), hidden.end(),
                                     [&](Span each) { return each.end <= run.begin; });
    for (; span != hidden.end() && span->begin < run.end; ++span) {
      if (run.begin < span->begin) left.push_back({run.begin, span->begin});
      run.begin = std::min(span->end, run.end);
    }
    if (!run.is_empty()) left.push_back(run);
  }
  runs = std::move(left);
}

}  // namespace

Visibility::Visibility(const AttentionMask& mask, std::int64_t query_length,
                       std::int64_t key_length)
    : mask_(&mask), query_length_(query_length), key_length_(key_length) {
  std::int64_t keys = 0;
  for (const Span span : mask.hidden) hidden_until_.push_back(keys += span.length());
}

std::int64_t Visibility::rows_of(std::int64_t batch) const noexcept {
  return mask_->query_lengths.empty() ? query_length_
                                      : mask_->query_lengths[static_cast<std::size_t>(batch)];
}

std::int64_t Visibility::keys_of(std::int64_t batch) const noexcept {
  return mask_->key_lengths.empty() ? key_length_
                                    : mask_->key_lengths[static_cast<std::size_t>(batch)];
}

VisibleKeys Visibility::of_row(std::int64_t batch, std::int64_t row) const noexcept {
  const std::int64_t keys = keys_of(batch);
  const std::int64_t rows = rows_of(batch);
  if (row >= rows) return {.sinks = {0, 0}, .keys = {keys, keys}};
  const std::int64_t position = mask_->query_offset.value_or(keys - rows) + row;
  Span document{0, keys};
  const std::vector<std::int64_t>& starts = mask_->document_starts;
  if (!starts.empty()) {
    auto next = std::upper_bound(starts.begin(), starts.end(), position);
    if (next == starts.begin()) ++next;  // a position before the first document counts to it
    document.begin = std::min(keys, next[-1]);
    if (next != starts.end()) document.end = std::min(keys, *next);
  }
  Span seen = document;
  if (mask_->is_causal) seen.end = std::min(seen.end, position + 1);
  if (mask_->window > 0) {
    seen.begin = std::max(seen.begin, position - mask_->window + 1);
    seen.end = std::min(seen.end, position + mask_->window);
  }
  seen.begin = std::min(seen.begin, keys);
  seen.end = std::max(seen.end, seen.begin);
  const std::int64_t sinks_end = std::min(document.begin + mask_->kept_sinks, seen.begin);
  return {.sinks = {document.begin, sinks_end}, .keys = seen};
}

std::int64_t Visibility::hidden_before(std::int64_t position) const noexcept {
  const std::vector<Span>& hidden = mask_->hidden;
  const auto next = std::partition_point(hidden.begin(), hidden.end(),
                                         [&](Span span) { return span.begin < position; });
  if (next == hidden.begin()) return 0;
  const std::int64_t behind = std::max<std::int64_t>(0, next[-1].end - position);
  return hidden_until_[static_cast<std::size_t>(next - hidden.begin() - 1)] - behind;
}

std::int64_t Visibility::count(std::int64_t batch, std::int64_t row) const noexcept {
  const VisibleKeys seen = of_row(batch, row);
  const std::int64_t all = seen.sinks.length() + seen.keys.length();
  if (mask_->hidden.empty()) return all;
  const auto hidden_in = [&](Span span) {
    return hidden_before(span.end) - hidden_before(span.begin);
  };
  return all - hidden_in(seen.sinks) - hidden_in(seen.keys);
}

void Visibility::runs_of(std::int64_t batch, std::int64_t first_row, std::int64_t last_row,
                         Span within, std::vector<Span>& runs) const {
  runs.clear();
  last_row = std::min(last_row, rows_of(batch) - 1);
  if (last_row < first_row) return;
  const VisibleKeys first = of_row(batch, first_row);
  // A later row's sinks lie in the first row's, or behind its keys' begin.
  const Span all{first.keys.begin, of_row(batch, last_row).keys.end};
  for (const Span run : {first.sinks, all}) {
    const Span part{std::max(run.begin, within.begin), std::min(run.end, within.end)};
    if (!part.is_empty()) runs.push_back(part);
  }
  take_out(mask_->hidden, runs);
}

bool Visibility::is_full(std::int64_t batch, std::int64_t first_row, std::int64_t last_row,
                         Span tile) const noexcept {
  return tile.begin >= of_row(batch, last_row).keys.begin &&
         tile.end <= of_row(batch, first_row).keys.end;
}

void check_mask(const AttentionMask& mask, std::int64_t batch, std::int64_t query_length,
                std::int64_t key_length) {
  constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max() / 4;
  const std::int64_t offset = mask.query_offset.value_or(0);
  if (offset > kFarthest || offset < -kFarthest) {
    refuse("query_offset is " + std::to_string(offset) + ", beyond any position");
  }
  if (mask.window < 0 || mask.window > kFarthest) {
    refuse("window is " + std::to_string(mask.window) + "; wanted 0 (none) or a number of keys");
  }
  if (mask.kept_sinks < 0 || mask.kept_sinks > kFarthest) {
    refuse("kept_sinks is " + std::to_string(mask.kept_sinks) + "; it must not be negative");
  }
  check_lengths("query_lengths", mask.query_lengths, batch, query_length);
  check_lengths("key_lengths", mask.key_lengths, batch, key_length);
  check_starts("document_starts", mask.document_starts);
  check_spans("hidden", mask.hidden, key_length);
}

}  // namespace whereof::attention
