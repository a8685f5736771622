// POST /v1/ask, POST /v1/why: a question to documents, answered as events or as one object.
#include <memory>
#include <utility>

#include "answer_desk.h"
#include "compute_routes.h"
#include "job_events.h"
#include "json/answer_json.h"
#include "progress_events.h"

namespace whereof::server {
namespace {

// One request on its way; its events begin when it has a place in the queue.
class AskJob {
 public:
  AskJob(AnswerDesk& desk, ExchangePtr exchange, ReadyQuestion question)
      : desk_(desk),
        events_(std::move(exchange), question.request.streams),
        question_(std::move(question)) {}

  void tell_ahead(std::size_t ahead) { events_.tell_ahead(ahead); }

  void run(const JobRun& run) {
    events_.begin();
    events_.exchange()->guard([&] {
      ProgressClock clock;
      AnswerHooks hooks;
      if (events_.streams()) {
        hooks.on_plan = [&](const RoutePlan& plan) { events_.send("plan", plan_of(plan)); };
        hooks.on_progress = [&](const Progress& at) {
          events_.send("progress", clock.json_of(at));
        };
        hooks.on_text = [&](std::string_view text) { events_.send("text", {{"delta", text}}); };
      }
      events_.end("answer", answer_question(desk_, question_, hooks, run).json);
    });
  }

 private:
  Json plan_of(const RoutePlan& plan) const {
    Json json = json::plan_json(plan);
    if (question_.documents.size() == 1) {
      json["passages"] = json::chosen_json(plan.chosen, *question_.documents.front());
    }
    return json;
  }

  AnswerDesk& desk_;
  JobEvents events_;
  const ReadyQuestion question_;
};

void submit(AnswerDesk& desk, const ExchangePtr& exchange, AskRequest request) {
  std::string user = request.user;
  auto ask = std::make_shared<AskJob>(desk, exchange, made_ready(desk, std::move(request)));
  desk.queue().submit({.client = client_of(exchange->request(), user),
                       .stop = exchange->stop(),
                       .work = [ask](const JobRun& run) { ask->run(run); },
                       .on_ahead = [ask](std::size_t ahead) { ask->tell_ahead(ahead); }});
}

}  // namespace

void add_ask_routes(Router& router, std::shared_ptr<AnswerDesk> desk) {
  const RouteOptions options = {.runs_on = RunsOn::worker, .body_bytes = kJsonBodyBytes};
  router.add(
      "POST", "/v1/ask",
      [desk](const ExchangePtr& exchange) {
        submit(*desk, exchange, ask_request(parse_body(exchange->request())));
      },
      options);
  router.add(
      "POST", "/v1/why",
      [desk](const ExchangePtr& exchange) {
        submit(*desk, exchange, why_request(parse_body(exchange->request())));
      },
      options);
}

}  // namespace whereof::server
