// Records of answers with each clause hidden in turn.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "answering/clause_falls.h"
#include "answering/language.h"
#include "whereof/dependence_fit.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using nlohmann::ordered_json;
using Questions = std::vector<std::string>;

constexpr int kFormat = 1;  // of a record

std::string key_of(const Document& document, const Questions& questions, const Model& model,
                   const AskOptions& options) {
  const ordered_json json = {{"falls", kFormat},
                             {"document", document.content_hash},
                             {"model", model.description().name},
                             {"file_bytes", model.description().file_bytes},
                             {"max_answer_tokens", options.max_answer_tokens},
                             {"questions", questions}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Of every other token, the first one among them.
double sum_of_every_other(const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) sum += values[i];
  return sum;
}

double rounded(double value) { return std::round(value * 1e5) / 1e5; }

ordered_json details_of(const Document& document, const Questions& questions,
                        const answering::ClauseFalls& measured) {
  ordered_json details = {{"document", document.name}, {"tokens", measured.tokens}};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const answering::AnswerFalls& answer = measured.answers[i];
    ordered_json falls = ordered_json::array();
    ordered_json every_other = ordered_json::array();
    for (const std::vector<double>& of_tokens : answer.of_tokens) {
      falls.push_back(rounded(sum_of(of_tokens)));
      every_other.push_back(rounded(sum_of_every_other(of_tokens)));
    }
    details["outcomes"].push_back({{"question", questions[i]},
                                   {"answer", answer.answer},
                                   {"answer_tokens", answer.of_tokens.front().size()},
                                   {"falls", std::move(falls)},
                                   {"falls_of_every_other_token", std::move(every_other)}});
  }
  return details;
}

// Questions of one language that are asked together.
std::vector<Questions> batches_of(const QuestionSet& set, std::size_t document, std::size_t most) {
  std::vector<Questions> batches;
  for (const answering::Language language :
       {answering::Language::english, answering::Language::chinese}) {
    Questions next;
    for (const GoldQuestion& question : set.questions) {
      if (static_cast<std::size_t>(question.document) != document || !question.is_answerable ||
          answering::language_of(question.text) != language) {
        continue;
      }
      next.push_back(question.text);
      if (next.size() < most) continue;
      batches.push_back(std::move(next));
      next.clear();
    }
    if (!next.empty()) batches.push_back(std::move(next));
  }
  return batches;
}

}  // namespace

void measure_dependence(const QuestionSet& set, std::span<const Document> documents,
                        const std::shared_ptr<const Model>& model, MassFile& file,
                        const DependenceMeasureOptions& options) {
  if (documents.size() != set.documents.size() || options.together < 1) {
    throw Error(ErrorKind::invalid_argument,
                std::to_string(documents.size()) + " documents for a set of " +
                    std::to_string(set.documents.size()) + ", " + std::to_string(options.together) +
                    " questions together");
  }
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return documents[a].text.size() < documents[b].text.size();
  });
  std::map<std::int64_t, std::int64_t> done;  // documents, by half
  for (const std::size_t d : order) {
    const auto batches = batches_of(set, d, static_cast<std::size_t>(options.together));
    if (batches.empty()) continue;
    std::int64_t& of_half = done[half_of(documents[d].name)];
    if (options.documents > 0 && of_half == options.documents) continue;
    ++of_half;
    for (const Questions& questions : batches) {
      if (options.asking.progress) {
        options.asking.progress(
            {"hiding clauses", "documents", done[1] + done[2], std::ssize(documents)});
      }
      const std::string key = key_of(documents[d], questions, *model, options.asking);
      if (file.details(key)) continue;
      const answering::ClauseFalls measured =
          answering::clause_falls(documents[d], model, questions, options.asking);
      if (measured.clauses.empty()) continue;
      file.add(key, measured.masses,
               details_of(documents[d], questions, measured)
                   .dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    }
  }
}

}  // namespace whereof
