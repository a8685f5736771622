// A question set with the model: each question asked, cited, judged.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "evaluation/subject.h"
#include "text/sha256.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

using evaluation::Subject;
using nlohmann::ordered_json;

constexpr int kOutcomeFormat = 3;  // of outcome_json: what an older program kept is asked anew

// What an outcome depends on.
std::string key_of(const Subject& subject, const Model& model, const AskOptions& options) {
  ordered_json json = {{"format", kOutcomeFormat},
                       {"document", subject.document->content_hash},
                       {"model", model.description().name},
                       {"file_bytes", model.description().file_bytes},
                       {"budget_seconds", options.budget_seconds},
                       {"max_answer_tokens", options.max_answer_tokens},
                       {"ranks", options.ranks_by_attention},
                       {"full_text_weight", options.calibration.heads.full_text_weight},
                       {"heads", ordered_json::array()},
                       {"questions", ordered_json::array()}};
  for (const HeadWeight& head : options.calibration.heads.heads) {
    json["heads"].push_back({head.layer, head.head, head.weight});
  }
  for (const GoldQuestion* question : subject.questions)
    json["questions"].push_back(question->text);
  return text::sha256_hex(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

ordered_json counts_json(const CitationCounts& counts) {
  return {counts.cited,
          counts.cited_right,
          counts.gold,
          counts.gold_found,
          counts.cited_characters,
          counts.gold_characters,
          counts.shared_characters};
}

CitationCounts counts_of(const ordered_json& json) {
  const auto at = [&](std::size_t i) { return json.at(i).get<std::int64_t>(); };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
}

ordered_json cited_json(const std::vector<CitedSpan>& cited) {
  auto list = ordered_json::array();
  for (const CitedSpan& span : cited) {
    list.push_back({span.source.begin, span.source.end, span.share, span.is_minor});
  }
  return list;
}

ordered_json outcome_json(const QuestionOutcome& outcome) {
  ordered_json json = {
      {"document", outcome.document},          {"category", outcome.category},
      {"question", outcome.question},          {"answer", outcome.answer},
      {"answerable", outcome.is_answerable},   {"verdict", static_cast<int>(outcome.verdict)},
      {"first_hit", outcome.first_hit},        {"cited", cited_json(outcome.cited)},
      {"counts", counts_json(outcome.counts)}, {"seconds", outcome.seconds}};
  for (const SignalName& signal : kAnswerSignals) {
    json["signals"][std::string(signal.name)] = outcome.signals.*signal.value;
  }
  return json;
}

QuestionOutcome outcome_of(const ordered_json& json) {
  QuestionOutcome outcome;
  outcome.document = json.at("document").get<std::string>();
  outcome.category = json.at("category").get<std::string>();
  outcome.question = json.at("question").get<std::string>();
  outcome.answer = json.at("answer").get<std::string>();
  outcome.is_answerable = json.at("answerable").get<bool>();
  outcome.verdict = static_cast<Verdict>(json.at("verdict").get<int>());
  outcome.first_hit = json.at("first_hit").get<std::int64_t>();
  for (const ordered_json& span : json.at("cited")) {
    outcome.cited.push_back({{span.at(0).get<std::int64_t>(), span.at(1).get<std::int64_t>()},
                             span.at(2).get<double>(),
                             span.at(3).get<bool>()});
  }
  outcome.counts = counts_of(json.at("counts"));
  outcome.seconds = json.at("seconds").get<double>();
  for (const SignalName& signal : kAnswerSignals) {
    outcome.signals.*signal.value = json.at("signals").value(std::string(signal.name), 0.0);
  }
  return outcome;
}

// The passages that hold the quotations, best citation first.
std::vector<Span> cited_passages(const Answer& answer, const Subject& subject) {
  std::vector<Span> cited;
  for (const Citation& citation : answer.citations) {
    for (std::size_t p = 0; p < subject.passages.size(); ++p) {
      if (subject.passages[p].text.contains(citation.quotation.begin)) {
        cited.push_back(subject.places[p]);
        break;
      }
    }
  }
  return cited;
}

QuestionOutcome outcome_of(const Answer& answer, const GoldQuestion& question,
                           const Subject& subject, double seconds) {
  const Document& document = *subject.document;
  QuestionOutcome outcome;
  outcome.document = document.name;
  outcome.category = question.category;
  outcome.question = question.text;
  outcome.answer = answer.text;
  outcome.is_answerable = question.is_answerable;
  outcome.verdict = answer.verdict;
  outcome.first_hit = first_hit(cited_passages(answer, subject), question.gold);
  for (const Citation& citation : answer.citations) {
    outcome.cited.push_back(
        {source_span(document, citation.quotation), citation.share, citation.is_minor});
  }
  if (question.is_answerable && answer.verdict != Verdict::no_basis) {
    const auto most_shown = static_cast<std::size_t>(AskOptions().max_citations);
    std::vector<Span> quoted;
    for (const CitedSpan& cited : outcome.cited) {
      if (!cited.is_minor && quoted.size() < most_shown) quoted.push_back(cited.source);
    }
    outcome.counts = compare_citations(quoted, question.gold);
  }
  outcome.signals = answer.signals;
  outcome.seconds = seconds;
  return outcome;
}

// Masses on sentences, [layers, heads, sentences], as masses on passages.
std::vector<float> on_passages(const std::vector<float>& of_sentences,
                               const std::vector<Span>& sentences,
                               const std::vector<Passage>& passages, std::int64_t rows) {
  std::vector<float> result(static_cast<std::size_t>(rows) * passages.size(), 0);
  if (of_sentences.empty()) return result;
  std::vector<std::size_t> place(sentences.size(), passages.size());  // of no passage
  std::size_t p = 0;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    while (p < passages.size() && passages[p].text.end <= sentences[s].begin) ++p;
    if (p < passages.size() && passages[p].text.contains(sentences[s].begin)) place[s] = p;
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      if (place[s] == passages.size()) continue;
      result[row * passages.size() + place[s]] += of_sentences[row * sentences.size() + s];
    }
  }
  return result;
}

