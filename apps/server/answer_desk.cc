#include "answer_desk.h"

#include <utility>

#include "document_shelf.h"
#include "http_error.h"
#include "json/answer_json.h"
#include "json/clause_map_json.h"
#include "json/diagnosis_json.h"
#include "whereof/diagnosis.h"
#include "whereof/error.h"
#include "workspace/kept_store.h"
#include "workspace/library_file.h"

namespace whereof::server {
namespace {

std::shared_ptr<KvStore> store_of(const ServiceOptions& options) {
  workspace::KeptPlace place;
  place.folder = options.kept_folder.string();
  return workspace::kept_store(place);
}

ExpectedText expected_text(const Document& document, const AskRequest& request) {
  switch (request.expected_is) {
    case AskRequest::Expected::clause:
      return find_clause_text(document, *request.expected);
    case AskRequest::Expected::words:
      return find_words(document, *request.expected);
    case AskRequest::Expected::clause_or_words:
      break;
  }
  return find_clause_or_words(document, *request.expected);
}

std::vector<Span> hidden_text(const Document& document, const AskRequest& request) {
  std::vector<Span> hidden;
  for (const std::string& name : request.hidden) {
    const ExpectedText found = find_clause_or_words(document, name);
    if (found.text.empty()) {
      throw HttpError(400, "invalid_value",
                      document.name + ": no clause or words \"" + name + "\" to hide", "hide");
    }
    hidden.insert(hidden.end(), found.text.begin(), found.text.end());
  }
  return hidden;
}

AskOptions options_of(AnswerDesk& desk, const ReadyQuestion& question, const ServedModel& served,
                      const AnswerHooks& hooks, const JobRun& run) {
  const AskRequest& request = question.request;
  AskOptions options;
  options.earlier = request.earlier;
  options.budget_seconds = request.budget_seconds;
  options.ranks_by_attention = request.ranks_by_attention;
  options.max_answer_tokens = request.max_tokens;
  options.max_citations = request.max_citations;
  options.verifies = request.verifies;
  options.is_extract = request.is_extract;
  options.sampler.temperature = static_cast<float>(request.temperature);
  options.sampler.seed = request.seed;
  options.threads = desk.service().options().threads;
  options.shared_steps = served.steps;
  options.calibration = served.calibration;
  options.machine = desk.models().speed_of(served);
  options.on_plan = hooks.on_plan;
  options.on_text = hooks.on_text;
  options.progress = hooks.on_progress;
  options.stop = run.stop;
  return options;
}

// A map of hundreds of clauses is looked at; one of a hundred thousand is only sent.
constexpr std::size_t kMostShares = 300'000;

Json map_json(const Answer& answer, const Document& document) {
  const ClauseMap map = clause_map(answer, document);
  const std::size_t shares = map.columns.size() * (map.rows.size() + map.layers.size());
  return shares > kMostShares ? Json(nullptr) : json::clause_map_json(map, document);
}

GivenAnswer answer_document(AnswerDesk& desk, const ReadyQuestion& question, AskOptions options,
                            const JobRun& run, GivenAnswer given, Library& library) {
  const Document& document = *question.documents.front();
  options.hidden = question.hidden;
  options.expected = question.expected;
  options.keeps_masses = true;
  if (question.library.empty()) options.store = desk.store();
  given.answer = ask(document, library, given.model->model, question.request.question, options);
  if (run.is_alone()) desk.models().learn(*given.model, options.machine, given.answer);
  given.documents = question.documents;
  given.json = json::answer_json(given.answer, document, *given.model->model);
  given.json["map"] = map_json(given.answer, document);
  return given;
}

GivenAnswer answer_library(AnswerDesk& desk, const ReadyQuestion& question, AskOptions options,
                           const JobRun& run, GivenAnswer given, Library& library) {
  for (const DocumentPtr& document : question.documents) {
    options.documents.push_back(document->content_hash);
  }
  LibraryAnswer result =
      ask_library(library, given.model->model, question.request.question, options);
  if (run.is_alone()) desk.models().learn(*given.model, options.machine, result.answer);
  given.json = json::library_answer_json(result, *given.model->model);
  given.json["map"] = nullptr;
  for (Document& document : result.documents) {
    given.documents.push_back(std::make_shared<const Document>(std::move(document)));
  }
  given.answer = std::move(result.answer);
  return given;
}

// Nothing that a model could tell.
GivenAnswer answer_without_model(const ReadyQuestion& question) {
  const Document& document = *question.documents.front();
  GivenAnswer given;
  given.documents = question.documents;
  given.answer.question = question.request.question;
  given.answer.diagnosis =
      diagnosis_of_absent(document, *question.expected, question.request.question);
  given.json = {{"question", question.request.question},
                {"diagnosis", json::diagnosis_json(*given.answer.diagnosis)}};
  return given;
}

}  // namespace

AnswerDesk::AnswerDesk(Service& service)
    : service_(service),
      models_(service.options().model, service.options().threads),
      store_(store_of(service.options())),
      queue_(static_cast<std::size_t>(service.options().slots),
             static_cast<std::size_t>(service.options().queue)) {}

ReadyQuestion made_ready(AnswerDesk& desk, AskRequest request) {
  ReadyQuestion ready;
  ready.model = desk.models().file_of(request.model);
  for (const std::string& id : request.documents) {
    ready.documents.push_back(desk.service().documents().document(id));
  }
  if (ready.documents.size() == 1) {
    const Document& document = *ready.documents.front();
    ready.hidden = hidden_text(document, request);
    if (request.expected) ready.expected = expected_text(document, request);
  }
  ready.request = std::move(request);
  return ready;
}

GivenAnswer answer_question(AnswerDesk& desk, const ReadyQuestion& question,
                            const AnswerHooks& hooks, const JobRun& run) {
  const bool asks_why = question.request.expected_is != AskRequest::Expected::clause_or_words;
  if (asks_why && question.expected && question.expected->text.empty()) {
    return answer_without_model(question);
  }
  GivenAnswer given;
  given.model = desk.models().open(question.model);
  AskOptions options = options_of(desk, question, *given.model, hooks, run);
  const std::filesystem::path file =
      question.library.empty() ? desk.service().options().library : question.library;
  const std::unique_ptr<Library> library = workspace::open_library(file.string());
  const bool is_one = question.documents.size() == 1;
  return (is_one ? answer_document : answer_library)(desk, question, std::move(options), run,
                                                     std::move(given), *library);
}

}  // namespace whereof::server
