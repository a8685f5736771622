// What a calibration reaches, set by set and half by half.
#include <algorithm>
#include <cstddef>

#include "evaluation/fit_parts.h"
#include "whereof/calibration_fit.h"

namespace whereof {
namespace {

// Place of the best right passage, counted from 1; of equal scores the first passage goes before.
std::int64_t place_of(const std::vector<double>& scores, const std::vector<std::size_t>& gold) {
  std::size_t best = gold.front();
  for (const std::size_t p : gold) {
    if (scores[p] > scores[best]) best = p;
  }
  std::int64_t place = 1;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (scores[p] > scores[best] || (scores[p] == scores[best] && p < best)) ++place;
  }
  return place;
}

struct Places {
  std::vector<std::int64_t> full_text, alike, attention, both;
};

void rank(const CalibrationExample& example, const HeadWeights& heads, Places& places) {
  const PassageMasses& masses = *example.masses;
  const std::vector<double> attention = attention_scores(masses, example.question, heads);
  const std::vector<double> alike = attention_scores(masses, example.question, HeadWeights());
  const std::vector<double> both = combined_scores(attention, example.words, heads);
  places.full_text.push_back(place_of(example.words, example.gold));
  places.alike.push_back(place_of(alike, example.gold));
  places.attention.push_back(place_of(attention, example.gold));
  places.both.push_back(place_of(both, example.gold));
}

void judge(const std::vector<const CalibrationExample*>& asked, const Calibration& calibration,
           CalibrationFigures& figures) {
  std::vector<ScoredLabel> support;
  std::vector<ScoredLabel> declines;
  double supported = 0;
  double supported_right = 0;
  double weak = 0;
  double weak_right = 0;
  for (const CalibrationExample* example : asked) {
    const double p =
        support_probability(evaluation::signals_by(*example, calibration.heads), calibration);
    const double right = example->is_answerable ? 1 : 0;
    support.push_back({p, example->is_answerable});
    declines.push_back({-example->signals.decline_probability, example->is_answerable});
    if (p >= calibration.supported_from) {
      supported += 1;
      supported_right += right;
    }
    if (p >= calibration.weak_from) {
      weak += 1;
      weak_right += right;
    }
    figures.answerable += example->is_answerable ? 1 : 0;
  }
  figures.judged = std::ssize(asked);
  figures.abstention_auroc = auroc(support);
  figures.decline_auroc = auroc(declines);
  figures.precision_at_80_recall = precision_at_recall(support, 0.8);
  const auto answerable = static_cast<double>(std::max<std::int64_t>(1, figures.answerable));
  figures.supported_precision = supported > 0 ? supported_right / supported : 0;
  figures.supported_recall = supported_right / answerable;
  figures.weak_precision = weak > 0 ? weak_right / weak : 0;
  figures.weak_recall = weak_right / answerable;
}

}  // namespace

std::vector<CalibrationFigures> measure_calibration(const CalibrationExamples& examples,
                                                    const Calibration& calibration) {
  std::vector<CalibrationFigures> all;
  for (std::size_t set = 0; set < examples.sets.size(); ++set) {
    for (const std::int64_t half : {1, 2}) {
      Places places;
      std::vector<const CalibrationExample*> asked;
      for (const CalibrationExample& example : examples.all) {
        if (example.set != set || example.half != half) continue;
        if (!example.gold.empty()) rank(example, calibration.heads, places);
        if (example.was_asked) asked.push_back(&example);
      }
      CalibrationFigures figures;
      figures.set = examples.sets[set];
      figures.half = half;
      figures.ranked = std::ssize(places.both);
      figures.full_text = ranking_figures(places.full_text);
      figures.alike = ranking_figures(places.alike);
      figures.attention = ranking_figures(places.attention);
      figures.both = ranking_figures(places.both);
      if (calibration.is_fitted()) judge(asked, calibration, figures);
      all.push_back(std::move(figures));
    }
  }
  return all;
}

}  // namespace whereof
