#include "attention/problem.h"

#include <cmath>
#include <string>

#include "attention/argument_checks.h"
#include "whereof/error.h"

namespace whereof::attention {
Problem checked_problem(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const TensorView& output,
                        const AttentionOptions& options) {
  check_view("query", query);
  check_view("key", key);
  check_view("value", value);
  check_view("output", output);
  const auto [batch, query_length, query_heads, head_dim] = query.shape;
  const std::int64_t key_length = key.shape[1];
  const std::int64_t kv_heads = key.shape[2];
  check_shape("key", key.shape, {batch, key_length, kv_heads, head_dim});
  check_shape("value", value.shape, {batch, key_length, kv_heads, value.shape[3]});
  check_shape("output", output.shape, {batch, query_length, query_heads, value.shape[3]});
  if (head_dim < 1 || value.shape[3] < 1) {
    refuse("head_dim is " + std::to_string(head_dim) + " and value_dim " +
           std::to_string(value.shape[3]) + "; both must be positive");
  }
  if (kv_heads < 1 || query_heads % kv_heads != 0) {
    refuse("query has " + std::to_string(query_heads) + " heads, which " +
           std::to_string(kv_heads) + " kv heads do not divide");
  }
  if (key.type != value.type) {
    refuse("key is " + std::string(name_of(key.type)) + " and value " +
           std::string(name_of(value.type)) + "; they must have one type");
  }
  check_no_overlap("output", output, "query", query);
  check_no_overlap("output", output, "key", key);
  check_no_overlap("output", output, "value", value);
  check_rows_apart("output", output);
  const float scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(head_dim)));
  if (!std::isfinite(scale)) refuse("scale is not a finite number");
  if (!std::isfinite(options.soft_cap) || options.soft_cap < 0) {
    refuse("soft_cap is " + std::to_string(options.soft_cap) + "; wanted 0 (none) or more");
  }
  check_mask(options.mask, batch, query_length, key_length);
  return {.query = query,
          .key = key,
          .value = value,
          .output = output,
          .batch = batch,
          .query_length = query_length,
          .key_length = key_length,
          .query_heads = query_heads,
          .kv_heads = kv_heads,
          .group_size = query_heads / kv_heads,
          .head_dim = head_dim,
          .value_dim = value.shape[3],
          .scale = scale,
          .soft_cap = options.soft_cap,
          .visibility = Visibility(options.mask, query_length, key_length)};
}

void check_request(const Problem& problem, const EvidenceRequest* request,
                   const Evidence* evidence) {
  if ((request == nullptr) != (evidence == nullptr)) {
    refuse("evidence_request and evidence must both be given or neither");
  }
  if (request == nullptr) return;
  check_spans("key_spans", request->key_spans, problem.key_length);
  if (request->rows == EvidenceRows::by_query_span) {
    check_spans("query_spans", request->query_spans, problem.query_length);
  }
  if (request->rows == EvidenceRows::single) {
    check_query_rows(request->query_rows, problem.query_length);
  }
  if (request->sink_length < 0) {
    refuse("sink_length is " + std::to_string(request->sink_length) + "; it must not be negative");
  }
  if (request->top_keys < 0 || request->top_keys > 64) {
    refuse("top_keys is " + std::to_string(request->top_keys) + "; wanted 0 to 64");
  }
}

}  // namespace whereof::attention
