#include "evidence/mass_table.h"

#include <algorithm>
#include <string>

#include "whereof/error.h"

namespace whereof::evidence {
namespace {

void check_shape(const Evidence& evidence, std::int64_t heads, std::int64_t spans) {
  if (evidence.batch == 1 && evidence.groups == 1 && evidence.query_heads == heads &&
      evidence.key_spans == spans) {
    return;
  }
  throw Error(ErrorKind::invalid_argument, "evidence of batch " + std::to_string(evidence.batch) +
                                               ", " + std::to_string(evidence.groups) +
                                               " groups, " + std::to_string(evidence.query_heads) +
                                               " heads and " + std::to_string(evidence.key_spans) +
                                               " spans; wanted 1, 1, " + std::to_string(heads) +
                                               " and " + std::to_string(spans));
}

double mean_of(const std::vector<double>& sums, std::int64_t rows) {
  if (rows == 0 || sums.empty()) return 0;
  double total = 0;
  for (const double sum : sums) total += sum;
  return total / (static_cast<double>(rows) * static_cast<double>(sums.size()));
}

}  // namespace

void MassTable::add(std::span<const Evidence> layers) {
  if (layers.empty()) return;
  if (layers_ == 0) {
    layers_ = static_cast<std::int64_t>(layers.size());
    heads_ = layers[0].query_heads;
    spans_ = layers[0].key_spans;
    span_mass_.assign(static_cast<std::size_t>(layers_ * heads_ * spans_), 0);
    sink_mass_.assign(static_cast<std::size_t>(layers_ * heads_), 0);
    entropy_.assign(static_cast<std::size_t>(layers_ * heads_), 0);
    log_sum_exp_.assign(static_cast<std::size_t>(layers_ * heads_), 0);
  }
  if (static_cast<std::int64_t>(layers.size()) != layers_) {
    throw Error(ErrorKind::invalid_argument, "evidence of " + std::to_string(layers.size()) +
                                                 " layers; wanted " + std::to_string(layers_));
  }
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const Evidence& evidence = layers[layer];
    check_shape(evidence, heads_, spans_);
    const std::size_t row = layer * static_cast<std::size_t>(heads_);
    for (std::size_t i = 0; i < evidence.sink_mass.size(); ++i) {
      sink_mass_[row + i] += static_cast<double>(evidence.sink_mass[i]);
      entropy_[row + i] += static_cast<double>(evidence.entropy[i]);
    }
    for (std::size_t i = 0; i < evidence.log_sum_exp.size(); ++i) {
      log_sum_exp_[row + i] += static_cast<double>(evidence.log_sum_exp[i]);
    }
    const std::size_t table = row * static_cast<std::size_t>(spans_);
    for (std::size_t i = 0; i < evidence.span_mass.size(); ++i) {
      span_mass_[table + i] += static_cast<double>(evidence.span_mass[i]);
    }
  }
  rows_ += layers[0].row_count[0];
}

void MassTable::add(const MassTable& other) {
  if (other.layers_ == 0) return;
  if (layers_ == 0) {
    *this = other;
    return;
  }
  if (other.layers_ != layers_ || other.heads_ != heads_ || other.spans_ != spans_) {
    throw Error(ErrorKind::invalid_argument,
                "a table of " + std::to_string(other.layers_) + " layers, " +
                    std::to_string(other.heads_) + " heads and " + std::to_string(other.spans_) +
                    " spans; wanted " + std::to_string(layers_) + ", " + std::to_string(heads_) +
                    " and " + std::to_string(spans_));
  }
  const auto add_all = [](std::vector<double>& sums, const std::vector<double>& more) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
  };
  add_all(span_mass_, other.span_mass_);
  add_all(sink_mass_, other.sink_mass_);
  add_all(entropy_, other.entropy_);
  rows_ += other.rows_;
}

double MassTable::mass(std::int64_t layer, std::int64_t head, std::int64_t span) const {
  if (rows_ == 0) return 0;
  const auto at = static_cast<std::size_t>((layer * heads_ + head) * spans_ + span);
  return span_mass_[at] / static_cast<double>(rows_);
}

double MassTable::sink_mass() const { return mean_of(sink_mass_, rows_); }

double MassTable::mean_over_heads(const std::vector<double>& sums, std::int64_t layer) const {
  if (rows_ == 0 || heads_ == 0) return 0;
  const auto first = sums.begin() + layer * heads_;
  double total = 0;
  for (auto it = first; it != first + heads_; ++it) total += *it;
  return total / static_cast<double>(rows_ * heads_);
}

std::vector<float> MassTable::mean_masses() const {
  std::vector<float> means(span_mass_.size(), 0);
  if (rows_ == 0) return means;
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i] = static_cast<float>(span_mass_[i] / static_cast<double>(rows_));
  }
  return means;
}

double MassTable::sink_mass(std::int64_t layer) const { return mean_over_heads(sink_mass_, layer); }

double MassTable::entropy(std::int64_t layer) const { return mean_over_heads(entropy_, layer); }

double MassTable::log_sum_exp(std::int64_t layer, std::int64_t head) const {
  if (rows_ == 0) return 0;
  return log_sum_exp_[static_cast<std::size_t>(layer * heads_ + head)] / static_cast<double>(rows_);
}

