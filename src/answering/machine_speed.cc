// How fast this machine reads with this model: two short measurements, about a second.
#include <algorithm>
#include <chrono>
#include <vector>

#include "memory/aligned_array.h"
#include "memory/available_memory.h"
#include "whereof/answer.h"
#include "whereof/attention.h"

namespace whereof {
namespace {

constexpr std::int64_t kProbeTokens = 96;
constexpr std::int64_t kProbeRows = 128;
constexpr std::int64_t kProbeKeys = 2048;
constexpr int kDecodeSteps = 3;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double attention_speed(const ModelShape& shape, int threads) {
  const std::int64_t query_size = kProbeRows * shape.query_heads * shape.head_dim;
  const std::int64_t key_size = kProbeKeys * shape.kv_heads * shape.head_dim;
  memory::AlignedArray<float> query(query_size);
  memory::AlignedArray<float> output(query_size);
  memory::AlignedArray<std::uint16_t> keys(key_size);
  std::fill_n(query.data(), query_size, 0.01F);
  std::fill_n(keys.data(), key_size, std::uint16_t{0x3c00});
  const ConstTensorView key = dense_view(static_cast<const void*>(keys.data()), ElementType::bf16,
                                         {1, kProbeKeys, shape.kv_heads, shape.head_dim});
  const std::array<std::int64_t, 4> query_shape = {1, kProbeRows, shape.query_heads,
                                                   shape.head_dim};
  AttentionOptions options;
  options.threads = threads;
  double seconds = 0;
  for (int round = 0; round < 2; ++round) {  // the first warms up
    const auto begin = std::chrono::steady_clock::now();
    attention_forward(
        dense_view(static_cast<const void*>(query.data()), ElementType::f32, query_shape), key, key,
        dense_view(output.data(), ElementType::f32, query_shape), options);
    seconds = seconds_since(begin);
  }
  const double flops = 4.0 * static_cast<double>(kProbeKeys) * static_cast<double>(query_size);
  return flops / std::max(seconds, 1e-9);
}

}  // namespace

ModelShape shape_of(const ModelDescription& description) {
  const auto width = static_cast<double>(description.width);
  const auto query_width = static_cast<double>(description.query_heads * description.head_dim);
  const auto kv_width = static_cast<double>(description.kv_heads * description.head_dim);
  ModelShape shape;
  shape.layers = description.layers;
  shape.width = description.width;
  shape.query_heads = description.query_heads;
  shape.kv_heads = description.kv_heads;
  shape.head_dim = description.head_dim;
  shape.projection_parameters = width * (2 * query_width + 2 * kv_width);
  shape.feed_forward_parameters = 3 * width * static_cast<double>(description.feed_forward_width);
  shape.head_parameters = width * static_cast<double>(description.vocabulary_size);
  shape.weight_bytes = static_cast<double>(description.file_bytes);
  shape.kv_element_bytes = 2;
  shape.window_tokens = description.window_tokens;
  return shape;
}

MachineSpeed measure_machine(const std::shared_ptr<const Model>& model, int threads) {
  const ModelShape shape = shape_of(model->description());
  MachineSpeed machine;
  machine.name = "this machine";
  machine.memory_bytes = static_cast<double>(memory::available_bytes());
  machine.attention_flops_per_second = attention_speed(shape, threads);

  ContextOptions options;
  options.threads = threads;
  options.capacity_tokens = kProbeTokens + kDecodeSteps + 8;
  const std::unique_ptr<Context> context = Context::create(model, options);
  const std::vector<TokenId> tokens(static_cast<std::size_t>(kProbeTokens), TokenId{1});
  context->read(std::span(tokens).first(8));  // maps the weights in
  context->truncate(0);
  auto begin = std::chrono::steady_clock::now();
  context->read(tokens);
  const double layer_parameters = shape.projection_parameters + shape.feed_forward_parameters;
  const double flops = 2.0 * static_cast<double>(kProbeTokens) * layer_parameters *
                       static_cast<double>(shape.layers);
  machine.flops_per_second = flops / std::max(seconds_since(begin), 1e-9);
  begin = std::chrono::steady_clock::now();
  for (int step = 0; step < kDecodeSteps; ++step) context->read(std::span(tokens).first(1));
  machine.bytes_per_second =
      shape.weight_bytes * kDecodeSteps / std::max(seconds_since(begin), 1e-9);
  return machine;
}

}  // namespace whereof
