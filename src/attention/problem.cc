#include "attention/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "whereof/error.h"

namespace whereof::attention {
namespace {

std::string text_of(const std::array<std::int64_t, 4>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::invalid_argument, message);
}

template <typename View>
void check_view(const char* name, const View& view) {
  if (view.type != ElementType::f32 && view.type != ElementType::bf16) {
    throw Error(ErrorKind::unsupported, std::string(name) + " has type " +
                                            std::string(name_of(view.type)) +
                                            "; attention takes f32 and bf16");
  }
  for (const std::int64_t extent : view.shape) {
    if (extent < 0) {
      refuse(std::string(name) + " has shape " + text_of(view.shape) +
             "; no dimension may be negative");
    }
  }
  if (view.is_empty()) return;
  if (view.data == nullptr) {
    refuse(std::string(name) + " of shape " + text_of(view.shape) + " has no data");
  }
  if (view.shape[3] > 1 && view.strides[3] != 1) {
    refuse(std::string(name) + " has innermost stride " + std::to_string(view.strides[3]) +
           "; rows must be contiguous (stride 1)");
  }
}

void check_shape(const char* name, const std::array<std::int64_t, 4>& found,
                 const std::array<std::int64_t, 4>& wanted) {
  if (found == wanted) return;
  refuse(std::string(name) + " has shape " + text_of(found) + "; wanted " + text_of(wanted));
}

struct Extent {
  std::intptr_t begin = 0;
  std::intptr_t end = 0;
};

// The bytes between the first and the last that a view reaches.
template <typename View>
Extent extent_of(const View& view) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    const std::int64_t reach = (view.shape[i] - 1) * view.strides[i];
    (reach < 0 ? lowest : highest) += reach;
  }
  const auto data = reinterpret_cast<std::intptr_t>(view.data);
  const std::int64_t bytes = bytes_of(view.type);
  return {data + lowest * bytes, data + (highest + 1) * bytes};
}

void check_overlap(const TensorView& output, const char* name, const ConstTensorView& input) {
  if (output.is_empty() || input.is_empty()) return;
  const Extent a = extent_of(output);
  const Extent b = extent_of(input);
  if (a.begin < b.end && b.begin < a.end) {
    refuse(std::string("output overlaps ") + name + " in memory; it must overlap no input");
  }
}

// Rows of the output that share memory would be written twice.
void check_rows_apart(const TensorView& output) {
  if (output.is_empty()) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if (output.shape[i] > 1 && std::abs(output.strides[i]) < output.shape[3]) {
      refuse("output has stride " + std::to_string(output.strides[i]) + " in dimension " +
             std::to_string(i) + "; its rows of " + std::to_string(output.shape[3]) +
             " elements overlap");
    }
  }
}

std::string text_of(Span span) {
  return "[" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")";
}

void check_spans(const char* name, const std::vector<Span>& spans, std::int64_t length) {
  std::int64_t previous_end = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span span = spans[i];
    const std::string which = std::string(name) + "[" + std::to_string(i) + "] is " + text_of(span);
    if (span.is_empty()) refuse(which + "; no span may be empty");
    if (span.begin < 0 || span.end > length) {
      refuse(which + "; it leaves the sequence of length " + std::to_string(length));
    }
    if (span.begin < previous_end) {
      refuse(which + "; spans must be ascending and disjoint, and the one before ends at " +
             std::to_string(previous_end));
    }
    previous_end = span.end;
  }
}

void check_query_rows(const std::vector<std::int64_t>& rows, std::int64_t query_length) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string which = "query_rows[" + std::to_string(i) + "] is " + std::to_string(rows[i]);
    if (rows[i] < 0 || rows[i] >= query_length) {
      refuse(which + "; the call has " + std::to_string(query_length) + " query rows");
    }
    if (i > 0 && rows[i] <= rows[i - 1]) {
      refuse(which + "; rows must be ascending, and the one before is " +
             std::to_string(rows[i - 1]));
    }
  }
}

}  // namespace

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
  check_overlap(output, "query", query);
  check_overlap(output, "key", key);
  check_overlap(output, "value", value);
  check_rows_apart(output);
  const float scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(head_dim)));
  if (!std::isfinite(scale)) refuse("scale is not a finite number");
  const std::int64_t offset = options.mask.query_offset.value_or(key_length - query_length);
  constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max() / 4;
  if (offset > kFarthest || offset < -kFarthest) {
    refuse("query_offset is " + std::to_string(offset) + ", beyond any position");
  }
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
          .is_causal = options.mask.is_causal,
          .query_offset = offset,
          .scale = scale};
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
