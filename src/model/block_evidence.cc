#include "model/block_evidence.h"

#include <algorithm>
#include <string>

#include "whereof/error.h"

namespace whereof::model {
namespace {

std::int64_t groups_of(const EvidenceRequest& request) {
  switch (request.rows) {
    case EvidenceRows::all_summed:
      return 1;
    case EvidenceRows::by_query_span:
      return static_cast<std::int64_t>(request.query_spans.size());
    case EvidenceRows::single:
      return static_cast<std::int64_t>(request.query_rows.size());
  }
  return 0;
}

// The rows of the block, as the request counts them; first_group is set to the first that lies in.
bool choose_rows(const EvidenceRequest& whole, std::int64_t begin, std::int64_t end,
                 BlockRequest& block) {
  if (whole.rows == EvidenceRows::by_query_span) {
    for (std::size_t i = 0; i < whole.query_spans.size(); ++i) {
      const Span span = whole.query_spans[i];
      const Span inside{std::max(span.begin, begin), std::min(span.end, end)};
      if (inside.is_empty()) continue;
      if (block.request.query_spans.empty()) block.first_group = static_cast<std::int64_t>(i);
      block.request.query_spans.push_back({inside.begin - begin, inside.end - begin});
    }
    return !block.request.query_spans.empty();
  }
  if (whole.rows == EvidenceRows::single) {
    const auto first = std::lower_bound(whole.query_rows.begin(), whole.query_rows.end(), begin);
    const auto last = std::lower_bound(first, whole.query_rows.end(), end);
    block.first_group = first - whole.query_rows.begin();
    for (auto row = first; row != last; ++row) block.request.query_rows.push_back(*row - begin);
    return first != last;
  }
  return true;
}

// The largest weights of both lists, one entry a key.
void merge_top_keys(const TopKey* part, TopKey* whole, std::int64_t count) {
  std::vector<TopKey> all;
  for (const TopKey* list : {part, static_cast<const TopKey*>(whole)}) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (list[i].key >= 0) all.push_back(list[i]);
    }
  }
  std::sort(all.begin(), all.end(), [](const TopKey& a, const TopKey& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.key < b.key;
  });
  std::int64_t kept = 0;
  for (const TopKey& candidate : all) {
    if (kept == count) break;
    const auto is_same_key = [&](const TopKey& other) { return other.key == candidate.key; };
    if (std::none_of(whole, whole + kept, is_same_key)) whole[kept++] = candidate;
  }
}

}  // namespace

void check_request(const EvidenceRequest& request, std::int64_t rows) {
  std::int64_t next = 0;
  const auto check = [&](Span span) {
    if (span.begin < next || span.is_empty() || span.end > rows) {
      throw Error(ErrorKind::invalid_argument,
                  "EvidenceRequest: rows " + std::to_string(span.begin) + " to " +
                      std::to_string(span.end) + ", wanted ascending rows from " +
                      std::to_string(next) + " to " + std::to_string(rows));
    }
    next = span.end;
  };
  if (request.rows == EvidenceRows::by_query_span) {
    for (const Span span : request.query_spans) check(span);
  } else if (request.rows == EvidenceRows::single) {
    for (const std::int64_t row : request.query_rows) check({row, row + 1});
  }
}

std::optional<BlockRequest> block_request(const EvidenceRequest& whole, std::int64_t begin,
                                          std::int64_t end, std::int64_t key_length) {
  BlockRequest block;
  block.request.rows = whole.rows;
  block.request.sink_length = whole.sink_length;
  block.request.top_keys = whole.top_keys;
  if (!choose_rows(whole, begin, end, block)) return std::nullopt;
  for (const Span span : whole.key_spans) {
    if (span.begin >= key_length) break;
    block.request.key_spans.push_back({span.begin, std::min(span.end, key_length)});
  }
  return block;
}

Evidence empty_evidence(const EvidenceRequest& request, std::int64_t query_heads) {
  Evidence evidence;
  evidence.batch = 1;
  evidence.query_heads = query_heads;
  evidence.groups = groups_of(request);
  evidence.key_spans = static_cast<std::int64_t>(request.key_spans.size());
  evidence.top_keys = request.top_keys;
  const auto cells = static_cast<std::size_t>(query_heads * evidence.groups);
  evidence.row_count.assign(static_cast<std::size_t>(evidence.groups), 0);
  for (std::vector<float>* values : {&evidence.log_sum_exp, &evidence.max_weight, &evidence.entropy,
                                     &evidence.sink_mass, &evidence.unassigned_mass}) {
    values->assign(cells, 0.0F);
  }
  evidence.span_mass.assign(cells * request.key_spans.size(), 0.0F);
  evidence.top.assign(cells * static_cast<std::size_t>(request.top_keys), TopKey{});
  return evidence;
}

void add_block(const BlockRequest& block, const Evidence& part, Evidence& whole) {
  for (std::int64_t group = 0; group < part.groups; ++group) {
    whole.row_count[static_cast<std::size_t>(block.first_group + group)] +=
        part.row_count[static_cast<std::size_t>(group)];
  }
  for (std::int64_t head = 0; head < whole.query_heads; ++head) {
    for (std::int64_t group = 0; group < part.groups; ++group) {
      const auto from = static_cast<std::size_t>(part.index(0, head, group));
      const auto to = static_cast<std::size_t>(whole.index(0, head, block.first_group + group));
      whole.log_sum_exp[to] += part.log_sum_exp[from];
      whole.max_weight[to] = std::max(whole.max_weight[to], part.max_weight[from]);
      whole.entropy[to] += part.entropy[from];
      whole.sink_mass[to] += part.sink_mass[from];
      whole.unassigned_mass[to] += part.unassigned_mass[from];
      const auto part_spans = static_cast<std::size_t>(part.key_spans);
      const auto whole_spans = static_cast<std::size_t>(whole.key_spans);
      for (std::size_t span = 0; span < part_spans; ++span) {
        whole.span_mass[to * whole_spans + span] += part.span_mass[from * part_spans + span];
      }
      if (whole.top_keys > 0) {
        const auto count = static_cast<std::size_t>(whole.top_keys);
        merge_top_keys(part.top.data() + from * count, whole.top.data() + to * count,
                       whole.top_keys);
      }
    }
  }
}

}  // namespace whereof::model
