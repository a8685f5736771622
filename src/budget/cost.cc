// Counts of FLOPs and bytes as include/whereof/budget.h states them; a multiply-add is two FLOPs.
#include <algorithm>
#include <cmath>
#include <string>

#include "whereof/budget.h"
#include "whereof/error.h"

namespace whereof {
namespace {

void require(bool holds, const std::string& what, double found) {
  if (!holds) {
    throw Error(ErrorKind::invalid_argument, what + ", found " + std::to_string(found));
  }
}

void check(const ModelShape& shape) {
  require(shape.layers > 0, "layers must be positive", double(shape.layers));
  require(shape.width > 0, "width must be positive", double(shape.width));
  require(shape.query_heads > 0, "query_heads must be positive", double(shape.query_heads));
  require(shape.kv_heads > 0, "kv_heads must be positive", double(shape.kv_heads));
  require(shape.head_dim > 0, "head_dim must be positive", double(shape.head_dim));
  require(shape.kv_element_bytes > 0, "kv_element_bytes must be positive", shape.kv_element_bytes);
  require(shape.projection_parameters > 0, "projection_parameters must be positive",
          shape.projection_parameters);
  require(shape.feed_forward_parameters >= 0, "feed_forward_parameters must not be negative",
          shape.feed_forward_parameters);
  require(shape.head_parameters >= 0, "head_parameters must not be negative",
          shape.head_parameters);
  require(shape.weight_bytes >= 0, "weight_bytes must not be negative", shape.weight_bytes);
}

void check(const MachineSpeed& machine) {
  require(machine.flops_per_second > 0, "flops_per_second must be positive",
          machine.flops_per_second);
  require(machine.attention_flops_per_second >= 0,
          "attention_flops_per_second must not be negative", machine.attention_flops_per_second);
  require(machine.bytes_per_second > 0, "bytes_per_second must be positive",
          machine.bytes_per_second);
  require(machine.memory_bytes >= 0, "memory_bytes must not be negative", machine.memory_bytes);
}

void count_flops(Cost& cost, const ModelShape& shape) {
  const auto layers = static_cast<double>(shape.layers);
  const auto heads_width = static_cast<double>(shape.query_heads * shape.head_dim);
  cost.scores = double(shape.query_heads) * cost.tokens * cost.tokens;
  cost.projection_flops = 2 * cost.tokens * shape.projection_parameters * layers;
  cost.attention_flops = 4 * cost.tokens * cost.tokens * heads_width * layers;
  // Row i of a causal mask sees i + 1 keys: T (T + 1) / 2 of the T^2 scores.
  cost.causal_attention_flops = 2 * cost.tokens * (cost.tokens + 1) * heads_width * layers;
  cost.feed_forward_flops = 2 * cost.tokens * shape.feed_forward_parameters * layers;
  cost.head_flops = cost.tokens > 0 ? 2 * shape.head_parameters : 0;
  const double linear = cost.projection_flops + cost.feed_forward_flops + cost.head_flops;
  cost.total_flops = linear + cost.attention_flops;
  cost.attention_share = cost.total_flops > 0 ? cost.attention_flops / cost.total_flops : 0;
}

void count_bytes(Cost& cost, const ModelShape& shape) {
  cost.kv_bytes_per_layer =
      2 * cost.tokens * double(shape.kv_heads) * double(shape.head_dim) * shape.kv_element_bytes;
  cost.kv_bytes = cost.kv_bytes_per_layer * double(shape.layers);
}

void count_seconds(Cost& cost, const ModelShape& shape, const MachineSpeed& machine) {
  const double linear = cost.projection_flops + cost.feed_forward_flops + cost.head_flops;
  const double attention_speed = machine.attention_flops_per_second > 0
                                     ? machine.attention_flops_per_second
                                     : machine.flops_per_second;
  const double linear_seconds = linear / machine.flops_per_second;
  cost.prefill_seconds = linear_seconds + cost.attention_flops / attention_speed;
  cost.causal_prefill_seconds = linear_seconds + cost.causal_attention_flops / attention_speed;
  cost.kv_read_seconds_per_token = cost.kv_bytes / machine.bytes_per_second;
  cost.decode_seconds_per_token = (shape.weight_bytes + cost.kv_bytes) / machine.bytes_per_second;
  const double room = std::max(0.0, machine.memory_bytes - shape.weight_bytes);
  cost.concurrent_requests = cost.kv_bytes > 0 ? room / cost.kv_bytes : 0;
}

}  // namespace

Cost cost_of_reading(const ModelShape& shape, const MachineSpeed& machine, double tokens) {
  check(shape);
  check(machine);
  require(tokens >= 0 && std::isfinite(tokens), "tokens must be finite and not negative", tokens);
  Cost cost;
  cost.tokens = tokens;
  count_flops(cost, shape);
  count_bytes(cost, shape);
  count_seconds(cost, shape, machine);
  return cost;
}

ScoreCost cost_of_scores(double query_length, double key_length, double head_dim) {
  require(query_length >= 0, "query_length must not be negative", query_length);
  require(key_length >= 0, "key_length must not be negative", key_length);
  require(head_dim > 0, "head_dim must be positive", head_dim);
  ScoreCost cost;
  cost.scores = query_length * key_length;
  cost.multiply_adds = cost.scores * head_dim;
  cost.flops = 2 * cost.multiply_adds;
  return cost;
}

DecodeStepCost cost_of_decode_step(double key_length, double head_dim, double element_bytes) {
  require(key_length > 0, "key_length must be positive", key_length);
  require(head_dim > 0, "head_dim must be positive", head_dim);
  require(element_bytes > 0, "element_bytes must be positive", element_bytes);
  DecodeStepCost cost;
  cost.flops = 4 * key_length * head_dim;
  cost.bytes = 2 * key_length * head_dim * element_bytes;
  cost.flops_per_byte = cost.flops / cost.bytes;
  return cost;
}

}  // namespace whereof
