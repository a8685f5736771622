#include "model/attention_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "numeric/half.h"

namespace whereof::model {
namespace {

// Rows that differ from the formula by rounding alone differ by less; a fault moves them by more
// (docs/evidence.md has both, by model).
constexpr double kLargestRowDifference = 0.02;
constexpr double kLargestEvidenceDifference = 0.05;  // nats

struct HeadRow {
  std::span<const std::uint16_t> query;  // bf16, [head_dim]
  const float* keys = nullptr;           // key j at keys + j * stride, values likewise
  const float* values = nullptr;
  std::int64_t stride = 0;
  std::int64_t position = 0;
  std::int64_t key_length = 0;
  std::int64_t window = 0;  // 0: none
};

// Weights of the formula's row.
struct PlainWeights {
  std::vector<double> weights;  // [key_length]
  double log_sum_exp = 0;
  double entropy = 0;
};

bool is_in_window(const HeadRow& row, std::int64_t key) {
  return row.window == 0 || std::abs(row.position - key) < row.window;
}

// Over keys for which `counts` holds; those for which `stays` does not hold are zeroed after.
template <typename Counts, typename Stays>
PlainWeights weights_over(const std::vector<double>& scores, Counts counts, Stays stays) {
  PlainWeights result;
  result.weights.assign(scores.size(), 0);
  double largest = -INFINITY;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (counts(j)) largest = std::max(largest, scores[j]);
  }
  double sum = 0;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (counts(j)) sum += std::exp(scores[j] - largest);
  }
  result.log_sum_exp = largest + std::log(sum);
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (!counts(j) || !stays(j)) continue;
    result.weights[j] = std::exp(scores[j] - result.log_sum_exp);
    result.entropy -= result.weights[j] * (scores[j] - result.log_sum_exp);
  }
  return result;
}

// query . key_j of all keys.
std::vector<double> products(const HeadRow& row) {
  std::vector<double> query;
  for (const std::uint16_t bits : row.query) {
    query.push_back(static_cast<double>(numeric::float_of_bf16(bits)));
  }
  std::vector<double> dots(static_cast<std::size_t>(row.key_length));
  for (std::size_t j = 0; j < dots.size(); ++j) {
    const float* key = row.keys + static_cast<std::int64_t>(j) * row.stride;
    for (std::size_t d = 0; d < query.size(); ++d)
      dots[j] += query[d] * static_cast<double>(key[d]);
  }
  return dots;
}

PlainWeights weights_of(const HeadRow& row, std::vector<double> scores, double scale, double cap,
                        InjectedFault fault) {
  if (fault == InjectedFault::no_scale) scale = 1;
  if (fault == InjectedFault::scale_by_head_dim) scale = 1 / static_cast<double>(row.query.size());
  for (double& score : scores) {
    score *= scale;
    if (cap > 0) score = cap * std::tanh(score / cap);
  }
  const auto in_window = [&](std::size_t j) {
    return is_in_window(row, static_cast<std::int64_t>(j));
  };
  const auto is_before = [&](std::size_t j) {
    return static_cast<std::int64_t>(j) <= row.position;
  };
  const auto is_behind = [&](std::size_t j) {
    return static_cast<std::int64_t>(j) >= row.position;
  };
  const auto all = [](std::size_t) { return true; };
  switch (fault) {
    case InjectedFault::mask_on_wrong_triangle:
      return weights_over(
          scores, [&](std::size_t j) { return in_window(j) && is_behind(j); }, all);
    case InjectedFault::mask_after_softmax:
      return weights_over(scores, in_window, is_before);
    default:
      return weights_over(
          scores, [&](std::size_t j) { return in_window(j) && is_before(j); }, all);
  }
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string_view meaning_of(InjectedFault fault) {
  switch (fault) {
    case InjectedFault::mask_on_wrong_triangle:
      return "a mask on the wrong triangle gives";
    case InjectedFault::mask_after_softmax:
      return "a mask after the softmax gives";
    case InjectedFault::no_scale:
      return "scores that are not divided give";
    default:
      return "scores that are divided by head_dim give";
  }
}

// The largest is taken of a value that may be no number, which is then the largest.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

}  // namespace

double AttentionCheck::Difference::relative() const {
  return size > 0 ? std::sqrt(squares / size) : 0;
}

AttentionCheck::AttentionCheck(const LoadedModel& model, Transformer& transformer,
                               Sequence& sequence)
    : model_(model),
      sizes_(model.hyperparameters()),
      transformer_(transformer),
      sequence_(sequence),
      layers_(static_cast<std::size_t>(sizes_.layers)) {}

