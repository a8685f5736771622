#include "evidence/alarms.h"

#include <algorithm>
#include <cmath>

#include "evidence/figure.h"

namespace whereof {

std::string_view name_of(AlarmKind kind) noexcept {
  switch (kind) {
    case AlarmKind::attention_collapse:
      return "attention_collapse";
    case AlarmKind::attention_dilution:
      return "attention_dilution";
    case AlarmKind::score_overflow:
      return "score_overflow";
    case AlarmKind::beyond_window:
      return "beyond_window";
    case AlarmKind::document_changed:
      return "document_changed";
    case AlarmKind::partly_read:
      return "partly_read";
    case AlarmKind::hidden_text:
      return "hidden_text";
    case AlarmKind::instructions_inside:
      return "instructions_inside";
  }
  return "unknown";
}

namespace evidence {
namespace {

// No layer of the four models comes near these on clean text (docs/evidence.md).
constexpr double kLeastEntropyShare = 0.0005;
constexpr double kMostEntropyShare = 0.98;
constexpr double kMostLogSumExp = 65504;  // the largest f16: Qwen's biased keys reach 6,000

std::string name_in(std::string_view name, std::size_t layer) {
  return std::string(name) + "." + std::to_string(layer);
}

Alarm layer_alarm(AlarmKind kind, std::size_t layer, double value, double threshold,
                  const std::string& what) {
  return {.kind = kind,
          .layer = static_cast<std::int64_t>(layer),
          .figure = value,
          .threshold = threshold,
          .text = "layer " + std::to_string(layer) + ": " + what};
}

}  // namespace

std::vector<LayerFigures> layer_figures(const MassTable& rows, std::int64_t visible_keys) {
  std::vector<LayerFigures> layers;
  if (rows.rows() == 0) return layers;
  const double most = visible_keys > 1 ? std::log(static_cast<double>(visible_keys)) : 1;
  for (std::int64_t layer = 0; layer < rows.layers(); ++layer) {
    LayerFigures& figures = layers.emplace_back();
    figures.entropy_share = rows.entropy(layer) / most;
    figures.sink_mass = rows.sink_mass(layer);
    figures.document_mass = -1;
    for (std::int64_t head = 0; head < rows.heads(); ++head) {
      const double scores = std::abs(rows.log_sum_exp(layer, head));
      if (!(scores <= figures.log_sum_exp)) figures.log_sum_exp = scores;
      const double mass = rows.mass_of_all_spans(layer, head);
      if (mass <= figures.document_mass) continue;
      figures.document_mass = mass;
      figures.document_head = head;
    }
  }
  return layers;
}

std::vector<Alarm> layer_alarms(std::span<const LayerFigures> layers,
                                const Calibration& calibration) {
  std::vector<Alarm> alarms;
  const double most_scores = calibration.alarm("log_sum_exp_most", kMostLogSumExp);
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const LayerFigures& figures = layers[layer];
    if (!(figures.log_sum_exp <= most_scores) || !std::isfinite(figures.entropy_share)) {
      alarms.push_back(
          layer_alarm(AlarmKind::score_overflow, layer, figures.log_sum_exp, most_scores,
                      figure("scores overflow: the log of their sum is %.3g, at most %.3g is sound",
                             figures.log_sum_exp, most_scores)));
      continue;
    }
    const double least =
        calibration.alarm(name_in("entropy_share_least", layer), kLeastEntropyShare);
    const double most = calibration.alarm(name_in("entropy_share_most", layer), kMostEntropyShare);
    if (figures.entropy_share < least) {
      alarms.push_back(layer_alarm(AlarmKind::attention_collapse, layer, figures.entropy_share,
                                   least,
                                   figure("attention collapses: its entropy is %.3g of ln T, "
                                          "normal is at least %.3g; %.3g of the weight lies on the "
                                          "first position",
                                          figures.entropy_share, least, figures.sink_mass)));
    } else if (figures.entropy_share > most) {
      alarms.push_back(layer_alarm(
          AlarmKind::attention_dilution, layer, figures.entropy_share, most,
          figure("attention is diluted: its entropy is %.3g of ln T, normal is at most %.3g",
                 figures.entropy_share, most)));
    }
  }
  return alarms;
}

std::vector<Alarm> window_alarms(std::int64_t positions, std::int64_t window_tokens) {
  if (positions <= window_tokens) return {};
  return {{.kind = AlarmKind::beyond_window,
           .layer = -1,
           .figure = static_cast<double>(positions),
           .threshold = static_cast<double>(window_tokens),
           .text = "the context of " + std::to_string(positions) +
                   " tokens is longer than the model's window of " + std::to_string(window_tokens) +
                   ": positions behind it blur, and clause numbers come out wrong"}};
}

std::vector<Alarm> document_alarms(const ReadingReport& report, std::string_view name) {
  std::vector<Alarm> alarms;
  const std::string whose = name.empty() ? std::string() : std::string(name) + ": ";
  const auto add = [&](AlarmKind kind, std::int64_t count, const std::string& text) {
    if (count == 0) return;
    alarms.push_back({.kind = kind,
                      .layer = -1,
                      .figure = static_cast<double>(count),
                      .threshold = 0,
                      .text = whose + std::to_string(count) + text});
  };
  add(AlarmKind::partly_read, report.pages_without_text,
      " of " + std::to_string(report.pages) + " pages gave no text, so nothing on them was read");
  add(AlarmKind::hidden_text, report.hidden_characters,
      " characters of text that does not show on the page were kept out");
  return alarms;
}

}  // namespace evidence
}  // namespace whereof
