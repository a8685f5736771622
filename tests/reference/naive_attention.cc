#include "reference/naive_attention.h"

namespace whereof::reference {

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