void AttentionCheck::look_at_row(const LayerRows& rows, std::int64_t row, const Evidence& evidence,
                                 std::int64_t group) {
  const std::int64_t head_dim = sizes_.head_dim;
  Layer& layer = layers_[static_cast<std::size_t>(rows.layer)];
  HeadRow head_row;
  head_row.stride = 2 * sizes_.kv_width();
  head_row.position = rows.start + row;
  head_row.key_length = rows.keys;
  head_row.window =
      sizes_.has_window[static_cast<std::size_t>(rows.layer)] ? sizes_.attention_window : 0;
  const std::int64_t seen = head_row.window > 0 ? std::min(head_row.window, head_row.position + 1)
                                                : head_row.position + 1;
  for (std::int64_t head = 0; head < sizes_.query_heads; ++head) {
    const std::int64_t place = (row * sizes_.query_heads + head) * head_dim;
    const std::int64_t kv_head = head / (sizes_.query_heads / sizes_.kv_heads);
    head_row.query = {transformer_.queries() + place, static_cast<std::size_t>(head_dim)};
    head_row.keys = rows.cached.data() + kv_head * head_dim;
    head_row.values = head_row.keys + sizes_.kv_width();
    const std::vector<double> dots = products(head_row);
    const float* found = transformer_.attended() + place;
    const auto at = static_cast<std::size_t>(evidence.index(0, head, group));
    for (std::size_t h = 0; h < kAttentionHypotheses.size(); ++h) {
      const PlainWeights plain =
          weights_of(head_row, dots, static_cast<double>(sizes_.score_scale),
                     static_cast<double>(sizes_.score_soft_cap), kAttentionHypotheses[h]);
      for (std::int64_t d = 0; d < head_dim; ++d) {
        double wanted = 0;
        for (std::int64_t j = 0; j < rows.keys; ++j) {
          wanted += plain.weights[static_cast<std::size_t>(j)] *
                    static_cast<double>(head_row.values[j * head_row.stride + d]);
        }
        const double difference = static_cast<double>(found[d]) - wanted;
        layer.of[h].squares += difference * difference;
        layer.of[h].size += wanted * wanted;
      }
      if (h > 0) continue;
      raise(layer.sums.evidence_difference,
            std::abs(static_cast<double>(evidence.entropy[at]) - plain.entropy));
      raise(layer.sums.evidence_difference,
            std::abs(static_cast<double>(evidence.log_sum_exp[at]) - plain.log_sum_exp));
    }
    layer.sums.row_sum += static_cast<double>(evidence.unassigned_mass[at]);
    layer.sums.sink_mass += static_cast<double>(evidence.sink_mass[at]);
    layer.sums.max_weight += static_cast<double>(evidence.max_weight[at]);
    layer.sums.log_sum_exp += static_cast<double>(evidence.log_sum_exp[at]);
    layer.sums.entropy_share +=
        seen > 1 ? static_cast<double>(evidence.entropy[at]) / std::log(static_cast<double>(seen))
                 : 0;
  }
}

void AttentionCheck::run(std::span<const TokenId> tokens, std::int64_t start,
                         std::int64_t row_step) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  EvidenceRequest request;
  request.rows = EvidenceRows::single;
  for (std::int64_t row = (count - 1) % row_step; row < count; row += row_step) {
    request.query_rows.push_back(row);
  }
  Evidence evidence;
  const BlockPart part{.sequence = &sequence_,
                       .tokens = tokens,
                       .start = start,
                       .request = &request,
                       .evidence = &evidence};
  transformer_.embed({&part, 1}, linear::Multiplier::way_of(count));
  for (std::int64_t layer = 0; layer < sizes_.layers; ++layer) {
    transformer_.run_layer(layer);
    if (transformer_.failure(0)) std::rethrow_exception(transformer_.failure(0));
    LayerRows rows{.layer = layer, .start = start, .keys = start + count, .cached = {}};
    for (std::int64_t key = 0; key < rows.keys; ++key) {
      const std::vector<float> row = sequence_.cache.row(layer, key);
      rows.cached.insert(rows.cached.end(), row.begin(), row.end());
    }
    for (std::size_t i = 0; i < request.query_rows.size(); ++i) {
      look_at_row(rows, request.query_rows[i], evidence, static_cast<std::int64_t>(i));
    }
  }
  rows_ += static_cast<std::int64_t>(request.query_rows.size());
}

double AttentionCheck::largest_difference(std::size_t hypothesis) const {
  double largest = 0;
  for (const Layer& layer : layers_) raise(largest, layer.of[hypothesis].relative());
  return largest;
}

std::string AttentionCheck::alarm_of(std::size_t hypothesis) const {
  const auto failed = std::find_if(layers_.begin(), layers_.end(), [](const Layer& layer) {
    return !(layer.of[0].relative() <= kLargestRowDifference);
  });
  std::string text = "attention of layer " + std::to_string(failed - layers_.begin()) +
                     " differs from its formula by " + percent(failed->of[0].relative());
  if (hypothesis == 0) return text + ", and no known fault gives it";
  return text + "; " + std::string(meaning_of(kAttentionHypotheses[hypothesis])) + " it within " +
         percent(largest_difference(hypothesis)) + " in all layers";
}

void AttentionCheck::report(Health& health) const {
  const double parts = static_cast<double>(rows_ * sizes_.query_heads);
  double evidence_difference = 0;
  for (const Layer& layer : layers_) {
    LayerHealth& figures = health.layers.emplace_back(layer.sums);
    figures.difference = layer.of[0].relative();
    for (double* sum : {&figures.row_sum, &figures.sink_mass, &figures.max_weight,
                        &figures.log_sum_exp, &figures.entropy_share}) {
      *sum /= parts;
    }
    raise(evidence_difference, figures.evidence_difference);
  }
  if (!(largest_difference(0) <= kLargestRowDifference)) {
    std::size_t best = 0;
    double smallest = kLargestRowDifference;
    for (std::size_t h = 1; h < kAttentionHypotheses.size(); ++h) {
      const double difference = largest_difference(h);
      if (!(difference <= smallest)) continue;
      smallest = difference;
      best = h;
    }
    health.holds = false;
    health.recognised = kAttentionHypotheses[best];
    health.alarm = alarm_of(best);
  } else if (!(evidence_difference <= kLargestEvidenceDifference)) {
    health.holds = false;
    health.alarm = "the evidence differs from the formula's by " +
                   std::to_string(evidence_difference) + " nats, though the output is right";
  }
}

}  // namespace whereof::model
