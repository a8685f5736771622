// Evidence: what is measured on the attention weights of a row, in the pass that computes the
// output, without holding [query_length, key_length].
//
// With s the scaled score of a visible key, m = max s, l = sum exp(s - m), w = exp(s - m) / l:
//
//   | figure      | what it is                                                              |
//   |-------------|-------------------------------------------------------------------------|
//   | log_sum_exp | m + ln l                                                                |
//   | max_weight  | max w = exp(m - log_sum_exp)                                            |
//   | entropy     | -sum w ln w = ln l - sum w (s - m), in nats, from 0 to ln of the keys   |
//   | sink_mass   | sum of w over the first sink_length key positions                       |
//   | span_mass   | sum of w over the keys of one span                                      |
//   | top         | the keys of largest w                                                   |
//
// A row that sees no key has log_sum_exp = -infinity and zero for everything else.
#ifndef WHEREOF_EVIDENCE_H_
#define WHEREOF_EVIDENCE_H_

#include <cstdint>
#include <vector>

#include "whereof/span.h"

namespace whereof {

// How query rows are put together. A group is what one figure is given for.
enum class EvidenceRows {
  all_summed,     // one group: all query rows
  by_query_span,  // one group for each span of query_spans: a clause-by-clause table
  single,         // one group for each row of query_rows
};

struct EvidenceRequest {
  EvidenceRows rows = EvidenceRows::all_summed;
  std::vector<Span> query_spans;         // row indices within the call, ascending, disjoint
  std::vector<std::int64_t> query_rows;  // row indices within the call, ascending
  std::vector<Span> key_spans;           // key positions, ascending, disjoint, none empty
  std::int64_t sink_length = 1;          // how many first key positions count as the sink
  std::int64_t top_keys = 0;             // how many top keys to keep for each group, at most 64
  bool column_sums = false;              // whether to fill column_mass
};

struct TopKey {
  std::int64_t key = -1;  // position, -1 where fewer keys are visible than were asked for
  float weight = 0;
};

// Arrays are [batch, query_heads, groups] and, where said, one more dimension; dense.
// For a group of several rows: entropy, sink_mass, span_mass and unassigned_mass are sums over its
// rows (divide by row_count for means), max_weight is the largest, top_keys are the largest single
// weights with one entry a key, log_sum_exp is the sum of the finite ones. A group with a row of
// NaN has NaN for all but its top keys.
struct Evidence {
  std::int64_t batch = 0;
  std::int64_t query_heads = 0;
  std::int64_t groups = 0;
  std::int64_t key_spans = 0;
  std::int64_t top_keys = 0;
  std::vector<std::int64_t> row_count;  // [batch, groups], rows that see at least one key
  std::vector<float> log_sum_exp;
  std::vector<float> max_weight;
  std::vector<float> entropy;
  std::vector<float> sink_mass;
  std::vector<float> span_mass;        // [batch, query_heads, groups, key_spans]
  std::vector<float> unassigned_mass;  // weight of keys that lie in no span
  std::vector<TopKey> top;             // [batch, query_heads, groups, top_keys], largest first
  // [batch, query_heads, key_spans]: the weight that each span receives from all query rows
  // together, whatever the groups; empty unless asked for.
  std::vector<float> column_mass;

  std::int64_t index(std::int64_t b, std::int64_t head, std::int64_t group) const noexcept {
    return (b * query_heads + head) * groups + group;
  }
};

}  // namespace whereof

#endif  // WHEREOF_EVIDENCE_H_
