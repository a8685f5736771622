// A call of attention_forward through the C++ API, timed, for python_attention.py: what Python adds
// to it is the difference. Arrays are [1, length, heads, dim], dense; spans are pairs.
#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "whereof/attention.h"

extern "C" __attribute__((visibility("default"))) double attention_call_seconds(
    const void* query, const void* key, const void* value, void* output, int is_bf16,
    std::int64_t length, std::int64_t heads, std::int64_t dim, const std::int64_t* spans,
    std::int64_t span_count, int threads) {
  using namespace whereof;
  const auto begin = std::chrono::steady_clock::now();
  const ElementType type = is_bf16 != 0 ? ElementType::bf16 : ElementType::f32;
  const std::array<std::int64_t, 4> shape{1, length, heads, dim};
  AttentionOptions options;
  options.mask.is_causal = true;
  options.threads = threads;
  EvidenceRequest request;
  for (std::int64_t i = 0; i < span_count; ++i) {
    request.key_spans.push_back({spans[2 * i], spans[2 * i + 1]});
  }
  Evidence evidence;
  std::vector<float> log_sum_exp(static_cast<std::size_t>(heads * length));
  attention_forward(dense_view(query, type, shape), dense_view(key, type, shape),
                    dense_view(value, type, shape), dense_view(output, type, shape), options,
                    log_sum_exp.data(), &request, &evidence);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