PassageMasses masses_of(std::span<const Answer> answers, const Subject& subject) {
  PassageMasses masses;
  masses.layers = answers.front().masses->layers;
  masses.heads = answers.front().masses->heads;
  masses.passages = std::ssize(subject.passages);
  const std::int64_t rows = masses.layers * masses.heads;
  for (const Answer& answer : answers) {
    const AnswerMasses& read = *answer.masses;
    const auto moved = [&](const std::vector<float>& table) {
      return on_passages(table, read.sentences, subject.passages, rows);
    };
    if (masses.content_free.empty()) masses.content_free = moved(*read.content_free);
    masses.questions.push_back(moved(read.question));
    masses.answers.push_back(moved(read.answer));
  }
  return masses;
}

// Larger where the document answers the question, as far as the signals tell.
double support_of(const AnswerSignals& signals, const Calibration& calibration) {
  return calibration.is_fitted() ? support_probability(signals, calibration)
                                 : 1 - signals.decline_probability;
}

// The subject with one of its questions alone.
Subject with_question(const Subject& subject, std::size_t question) {
  Subject one = subject;
  one.questions = {subject.questions[question]};
  one.full_text = {subject.full_text[question]};
  return one;
}

// Asks questions of one document, or takes what a file keeps of them.
class SubjectAsking {
 public:
  SubjectAsking(const Subject& subject, Library& library, const std::shared_ptr<const Model>& model,
                MassFile& file, const AskOptions& options)
      : subject_(subject), library_(library), model_(model), file_(file), options_(options) {}

  std::vector<QuestionOutcome> run() {
    std::vector<QuestionOutcome> outcomes;
    if (take(subject_, outcomes)) return outcomes;
    bool are_kept_apart = true;
    for (std::size_t q = 0; are_kept_apart && q < subject_.questions.size(); ++q) {
      are_kept_apart = take(with_question(subject_, q), outcomes);
    }
    if (are_kept_apart) return outcomes;
    return ask();
  }

