#include "reference/naive_attention.h"

namespace whereof::reference {
namespace {

// The document that a position belongs to; those before the first belong to it.
std::size_t document_at(const std::vector<std::int64_t>& starts, std::int64_t position) {
  std::size_t document = 0;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    if (starts[d] <= position) document = d;
  }
  return document;
}

}  // namespace

bool is_visible(const AttentionMask& mask, std::int64_t b, std::int64_t i, std::int64_t j,
                std::int64_t query_length, std::int64_t key_length) {
  const auto sequence = static_cast<std::size_t>(b);
  const std::int64_t rows =
      mask.query_lengths.empty() ? query_length : mask.query_lengths[sequence];
  const std::int64_t keys = mask.key_lengths.empty() ? key_length : mask.key_lengths[sequence];
  if (i >= rows || j >= keys) return false;
  const std::int64_t position = mask.query_offset.value_or(keys - rows) + i;
  const std::vector<std::int64_t>& starts = mask.document_starts;
  const std::int64_t document_start = starts.empty() ? 0 : starts[document_at(starts, position)];
  if (!starts.empty() && document_at(starts, position) != document_at(starts, j)) return false;
  if (mask.is_causal && j > position) return false;
  const bool is_sink = j < document_start + mask.kept_sinks && j <= position;
  const bool is_in_window =
      mask.window == 0 || (position - mask.window < j && j < position + mask.window);
  if (!is_in_window && !is_sink) return false;
  for (const Span span : mask.hidden) {
    if (span.contains(j)) return false;
  }
  return true;
}

RowEvidence row_evidence(const Naive<double>& attention, const EvidenceRequest& request,
                         std::int64_t b, std::int64_t head, std::int64_t row) {
  const std::int64_t key_length = attention.weights.shape[3];
  RowEvidence evidence;
  evidence.log_sum_exp = attention.log_sum_exp.at(b, head, row, 0);
  evidence.span_mass.assign(request.key_spans.size(), 0.0);
  for (std::int64_t key = 0; key < key_length; ++key) {
    const double weight = attention.weights.at(b, head, row, key);
    evidence.max_weight = std::max(evidence.max_weight, weight);
    if (weight > 0) evidence.entropy -= weight * std::log(weight);
    if (key < request.sink_length) evidence.sink_mass += weight;
    bool is_assigned = false;
    for (std::size_t span = 0; span < request.key_spans.size(); ++span) {
      if (!request.key_spans[span].contains(key)) continue;
      evidence.span_mass[span] += weight;
      is_assigned = true;
    }
    if (!is_assigned) evidence.unassigned_mass += weight;
  }
  return evidence;
}

std::vector<std::vector<std::int64_t>> rows_of_groups(const EvidenceRequest& request,
                                                      std::int64_t query_length) {
  std::vector<std::vector<std::int64_t>> groups;
  if (request.rows == EvidenceRows::single) {
    for (const std::int64_t row : request.query_rows) groups.push_back({row});
    return groups;
  }
  const std::vector<Span> everything = {{0, query_length}};
  const bool is_all = request.rows == EvidenceRows::all_summed;
  for (const Span span : is_all ? everything : request.query_spans) {
    groups.emplace_back();
    for (std::int64_t row = span.begin; row < span.end; ++row) groups.back().push_back(row);
  }
  return groups;
}

GroupEvidence group_evidence(const Naive<double>& attention, const EvidenceRequest& request,
                             std::int64_t b, std::int64_t head,
                             const std::vector<std::int64_t>& rows) {
  const std::int64_t key_length = attention.weights.shape[3];
  GroupEvidence group;
  group.span_mass.assign(request.key_spans.size(), 0.0);
  for (const std::int64_t row : rows) {
    const RowEvidence one = row_evidence(attention, request, b, head, row);
    if (std::isinf(one.log_sum_exp)) continue;
    ++group.row_count;
    group.log_sum_exp += one.log_sum_exp;
    group.max_weight = std::max(group.max_weight, one.max_weight);
    group.entropy += one.entropy;
    group.sink_mass += one.sink_mass;
    group.unassigned_mass += one.unassigned_mass;
    for (std::size_t i = 0; i < one.span_mass.size(); ++i) group.span_mass[i] += one.span_mass[i];
  }
  for (std::int64_t key = 0; key < key_length; ++key) {
    double largest = -1;
    for (const std::int64_t row : rows) {
      if (std::isinf(attention.scores.at(b, head, row, key))) continue;
      largest = std::max(largest, attention.weights.at(b, head, row, key));
    }
    if (largest >= 0) group.top.emplace_back(largest, key);
  }
  std::stable_sort(group.top.begin(), group.top.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  group.top.resize(std::min(group.top.size(), static_cast<std::size_t>(request.top_keys)));
  return group;
}

}  // namespace whereof::reference
