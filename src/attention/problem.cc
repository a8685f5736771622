#include "attention/problem.h"

#include <cmath>
#include <string>

#include "attention/argument_checks.h"
#include "whereof/error.h"

namespace whereof::attention {
namespace {

constexpr auto kQueryTypes = {ElementType::f32, ElementType::bf16, ElementType::f16,
                              ElementType::f64};
constexpr auto kCacheTypes = {ElementType::f32, ElementType::bf16, ElementType::f16,
                              ElementType::i8, ElementType::f64};

void check_types(const ConstTensorView& key, const ConstTensorView& value) {
  if (key.type == value.type) return;
  refuse("key is " + std::string(name_of(key.type)) + " and value " +
         std::string(name_of(value.type)) + "; they must have one type");
}

// Throws unless the cache has scales exactly where it needs them.
CacheScales checked_scales(const ConstTensorView& key, const AttentionOptions& options) {
  const bool needs_scales = key.type == ElementType::i8;
  if (needs_scales != options.cache_scales.has_value()) {
    refuse(needs_scales ? std::string("key is i8 but cache_scales is not given")
                        : "cache_scales is given but key is " + std::string(name_of(key.type)) +
                              "; only a cache of i8 has scales");
  }
  if (!needs_scales) return {};
  const auto [first, length, heads, dim] = key.shape;
  check_view("cache_scales.key", options.cache_scales->key, {ElementType::f32});
  check_view("cache_scales.value", options.cache_scales->value, {ElementType::f32});
  check_shape("cache_scales.key", options.cache_scales->key.shape, {first, length, heads, 1});
  check_shape("cache_scales.value", options.cache_scales->value.shape, {first, length, heads, 1});
  return *options.cache_scales;
}

// Every entry of the table that a visible key may need names a page.
void check_pages(const KeyPages& pages, const ConstTensorView& key, std::int64_t batch,
                 const AttentionMask& mask) {
  const std::int64_t page_count = key.shape[0];
  const std::int64_t page_length = key.shape[1];
  if (pages.key_length < 0 || pages.pages_per_sequence < 0) {
    refuse("key_pages has key_length " + std::to_string(pages.key_length) +
           " and pages_per_sequence " + std::to_string(pages.pages_per_sequence) +
           "; neither may be negative");
  }
  if (pages.key_length == 0) return;
  if (pages.table == nullptr) refuse("key_pages has no table");
  if (page_length < 1 || (pages.key_length - 1) / page_length >= pages.pages_per_sequence) {
    refuse("key_pages has key_length " + std::to_string(pages.key_length) + ", more than " +
           std::to_string(pages.pages_per_sequence) + " pages of " + std::to_string(page_length) +
           " keys hold");
  }
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::int64_t keys =
        mask.key_lengths.empty() ? pages.key_length : mask.key_lengths[static_cast<std::size_t>(b)];
    for (std::int64_t i = 0; i * page_length < keys; ++i) {
      const std::int32_t page = pages.table[b * pages.pages_per_sequence + i];
      if (page >= 0 && page < page_count) continue;
      refuse("key_pages.table[" + std::to_string(b) + "][" + std::to_string(i) + "] is " +
             std::to_string(page) + "; there are " + std::to_string(page_count) + " pages");
    }
  }
}

}  // namespace

Problem checked_problem(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const TensorView& output,
                        const AttentionOptions& options) {
  check_view("query", query, kQueryTypes);
  check_view("key", key, kCacheTypes);
  check_view("value", value, kCacheTypes);
  check_view("output", output, kQueryTypes);
  const auto [batch, query_length, query_heads, head_dim] = query.shape;
  const std::optional<KeyPages>& pages = options.key_pages;
  const std::int64_t key_length = pages ? pages->key_length : key.shape[1];
  const std::int64_t first = pages ? key.shape[0] : batch;
  const std::int64_t kv_heads = key.shape[2];
  check_shape("key", key.shape, {first, key.shape[1], kv_heads, head_dim});
  check_shape("value", value.shape, {first, key.shape[1], kv_heads, value.shape[3]});
  check_shape("output", output.shape, {batch, query_length, query_heads, value.shape[3]});
  if (head_dim < 1 || value.shape[3] < 1) {
    refuse("head_dim is " + std::to_string(head_dim) + " and value_dim " +
           std::to_string(value.shape[3]) + "; both must be positive");
  }
  if (kv_heads < 1 || query_heads % kv_heads != 0) {
    refuse("query has " + std::to_string(query_heads) + " heads, which " +
           std::to_string(kv_heads) + " kv heads do not divide");
  }
  check_types(key, value);
  check_doubles("key", key, "query", query);
  check_doubles("output", output, "query", query);
  const CacheScales scales = checked_scales(key, options);
  check_no_overlap("output", output, "query", query);
  check_no_overlap("output", output, "key", key);
  check_no_overlap("output", output, "value", value);
  check_rows_apart("output", output);
  const double exact_scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(head_dim)));
  const float scale = options.scale ? static_cast<float>(*options.scale)
                                    : 1.0F / std::sqrt(static_cast<float>(head_dim));
  if (!std::isfinite(scale)) refuse("scale is not a finite number");
  if (!std::isfinite(options.soft_cap) || options.soft_cap < 0) {
    refuse("soft_cap is " + std::to_string(options.soft_cap) + "; wanted 0 (none) or more");
  }
  check_mask(options.mask, batch, query_length, key_length);
  if (pages) check_pages(*pages, key, batch, options.mask);
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
          .exact_scale = exact_scale,
          .soft_cap = options.soft_cap,
          .scales = scales,
          .pages = pages,
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
