// POST /v1/files/{id}/read: a model reads a whole document ahead, so that questions find it read.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "answer_desk.h"
#include "compute_routes.h"
#include "document_shelf.h"
#include "http_error.h"
#include "job_events.h"
#include "json_fields.h"
#include "progress_events.h"
#include "whereof/answer.h"

namespace whereof::server {
namespace {

constexpr std::size_t kNameBytes = 256;

class ReadJob {
 public:
  ReadJob(AnswerDesk& desk, const ExchangePtr& exchange, bool streams, std::filesystem::path model,
          std::shared_ptr<const Document> document)
      : desk_(desk),
        events_(exchange, streams),
        model_(std::move(model)),
        document_(std::move(document)) {}

  void tell_ahead(std::size_t ahead) { events_.tell_ahead(ahead); }

  void run(const JobRun& run) {
    events_.begin();
    events_.exchange()->guard([&] {
      const std::shared_ptr<const ServedModel> served = desk_.models().open(model_);
      ProgressClock clock;
      AskOptions options;
      options.threads = desk_.service().options().threads;
      options.shared_steps = served->steps;
      options.store = desk_.store();
      options.stop = run.stop;
      options.progress = [&](const Progress& at) { events_.send("progress", clock.json_of(at)); };
      const ReadAhead read = read_ahead(*document_, served->model, options);
      events_.end("reading",
                  {{"model", served->id},
                   {"tokens", read.tokens},
                   {"windows", read.windows},
                   {"kept_before", read.kept_before},
                   {"seconds", read.seconds},
                   {"trouble", read.trouble.empty() ? Json(nullptr) : Json(read.trouble)}});
    });
  }

 private:
  AnswerDesk& desk_;
  JobEvents events_;
  const std::filesystem::path model_;
  const std::shared_ptr<const Document> document_;
};

void submit(AnswerDesk& desk, const ExchangePtr& exchange) {
  const Request& request = exchange->request();
  const Json body = parse_body(request);
  const JsonFields fields(body);
  fields.only({"model", "stream", "user"});
  const bool streams = fields.boolean("stream").value_or(true);
  const std::string user = fields.text("user", kNameBytes).value_or("");
  const std::string model = fields.text("model", kNameBytes).value_or("");
  auto document = desk.service().documents().document(request.capture("id"));
  if (!desk.store()) {
    throw HttpError(409, "readings_not_kept", "this service keeps no readings");
  }
  auto read = std::make_shared<ReadJob>(desk, exchange, streams, desk.models().file_of(model),
                                        std::move(document));
  desk.queue().submit({.client = client_of(request, user),
                       .stop = exchange->stop(),
                       .work = [read](const JobRun& run) { read->run(run); },
                       .on_ahead = [read](std::size_t ahead) { read->tell_ahead(ahead); }});
}

}  // namespace

void add_read_routes(Router& router, std::shared_ptr<AnswerDesk> desk) {
  router.add("POST", "/v1/files/{id}/read",
             [desk](const ExchangePtr& exchange) { submit(*desk, exchange); },
             {.runs_on = RunsOn::worker, .body_bytes = kJsonBodyBytes});
}

}  // namespace whereof::server
