// What a model does with a whole document, as a job.
//
//   POST /v1/files/{id}/read      reads it ahead, so that questions find it read
//   POST /v1/documents/{id}/map   which of its clauses reads which
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "answer_desk.h"
#include "ask_request.h"
#include "compute_routes.h"
#include "document_shelf.h"
#include "http_error.h"
#include "job_events.h"
#include "json/clause_map_json.h"
#include "json_fields.h"
#include "progress_events.h"
#include "whereof/answer.h"
#include "whereof/document_map.h"

namespace whereof::server {
namespace {

// What a job has to work with.
struct DocumentWork {
  AnswerDesk& desk;
  const ServedModel& served;
  const Document& document;
  ProgressCallback progress;
  std::stop_token stop;
};
using DoWork = std::function<Json(const DocumentWork&)>;

class DocumentJob {
 public:
  // name: of the event with the result.
  DocumentJob(AnswerDesk& desk, const ExchangePtr& exchange, bool streams,
              std::filesystem::path model, std::shared_ptr<const Document> document,
              std::string name, DoWork work)
      : desk_(desk),
        events_(exchange, streams),
        model_(std::move(model)),
        document_(std::move(document)),
        name_(std::move(name)),
        work_(std::move(work)) {}

  void tell_ahead(std::size_t ahead) { events_.tell_ahead(ahead); }

  void run(const JobRun& run) {
    events_.begin();
    events_.exchange()->guard([&] {
      const std::shared_ptr<const ServedModel> served = desk_.models().open(model_);
      ProgressClock clock;
      const auto tell = [&](const Progress& at) { events_.send("progress", clock.json_of(at)); };
      events_.end(name_, work_({desk_, *served, *document_, tell, run.stop}));
    });
  }

 private:
  AnswerDesk& desk_;
  JobEvents events_;
  const std::filesystem::path model_;
  const std::shared_ptr<const Document> document_;
  const std::string name_;
  const DoWork work_;
};

Json read_of(const DocumentWork& work) {
  AskOptions options;
  options.threads = work.desk.service().options().threads;
  options.shared_steps = work.served.steps;
  options.store = work.desk.store();
  options.stop = work.stop;
  options.progress = work.progress;
  const ReadAhead read = read_ahead(work.document, work.served.model, options);
  return {{"model", work.served.id},
          {"tokens", read.tokens},
          {"windows", read.windows},
          {"kept_before", read.kept_before},
          {"seconds", read.seconds},
          {"trouble", read.trouble.empty() ? Json(nullptr) : Json(read.trouble)}};
}

Json map_of(const DocumentWork& work) {
  DocumentMapOptions options;
  options.heads = work.served.calibration.heads;
  options.threads = work.desk.service().options().threads;
  options.shared_steps = work.served.steps;
  options.stop = work.stop;
  options.progress = work.progress;
  Json json = {{"model", work.served.id}};
  json.update(json::document_map_json(document_map(work.document, work.served.model, options),
                                      work.document));
  return json;
}

void submit(AnswerDesk& desk, const ExchangePtr& exchange, const char* name, DoWork work,
            bool needs_store) {
  Request& request = exchange->request();
  const Json body = parse_body(request);
  const JsonFields fields(body);
  fields.only({"model", "stream", "user"});
  const bool streams = fields.boolean("stream").value_or(true);
  const std::string user = fields.text("user", kNameBytes).value_or("");
  const std::string model = fields.text("model", kNameBytes).value_or("");
  auto document = desk.service().documents().document(request.capture("id"));
  if (needs_store && !desk.store()) {
    throw HttpError(409, "readings_not_kept", "this service keeps no readings");
  }
  auto job = std::make_shared<DocumentJob>(desk, exchange, streams, desk.models().file_of(model),
                                           std::move(document), name, std::move(work));
  desk.queue().submit({.client = client_of(request, user),
                       .stop = exchange->stop(),
                       .work = [job](const JobRun& run) { job->run(run); },
                       .on_ahead = [job](std::size_t ahead) { job->tell_ahead(ahead); }});
}

}  // namespace

void add_document_job_routes(Router& router, std::shared_ptr<AnswerDesk> desk) {
  const RouteOptions options = {.runs_on = RunsOn::worker, .body_bytes = kJsonBodyBytes};
  router.add(
      "POST", "/v1/files/{id}/read",
      [desk](const ExchangePtr& exchange) { submit(*desk, exchange, "reading", read_of, true); },
      options);
  router.add(
      "POST", "/v1/documents/{id}/map",
      [desk](const ExchangePtr& exchange) { submit(*desk, exchange, "map", map_of, false); },
      options);
}

}  // namespace whereof::server