double MassTable::mass_of_all_spans(std::int64_t layer, std::int64_t head) const {
  double total = 0;
  for (std::int64_t span = 0; span < spans_; ++span) total += mass(layer, head, span);
  return total;
}

double MassTable::mass_of_all_spans() const {
  return mean_of(span_mass_, rows_) * static_cast<double>(spans_);
}

std::vector<double> MassTable::mean_span_mass() const {
  std::vector<double> means(static_cast<std::size_t>(spans_), 0);
  if (rows_ == 0) return means;
  for (std::size_t i = 0; i < span_mass_.size(); ++i) {
    means[i % static_cast<std::size_t>(spans_)] += span_mass_[i];
  }
  const double parts = static_cast<double>(rows_ * layers_ * heads_);
  for (double& mean : means) mean /= parts;
  return means;
}

namespace {

std::vector<double> scores_of_all_heads(const MassTable& rows, const MassTable& content_free_rows) {
  std::vector<double> scores = rows.mean_span_mass();
  const std::vector<double> baseline = content_free_rows.mean_span_mass();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i < baseline.size()) scores[i] -= baseline[i];
    scores[i] = std::max(scores[i], 0.0);
  }
  return scores;
}

}  // namespace

std::vector<double> span_scores(const MassTable& rows, const MassTable& content_free_rows,
                                const HeadWeights& weights) {
  if (!weights.is_fitted()) return scores_of_all_heads(rows, content_free_rows);
  std::vector<double> scores(static_cast<std::size_t>(rows.spans()), 0);
  if (rows.rows() == 0) return scores;
  for (const HeadWeight& chosen : weights.heads) {
    if (chosen.layer < 0 || chosen.layer >= rows.layers() || chosen.head < 0 ||
        chosen.head >= rows.heads()) {
      throw Error(ErrorKind::invalid_argument,
                  weights.source + ": head " + std::to_string(chosen.head) + " of layer " +
                      std::to_string(chosen.layer) + ", but the evidence is of " +
                      std::to_string(rows.layers()) + " layers of " + std::to_string(rows.heads()) +
                      " heads");
    }
    double total = 0;
    for (std::int64_t span = 0; span < rows.spans(); ++span) {
      total += rows.mass(chosen.layer, chosen.head, span);
    }
    if (total <= 0) continue;
    for (std::int64_t span = 0; span < rows.spans(); ++span) {
      const double lift = rows.mass(chosen.layer, chosen.head, span) -
                          content_free_rows.mass(chosen.layer, chosen.head, span);
      scores[static_cast<std::size_t>(span)] += chosen.weight * std::max(0.0, lift) / total;
    }
  }
  return scores;
}

std::vector<double> take_last_span(std::span<Evidence> layers) {
  std::vector<double> taken;
  for (Evidence& evidence : layers) {
    check_shape(evidence, evidence.query_heads, std::max<std::int64_t>(1, evidence.key_spans));
    const auto spans = static_cast<std::size_t>(evidence.key_spans);
    std::vector<float> rest;
    rest.reserve(evidence.span_mass.size());
    for (std::size_t i = 0; i < evidence.span_mass.size(); ++i) {
      if (i % spans + 1 < spans) {
        rest.push_back(evidence.span_mass[i]);
      } else {
        taken.push_back(static_cast<double>(evidence.span_mass[i]));
      }
    }
    evidence.span_mass = std::move(rest);
    --evidence.key_spans;
  }
  return taken;
}

double lookback_ratio(std::span<const Evidence> layers, std::int64_t document_tokens,
                      std::span<const double> answer_mass, std::int64_t answer_tokens) {
  if (answer_mass.empty() || document_tokens == 0 || answer_tokens == 0) return 0;
  double sum = 0;
  std::size_t place = 0;
  for (const Evidence& evidence : layers) {
    const auto spans = static_cast<std::size_t>(evidence.key_spans);
    for (std::int64_t head = 0; head < evidence.query_heads; ++head, ++place) {
      double on_document = 0;
      for (std::size_t s = 0; s < spans; ++s) {
        on_document +=
            static_cast<double>(evidence.span_mass[static_cast<std::size_t>(head) * spans + s]);
      }
      on_document /= static_cast<double>(document_tokens);
      const double on_answer = answer_mass[place] / static_cast<double>(answer_tokens);
      if (on_document + on_answer > 0) sum += on_document / (on_document + on_answer);
    }
  }
  return sum / static_cast<double>(answer_mass.size());
}

double largest_weight_on(std::span<const Evidence> layers, std::span<const Span> spans) {
  double largest = 0;
  for (const Evidence& evidence : layers) {
    for (const TopKey& top : evidence.top) {
      if (top.key < 0 || static_cast<double>(top.weight) <= largest) continue;
      const auto after =
          std::upper_bound(spans.begin(), spans.end(), top.key,
                           [](std::int64_t key, const Span& span) { return key < span.begin; });
      if (after != spans.begin() && std::prev(after)->contains(top.key)) {
        largest = static_cast<double>(top.weight);
      }
    }
  }
  return largest;
}

}  // namespace whereof::evidence