 private:
  bool take(const Subject& subject, std::vector<QuestionOutcome>& outcomes) const {
    const auto kept = file_.details(key_of(subject, *model_, options_));
    if (!kept) return false;
    const ordered_json details = ordered_json::parse(*kept);
    for (const ordered_json& json : details.at("outcomes")) {
      outcomes.push_back(outcome_of(json));
    }
    return true;
  }

  std::vector<QuestionOutcome> ask() {
    std::vector<std::string> questions;
    for (const GoldQuestion* question : subject_.questions) questions.push_back(question->text);
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Answer> answers =
        ask_all(*subject_.document, library_, model_, questions, options_);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::vector<QuestionOutcome> outcomes;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      outcomes.push_back(outcome_of(answers[i], *subject_.questions[i], subject_,
                                    seconds / static_cast<double>(answers.size())));
    }
    if (options_.keeps_masses) keep(answers, outcomes);
    return outcomes;
  }

  // Answers that were read from the same passages share the content-free masses, and a record.
  void keep(std::span<const Answer> answers, std::span<const QuestionOutcome> outcomes) {
    const bool are_together =
        std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
          return answer.masses->content_free == answers.front().masses->content_free;
        });
    if (are_together) return add(subject_, answers, outcomes);
    for (std::size_t q = 0; q < answers.size(); ++q) {
      add(with_question(subject_, q), answers.subspan(q, 1), outcomes.subspan(q, 1));
    }
  }

  void add(const Subject& subject, std::span<const Answer> answers,
           std::span<const QuestionOutcome> outcomes) {
    ordered_json details = evaluation::details_of(subject);
    for (const QuestionOutcome& outcome : outcomes) {
      details["outcomes"].push_back(outcome_json(outcome));
    }
    file_.add(key_of(subject, *model_, options_), masses_of(answers, subject),
              details.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  }

  const Subject& subject_;
  Library& library_;
  const std::shared_ptr<const Model>& model_;
  MassFile& file_;
  const AskOptions& options_;
};

}  // namespace

std::vector<QuestionOutcome> measure_answers(const QuestionSet& set,
                                             std::span<const Document> documents, Library& library,
                                             const std::shared_ptr<const Model>& model,
                                             MassFile& file, const AnswerMeasureOptions& options) {
  if (documents.size() != set.documents.size() || options.together < 1) {
    throw Error(ErrorKind::invalid_argument,
                std::to_string(documents.size()) + " documents for a set of " +
                    std::to_string(set.documents.size()) + ", " + std::to_string(options.together) +
                    " questions together");
  }
  std::vector<std::vector<const GoldQuestion*>> of_document(documents.size());
  for (const GoldQuestion& question : set.questions) {
    of_document[static_cast<std::size_t>(question.document)].push_back(&question);
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < documents.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return documents[a].text.size() < documents[b].text.size();
  });
  std::vector<QuestionOutcome> outcomes;
  const auto together = static_cast<std::size_t>(options.together);
  for (const std::size_t i : order) {
    const std::vector<const GoldQuestion*>& all = of_document[i];
    for (std::size_t first = 0; first < all.size(); first += together) {
      if (options.asking.progress) {
        options.asking.progress(
            {"asking", "questions", std::ssize(outcomes), std::ssize(set.questions)});
      }
      const std::size_t last = std::min(all.size(), first + together);
      const Subject subject =
          evaluation::subject_of(documents[i],
                                 {all.begin() + static_cast<std::ptrdiff_t>(first),
                                  all.begin() + static_cast<std::ptrdiff_t>(last)},
                                 library);
      for (QuestionOutcome& outcome :
           SubjectAsking(subject, library, model, file, options.asking).run()) {
        outcome.support = support_of(outcome.signals, options.asking.calibration);
        outcomes.push_back(std::move(outcome));
      }
    }
  }
  return outcomes;
}

}  // namespace whereof
