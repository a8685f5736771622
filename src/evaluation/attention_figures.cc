#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>

#include "evaluation/subject.h"
#include "text/sha256.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

using evaluation::details_of;
using evaluation::Subject;
using evaluation::subject_of;
using nlohmann::ordered_json;

std::vector<std::size_t> best_first(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

// What the masses depend on.
std::string key_of(const Subject& subject, const std::string& model_name,
                   const PassageMassOptions& options) {
  std::string text = subject.document->content_hash + '\n' + model_name + '\n' +
                     std::to_string(options.window_tokens) + '\n';
  for (const Passage& passage : subject.passages) {
    text += std::to_string(passage.text.begin) + '-' + std::to_string(passage.text.end) + ' ' +
            std::to_string(passage.clause) + '\n';
  }
  for (const GoldQuestion* question : subject.questions) text += question->text + '\n';
  return text::sha256_hex(text);
}

// Questions with an answer, document by document.
std::vector<std::vector<const GoldQuestion*>> questions_of(const QuestionSet& set,
                                                           std::span<const Document> documents) {
  if (documents.size() != set.documents.size()) {
    throw Error(ErrorKind::invalid_argument,
                "a question set of " + std::to_string(set.documents.size()) + " documents, but " +
                    std::to_string(documents.size()) + " were read");
  }
  std::vector<std::vector<const GoldQuestion*>> questions(documents.size());
  for (const GoldQuestion& question : set.questions) {
    if (!question.is_answerable || question.gold.empty()) continue;
    questions[static_cast<std::size_t>(question.document)].push_back(&question);
  }
  return questions;
}

PassageMasses masses_of(const Subject& subject, const std::shared_ptr<const Model>& model,
                        MassFile& file, const PassageMassOptions& options) {
  const std::string key = key_of(subject, model->description().name, options);
  if (auto kept = file.find(key)) return *std::move(kept);
  std::vector<std::string> questions;
  for (const GoldQuestion* question : subject.questions) questions.push_back(question->text);
  PassageMasses masses =
      read_passage_masses(*subject.document, subject.passages, questions, model, options);
  file.add(key, masses,
           details_of(subject).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  return masses;
}

// First hits of the three rankings, question by question.
struct FirstHits {
  std::vector<std::int64_t> full_text;
  std::vector<std::int64_t> attention;
  std::vector<std::int64_t> both;
};

void rank_question(const Subject& subject, std::size_t question, const PassageMasses& masses,
                   const HeadWeights& weights, std::int64_t most_candidates, FirstHits& hits) {
  const std::vector<double>& words = subject.full_text[question];
  std::vector<std::size_t> candidates = best_first(words);
  const auto hit_of = [&](std::span<const std::size_t> order) {
    std::vector<Span> ranked;
    for (const std::size_t p : order) ranked.push_back(subject.places[p]);
    return first_hit(ranked, subject.questions[question]->gold);
  };
  hits.full_text.push_back(hit_of(candidates));
  if (most_candidates > 0 && most_candidates < std::ssize(candidates)) {
    candidates.resize(static_cast<std::size_t>(most_candidates));
    std::sort(candidates.begin(), candidates.end());
  }
  const std::vector<double> all = attention_scores(masses, question, weights);
  std::vector<double> attention;
  std::vector<double> full_text;
  for (const std::size_t p : candidates) {
    attention.push_back(all[p]);
    full_text.push_back(words[p]);
  }
  const auto hit_by = [&](std::span<const double> scores) {
    std::vector<std::size_t> order = best_first(scores);
    for (std::size_t& place : order) place = candidates[place];
    return hit_of(order);
  };
  hits.attention.push_back(hit_by(attention));
  hits.both.push_back(hit_by(combined_scores(attention, full_text, weights)));
}

// The documents to look at, shortest first.
std::vector<std::size_t> chosen_documents(std::span<const Document> documents,
                                          const AttentionMeasureOptions& options) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const bool is_long = options.longest_characters > 0 &&
                         documents[i].report.characters > options.longest_characters;
    const bool is_of_half = options.half == 0 || half_of(documents[i].name) == options.half;
    if (!is_long && is_of_half) chosen.push_back(i);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return documents[a].text.size() < documents[b].text.size();
  });
  return chosen;
}

}  // namespace

AttentionFigures measure_attention_ranking(const QuestionSet& set,
                                           std::span<const Document> documents, Library& library,
                                           const std::shared_ptr<const Model>& model,
                                           const HeadWeights& weights, MassFile& file,
                                           const AttentionMeasureOptions& options) {
  std::vector<std::vector<const GoldQuestion*>> questions = questions_of(set, documents);
  AttentionFigures figures;
  FirstHits hits;
  const std::vector<std::size_t> chosen = chosen_documents(documents, options);
  for (const std::size_t i : chosen) {
    if (options.reading.progress) {
      options.reading.progress({"ranking", "documents", figures.documents, std::ssize(chosen)});
    }
    ++figures.documents;
    if (questions[i].empty()) continue;
    const Subject subject = subject_of(documents[i], std::move(questions[i]), library);
    const PassageMasses masses = masses_of(subject, model, file, options.reading);
    for (std::size_t q = 0; q < subject.questions.size(); ++q) {
      rank_question(subject, q, masses, weights, options.candidates, hits);
    }
  }
  figures.questions = std::ssize(hits.both);
  figures.full_text = ranking_figures(hits.full_text);
  figures.attention = ranking_figures(hits.attention);
  figures.both = ranking_figures(hits.both);
  return figures;
}

void export_passages(const QuestionSet& set, std::span<const Document> documents, Library& library,
                     std::ostream& out) {
  std::vector<std::vector<const GoldQuestion*>> questions = questions_of(set, documents);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Subject subject = subject_of(documents[i], std::move(questions[i]), library);
    ordered_json json = details_of(subject);
    for (const Passage& passage : subject.passages) {
      json["passages"].push_back(documents[i].slice(passage.text));
    }
    for (const GoldQuestion* question : subject.questions) {
      json["questions"].push_back(question->text);
    }
    out << json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  }
}

}  // namespace whereof
