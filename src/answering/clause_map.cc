#include "whereof/clause_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "whereof/error.h"

namespace whereof {
namespace {

void require(bool holds, const std::string& message) {
  if (!holds) throw Error(ErrorKind::invalid_argument, "clause map: " + message);
}

void check(const AnswerMasses& masses) {
  const auto cells =
      static_cast<std::size_t>(masses.layers * masses.heads) * masses.sentences.size();
  const auto require_cells = [&](std::size_t count, const char* name) {
    require(count == cells, std::string(name) + " has " + std::to_string(count) +
                                " masses, wanted " + std::to_string(cells));
  };
  require(masses.content_free != nullptr, "there are no content-free masses");
  require_cells(masses.content_free->size(), "content_free");
  require_cells(masses.question.size(), "question");
  if (!masses.answer.empty()) require_cells(masses.answer.size(), "answer");
  const auto require_scores = [&](const std::vector<double>& scores, const char* name) {
    require(scores.size() == masses.sentences.size(),
            std::string(name) + " has " + std::to_string(scores.size()) + " scores, wanted " +
                std::to_string(masses.sentences.size()));
  };
  require_scores(masses.question_scores, "the question");
  if (!masses.answer.empty()) require_scores(masses.answer_scores, "the answer");
  for (const std::vector<double>& scores : masses.answer_sentences) {
    if (!scores.empty()) require_scores(scores, "a sentence of the answer");
  }
}

// Which column each sentence that was read belongs to.
struct Columns {
  std::vector<ClauseMap::Column> columns;
  std::vector<std::size_t> of_sentence;  // [sentences]
};

// A clause's own text may stand on both sides of what lies below it: its column is one.
Columns columns_of(const AnswerMasses& masses, const Document& document) {
  Columns result;
  std::map<std::int32_t, std::size_t> known;
  for (const Span sentence : masses.sentences) {
    // Its end: a heading alone stands before the first sentence under it, and in another clause.
    const std::int32_t clause = document.clause_at(std::max(sentence.begin, sentence.end - 1));
    const auto [place, is_new] = known.emplace(clause, result.columns.size());
    if (is_new) result.columns.push_back({clause, sentence});
    Span& text = result.columns[place->second].text;
    text.end = std::max(text.end, sentence.end);
    result.of_sentence.push_back(place->second);
  }
  return result;
}

std::vector<double> shares_of(std::span<const double> scores, const Columns& columns) {
  std::vector<double> shares(columns.columns.size(), 0);
  double total = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i]) || scores[i] <= 0) continue;
    shares[columns.of_sentence[i]] += scores[i];
    total += scores[i];
  }
  if (total > 0) {
    for (double& share : shares) share /= total;
  }
  return shares;
}

std::vector<ClauseMap::Row> rows_of(const AnswerMasses& masses, const Columns& columns) {
  std::vector<ClauseMap::Row> rows = {{"question", shares_of(masses.question_scores, columns)}};
  if (!masses.answer.empty()) rows.push_back({"answer", shares_of(masses.answer_scores, columns)});
  for (std::size_t i = 0; i < masses.answer_sentences.size(); ++i) {
    const std::vector<double>& scores = masses.answer_sentences[i];
    if (scores.empty()) continue;
    rows.push_back({"sentence " + std::to_string(i + 1), shares_of(scores, columns)});
  }
  return rows;
}

// s(l, i) of one layer; [sentences].
std::vector<double> layer_scores(const AnswerMasses& masses, std::size_t layer) {
  const std::vector<float>& rows = masses.answer.empty() ? masses.question : masses.answer;
  const std::size_t sentences = masses.sentences.size();
  const auto heads = static_cast<std::size_t>(masses.heads);
  std::vector<double> scores(sentences, 0);
  for (std::size_t head = 0; head < heads; ++head) {
    const std::size_t begin = (layer * heads + head) * sentences;
    for (std::size_t i = 0; i < sentences; ++i) {
      const float lift = rows[begin + i] - (*masses.content_free)[begin + i];
      scores[i] += std::max(0.0, static_cast<double>(lift));
    }
  }
  return scores;
}

}  // namespace

ClauseMap clause_map(const Answer& answer, const Document& document) {
  require(answer.masses != nullptr, "the answer was given without AskOptions::keeps_masses");
  const AnswerMasses& masses = *answer.masses;
  check(masses);
  Columns columns = columns_of(masses, document);
  ClauseMap map;
  map.rows = rows_of(masses, columns);
  for (std::size_t l = 0; l < static_cast<std::size_t>(masses.layers); ++l) {
    ClauseMap::Layer& layer = map.layers.emplace_back();
    if (l < answer.layers.size()) {
      layer.entropy_share = answer.layers[l].entropy_share;
      layer.sink_mass = answer.layers[l].sink_mass;
    }
    layer.shares = shares_of(layer_scores(masses, l), columns);
  }
  map.columns = std::move(columns.columns);
  return map;
}

}  // namespace whereof
