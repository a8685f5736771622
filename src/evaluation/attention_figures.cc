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

// The best by full text, in the order of the document; all where most is 0.
std::vector<std::size_t> candidates_of(std::span<const double> full_text, std::int64_t most) {
  std::vector<std::size_t> candidates = best_first(full_text);
  if (most > 0 && most < std::ssize(candidates)) {
    candidates.resize(static_cast<std::size_t>(most));
    std::sort(candidates.begin(), candidates.end());
  }
  return candidates;
}

// One question, and of the passages only these.
Subject part_of(const Subject& subject, std::size_t question,
                std::span<const std::size_t> candidates) {
  Subject part;
  part.document = subject.document;
  part.questions = {subject.questions[question]};
  part.full_text.emplace_back();
  for (const std::size_t p : candidates) {
    part.passages.push_back(subject.passages[p]);
    part.places.push_back(subject.places[p]);
    part.full_text[0].push_back(subject.full_text[question][p]);
  }
  return part;
}

// attention: of the part's passages.
void rank_question(const Subject& subject, std::size_t question, const Subject& part,
                   std::span<const double> attention, const HeadWeights& weights, FirstHits& hits) {
  const auto hit_by = [&](const Subject& within, std::span<const double> scores) {
    std::vector<Span> ranked;
    for (const std::size_t p : best_first(scores)) ranked.push_back(within.places[p]);
    return first_hit(ranked, subject.questions[question]->gold);
  };
  hits.full_text.push_back(hit_by(subject, subject.full_text[question]));
  hits.attention.push_back(hit_by(part, attention));
  hits.both.push_back(hit_by(part, combined_scores(attention, part.full_text[0], weights)));
}

// All questions of a document, read over the whole of it.
void rank_in_document(const Subject& subject, const std::shared_ptr<const Model>& model,
                      const HeadWeights& weights, MassFile& file,
                      const AttentionMeasureOptions& options, FirstHits& hits) {
  const PassageMasses masses = masses_of(subject, model, file, options.reading);
  for (std::size_t q = 0; q < subject.questions.size(); ++q) {
    const auto candidates = candidates_of(subject.full_text[q], options.candidates);
    const std::vector<double> all = attention_scores(masses, q, weights);
    std::vector<double> attention;
    for (const std::size_t p : candidates) attention.push_back(all[p]);
    rank_question(subject, q, part_of(subject, q, candidates), attention, weights, hits);
  }
}

// Each question over its candidates alone, as ask --rank reads them.
void rank_alone(const Subject& subject, const std::shared_ptr<const Model>& model,
                const HeadWeights& weights, MassFile& file, const AttentionMeasureOptions& options,
                FirstHits& hits) {
  for (std::size_t q = 0; q < subject.questions.size(); ++q) {
    const Subject part =
        part_of(subject, q, candidates_of(subject.full_text[q], options.candidates));
    const PassageMasses masses = masses_of(part, model, file, options.reading);
    rank_question(subject, q, part, attention_scores(masses, 0, weights), weights, hits);
  }
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
    const auto rank = options.reads_candidates_alone ? rank_alone : rank_in_document;
    rank(subject, model, weights, file, options, hits);
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
