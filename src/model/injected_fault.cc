#include "model/injected_fault.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "model/block_evidence.h"
#include "numeric/half.h"

namespace whereof {

std::string_view name_of(InjectedFault fault) noexcept {
  switch (fault) {
    case InjectedFault::none:
      return "none";
    case InjectedFault::rotary_table_too_short:
      return "rotary_table_too_short";
    case InjectedFault::decode_at_position_zero:
      return "decode_at_position_zero";
    case InjectedFault::decode_one_position_late:
      return "decode_one_position_late";
    case InjectedFault::positions_in_half_precision:
      return "positions_in_half_precision";
    case InjectedFault::left_padding:
      return "left_padding";
    case InjectedFault::shifted_cache:
      return "shifted_cache";
    case InjectedFault::offset_restarts_at_depth:
      return "offset_restarts_at_depth";
    case InjectedFault::mask_on_wrong_triangle:
      return "mask_on_wrong_triangle";
    case InjectedFault::mask_after_softmax:
      return "mask_after_softmax";
    case InjectedFault::no_scale:
      return "no_scale";
    case InjectedFault::scale_by_head_dim:
      return "scale_by_head_dim";
  }
  return "unknown";
}

namespace model {
namespace {

std::vector<float> log_sum_exps(const AttentionCall& call, bool is_causal) {
  const auto rows = static_cast<std::size_t>(call.query.shape[1]);
  std::vector<float> sums(rows * static_cast<std::size_t>(call.query.shape[2]));
  AttentionOptions options = call.options;
  options.mask.is_causal = is_causal;
  options.mask.query_offset = call.start;
  attention_forward(call.query, call.key, call.value, call.output, options, sums.data());
  return sums;  // [query_heads, rows]
}

// Weights w become f w: their entropy, - sum f w ln(f w), is f (entropy of w - ln f).
void scale_weights(Evidence& row, std::int64_t head, float factor) {
  const auto at = static_cast<std::size_t>(head);
  row.entropy[at] = factor * (row.entropy[at] - std::log(factor));
  for (std::vector<float>* masses : {&row.max_weight, &row.sink_mass, &row.unassigned_mass}) {
    (*masses)[at] *= factor;
  }
  const auto spans = static_cast<std::size_t>(row.key_spans);
  for (std::size_t span = 0; span < spans; ++span) row.span_mass[at * spans + span] *= factor;
  const auto top_keys = static_cast<std::size_t>(row.top_keys);
  for (std::size_t i = 0; i < top_keys; ++i) row.top[at * top_keys + i].weight *= factor;
}

// The keys before a position, and of the hidden spans what lies behind it.
std::vector<Span> hidden_before(std::int64_t position, const std::vector<Span>& hidden) {
  std::vector<Span> spans;
  if (position > 0) spans.push_back({0, position});
  for (const Span span : hidden) {
    if (span.end > position) spans.push_back({std::max(span.begin, position), span.end});
  }
  return spans;
}

// Row by row, so that each has a mask, and a factor of its weights, of its own.
void attend_by_rows(InjectedFault fault, const AttentionCall& call) {
  const std::int64_t rows = call.query.shape[1];
  const std::int64_t heads = call.query.shape[2];
  const std::int64_t head_dim = call.query.shape[3];
  const bool is_late = fault == InjectedFault::mask_after_softmax;
  std::vector<float> seen;
  std::vector<float> counted;
  if (is_late) {
    seen = log_sum_exps(call, true);
    counted = log_sum_exps(call, false);
  }
  if (call.evidence != nullptr) *call.evidence = empty_evidence(*call.request, heads);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t position = call.start + row;
    AttentionOptions options = call.options;
    options.mask.query_offset = position;
    options.mask.is_causal = is_late;
    if (!is_late) options.mask.hidden = hidden_before(position, call.options.mask.hidden);
    const std::array<std::int64_t, 4> shape{1, 1, heads, head_dim};
    const auto* query = static_cast<const std::byte*>(call.query.data) +
                        row * heads * head_dim * bytes_of(call.query.type);
    float* output = static_cast<float*>(call.output.data) + row * heads * head_dim;
    std::optional<BlockRequest> asked;
    if (call.request != nullptr) {
      asked = block_request(*call.request, row, row + 1, call.start + rows);
    }
    Evidence evidence;
    attention_forward(dense_view(static_cast<const void*>(query), call.query.type, shape), call.key,
                      call.value, dense_view(output, ElementType::f32, shape), options, nullptr,
                      asked ? &asked->request : nullptr, asked ? &evidence : nullptr);
    for (std::int64_t head = 0; is_late && head < heads; ++head) {
      const auto at = static_cast<std::size_t>(head * rows + row);
      const float factor = std::exp(seen[at] - counted[at]);
      for (std::int64_t d = 0; d < head_dim; ++d) output[head * head_dim + d] *= factor;
      if (asked) scale_weights(evidence, head, factor);
    }
    if (asked) add_block(*asked, evidence, *call.evidence);
  }
}

}  // namespace

std::int64_t in_half_precision(std::int64_t position) noexcept {
  const float rounded = numeric::float_of_f16(numeric::f16_of_float(static_cast<float>(position)));
  return static_cast<std::int64_t>(rounded);
}

std::int64_t rotated_position(InjectedFault fault, std::int64_t position, std::int64_t rows,
                              std::int64_t table_length) noexcept {
  switch (fault) {
    case InjectedFault::decode_at_position_zero:
      if (rows == 1) return 0;
      break;
    case InjectedFault::decode_one_position_late:
      if (rows == 1) ++position;
      break;
    case InjectedFault::positions_in_half_precision:
      position = in_half_precision(position);
      break;
    case InjectedFault::left_padding:
      if (rows > 1) position += kPadding;
      break;
    case InjectedFault::offset_restarts_at_depth:
      position %= kRestartDepth;
      break;
    default:
      break;
  }
  return fault == InjectedFault::none ? position : std::min(position, table_length - 1);
}

std::int64_t rotary_length_with(InjectedFault fault, std::int64_t capacity) noexcept {
  if (fault != InjectedFault::rotary_table_too_short) return capacity;
  return std::max<std::int64_t>(1, capacity / 2);
}

float scale_with(InjectedFault fault, float scale, std::int64_t head_dim) noexcept {
  if (fault == InjectedFault::no_scale) return 1;
  if (fault == InjectedFault::scale_by_head_dim) return 1 / static_cast<float>(head_dim);
  return scale;
}

void attend(InjectedFault fault, const AttentionCall& call) {
  if (fault == InjectedFault::mask_on_wrong_triangle ||
      fault == InjectedFault::mask_after_softmax) {
    attend_by_rows(fault, call);
    return;
  }
  attention_forward(call.query, call.key, call.value, call.output, call.options, nullptr,
                    call.request, call.evidence);
}

}  // namespace model
}  // namespace whereof
