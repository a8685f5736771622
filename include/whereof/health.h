// Whether a model is run as its formulas say: attention against a plain computation, positions
// against keys computed apart. A wrong implementation gives an alarm that names its fault.
#ifndef WHEREOF_HEALTH_H_
#define WHEREOF_HEALTH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "whereof/model.h"

namespace whereof {

// Of one layer, over the rows that were looked at and all heads.
struct LayerHealth {
  // Root of the mean square difference of what attention gave from what the formula gives in
  // double, over that of the latter.
  double difference = 0;
  // Largest difference of an entropy or log_sum_exp of the evidence from the formula's, in nats.
  double evidence_difference = 0;
  // Means, from the evidence that the kernels measured.
  double row_sum = 0;        // of all weights; 1 when they are normalised
  double entropy_share = 0;  // entropy over ln of the visible keys
  double sink_mass = 0;
  double max_weight = 0;
  double log_sum_exp = 0;
};

struct HealthOptions {
  // How many tokens are read for the check of positions; at most the model's window. 0: attention
  // alone is checked, over 49 tokens.
  std::int64_t depth_tokens = 2304;
  int threads = 0;  // 0: all of the process's pool
  InjectedFault fault = InjectedFault::none;
};

struct Health {
  bool holds = true;
  std::string alarm;  // one line; empty when it holds
  // What it was recognised as: of the known ways to compute attention or positions wrongly the one
  // that gives what was found. none where it holds, or where none does.
  InjectedFault recognised = InjectedFault::none;
  std::vector<LayerHealth> layers;  // [layers]
  PositionCheck positions;          // of depth_tokens
  double attention_seconds = 0;
  double position_seconds = 0;
};

// The queries, keys and values of each layer are taken as the model has them, for a short text that
// is read as a block and a token behind it that is read alone. Attention over them is then computed
// in double, as it should be and as each known fault would. Where that holds, positions:
// Context::check_positions over a longer text. Throws what Context::create throws.
Health check_health(const std::shared_ptr<const Model>& model, const HealthOptions& options = {});

}  // namespace whereof

#endif  // WHEREOF_HEALTH_H_
