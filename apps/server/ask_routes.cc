// POST /v1/ask, POST /v1/why: a question to documents, answered as events or as one object.
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "answer_desk.h"
#include "compute_routes.h"
#include "json/answer_json.h"
#include "progress_events.h"

namespace whereof::server {
namespace {

// One request on its way; its events begin when it has a place in the queue.
class AskJob {
 public:
  AskJob(AnswerDesk& desk, ExchangePtr exchange, ReadyQuestion question)
      : desk_(desk), exchange_(std::move(exchange)), question_(std::move(question)) {}

  void tell_ahead(std::size_t ahead) {
    if (!has_begun_) send("queued", {{"ahead", ahead}});
  }

  void run(const JobRun& run) {
    has_begun_ = true;
    exchange_->guard([&] {
      ProgressClock clock;
      AnswerHooks hooks;
      if (question_.request.streams) {
        hooks.on_plan = [&](const RoutePlan& plan) { send("plan", plan_of(plan)); };
        hooks.on_progress = [&](const Progress& at) { send("progress", clock.json_of(at)); };
        hooks.on_text = [&](std::string_view text) { send("text", {{"delta", text}}); };
      }
      const GivenAnswer given = answer_question(desk_, question_, hooks, run);
      if (!question_.request.streams) return exchange_->send_json(given.json);
      send("answer", given.json);
      send("done", Json::object());
      events().close();
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

  EventStream events() {
    const std::lock_guard lock(mutex_);
    if (!events_) events_ = exchange_->start_events();
    return *events_;
  }
  void send(std::string_view event, const Json& data) {
    if (question_.request.streams) events().send(event, data);
  }

  AnswerDesk& desk_;
  const ExchangePtr exchange_;
  const ReadyQuestion question_;
  std::atomic<bool> has_begun_ = false;
  std::mutex mutex_;
  std::optional<EventStream> events_;
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
