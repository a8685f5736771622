// How well masses foretell falls, on what was fitted on and on what was not.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "answering/declining.h"
#include "answering/judging.h"
#include "whereof/ablation.h"
#include "whereof/dependence_fit.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kFewestClauses = 3;
constexpr std::int64_t kFewestTokens = 2;

DependenceExample example_of(const ordered_json& outcome, std::int64_t clauses) {
  DependenceExample example;
  example.falls = outcome.at("falls").get<std::vector<double>>();
  example.part_falls = outcome.at("falls_of_every_other_token").get<std::vector<double>>();
  if (std::ssize(example.falls) != clauses || example.part_falls.size() != example.falls.size()) {
    throw std::out_of_range("another number of clauses than " + std::to_string(clauses));
  }
  return example;
}

std::vector<double> finding_scores(const DependenceExample& example, const HeadWeights& weights) {
  PassageMasses of_answer = *example.masses;
  of_answer.questions = of_answer.answers;
  std::vector<double> scores = attention_scores(*example.masses, example.question, weights);
  const std::vector<double> more = attention_scores(of_answer, example.question, weights);
  const double factor = answering::answer_share(weights);
  for (std::size_t c = 0; c < scores.size(); ++c) scores[c] += factor * more[c];
  return scores;
}

// One of them where `falls` move the answer noticeably.
std::vector<double> where_noticeable(const std::vector<double>& values,
                                     const std::vector<double>& falls) {
  std::vector<double> kept;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (std::abs(falls[c]) >= kNoticeableFall) kept.push_back(values[c]);
  }
  return kept;
}

std::ptrdiff_t place_of_largest(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

void add_example(const DependenceExample& example, const HeadWeights& heads,
                 const DependenceWeights& weights, DependenceFigures& sums) {
  const std::vector<double> foretold = foretold_falls(*example.masses, example.question, weights);
  const std::vector<double> finding = finding_scores(example, heads);
  std::vector<double> rest = example.falls;
  for (std::size_t c = 0; c < rest.size(); ++c) rest[c] -= example.part_falls[c];
  ++sums.answers;
  sums.foretold += rank_correlation(foretold, example.falls);
  sums.finding += rank_correlation(finding, example.falls);
  sums.alike += rank_correlation(finding_scores(example, HeadWeights()), example.falls);
  sums.halves += rank_correlation(example.part_falls, rest);
  const std::vector<double> noticeable = where_noticeable(example.falls, example.falls);
  if (noticeable.size() >= kFewestClauses) {
    ++sums.noticeable_answers;
    sums.noticeable_foretold +=
        rank_correlation(where_noticeable(foretold, example.falls), noticeable);
    sums.noticeable_finding +=
        rank_correlation(where_noticeable(finding, example.falls), noticeable);
  }
  const std::ptrdiff_t most = place_of_largest(example.falls);
  if (!AblationEffect{example.falls[static_cast<std::size_t>(most)], 0}.is_clear()) return;
  ++sums.clear_answers;
  sums.first_foretold += place_of_largest(foretold) == most ? 1 : 0;
  sums.first_finding += place_of_largest(finding) == most ? 1 : 0;
}

void divide(DependenceFigures& sums) {
  const auto by = [](std::int64_t count, std::initializer_list<double*> values) {
    for (double* value : values) *value /= static_cast<double>(std::max<std::int64_t>(1, count));
  };
  by(sums.answers, {&sums.foretold, &sums.finding, &sums.alike, &sums.halves});
  by(sums.noticeable_answers, {&sums.noticeable_foretold, &sums.noticeable_finding});
  by(sums.clear_answers, {&sums.first_foretold, &sums.first_finding});
}

}  // namespace

void DependenceExamples::add(const std::string& set, const MassFile& file) {
  for (const std::string& key : file.keys()) {
    const auto masses = std::make_shared<const PassageMasses>(*file.find(key));
    if (layers == 0) {
      layers = masses->layers;
      heads = masses->heads;
    }
    if (layers != masses->layers || heads != masses->heads) {
      throw Error(ErrorKind::invalid_argument,
                  set + ": a record of " + std::to_string(masses->layers) + " layers of " +
                      std::to_string(masses->heads) + " heads; wanted " + std::to_string(layers) +
                      " of " + std::to_string(heads));
    }
    const ordered_json details = ordered_json::parse(*file.details(key));
    try {
      const ordered_json& outcomes = details.at("outcomes");
      if (outcomes.size() != masses->questions.size() ||
          outcomes.size() != masses->answers.size()) {
        throw std::out_of_range("another number of answers than " +
                                std::to_string(outcomes.size()));
      }
      for (std::size_t q = 0; q < outcomes.size(); ++q) {
        DependenceExample example = example_of(outcomes[q], masses->passages);
        const bool is_short = example.falls.size() < kFewestClauses ||
                              outcomes[q].at("answer_tokens").get<std::int64_t>() < kFewestTokens;
        if (is_short || answering::is_declining(outcomes[q].at("answer").get<std::string>())) {
          continue;
        }
        example.set = set;
        example.half = half_of(details.at("document").get<std::string>());
        example.masses = masses;
        example.question = q;
        all.push_back(std::move(example));
      }
    } catch (const std::exception& error) {
      throw Error(ErrorKind::invalid_argument, set + ": record " + key + ": " + error.what());
    }
  }
}

std::vector<DependenceFigures> dependence_figures(const DependenceExamples& examples,
                                                  const HeadWeights& finding,
                                                  const DependenceWeights& weights) {
  std::map<std::pair<std::string, std::int64_t>, DependenceFigures> found;
  for (const DependenceExample& example : examples.all) {
    DependenceFigures& sums = found[{example.set, example.half}];
    sums.set = example.set;
    sums.half = example.half;
    add_example(example, finding, weights, sums);
  }
  std::vector<DependenceFigures> figures;
  for (auto& [unused, sums] : found) {
    divide(sums);
    figures.push_back(std::move(sums));
  }
  return figures;
}

}  // namespace whereof
