// POST /v1/chat/completions: a conversation, or a question to documents in the same words.
#include <memory>
#include <optional>
#include <utility>

#include "attached_documents.h"
#include "chat_reply.h"
#include "chat_request.h"
#include "compute_routes.h"

namespace whereof::server {
namespace {

// One request on its way. A stream begins with its first text: what fails before is answered with
// its own status.
class ChatJob {
 public:
  ChatJob(AnswerDesk& desk, ExchangePtr exchange, ChatRequest request)
      : desk_(desk),
        exchange_(std::move(exchange)),
        request_(std::move(request)),
        question_(made_ready(desk, request_.ask)),
        file_(desk.models().file_of(request_.model)) {}

  void run(const JobRun& run) {
    exchange_->guard([&] {
      if (request_.asks_documents()) {
        answer(run);
      } else {
        converse(run);
      }
    });
  }

 private:
  void converse(const JobRun& run) {
    const std::shared_ptr<const ServedModel> served = desk_.models().open(file_);
    frame_ = ReplyFrame::made(served->id);
    ChatOptions options = request_.options;
    options.threads = desk_.service().options().threads;
    options.shared_steps = served->steps;
    options.stop = run.stop;
    const bool wants = options.wants_log_probabilities;
    if (request_.streams) {
      options.on_text = [&](const ChatDelta& delta) {
        send(chunk_json(frame_, {{"content", delta.text}}, {},
                        wants ? log_probabilities_json(delta.tokens) : Json(nullptr)));
      };
    }
    end(message_of(chat(served->model, request_.messages, options), wants));
  }

  // What a model says of documents is sent when its basis is known, not before: a client that shows
  // text as it comes could not take it back.
  void answer(const JobRun& run) {
    std::optional<AttachedDocuments> attached;
    if (!request_.attached.empty()) {
      attached.emplace(request_.attached, question_.documents, run.stop);
      question_.library = attached->library();
      for (const DocumentPtr& document : attached->documents()) add(document);
    }
    const GivenAnswer given = answer_question(desk_, question_, {}, run);
    frame_ = ReplyFrame::made(given.model->id);
    ReplyMessage message = message_of(given);
    if (request_.streams) {
      send(
          chunk_json(frame_, {{"content", message.content}, {"annotations", message.annotations}}));
    }
    end(message);
  }

  // The same file may be attached that is named by its id.
  void add(const DocumentPtr& document) {
    for (const DocumentPtr& known : question_.documents) {
      if (known->content_hash == document->content_hash) return;
    }
    question_.documents.push_back(document);
  }

  void end(const ReplyMessage& message) {
    if (!request_.streams) return exchange_->send_json(completion_json(frame_, message));
    Json last = chunk_json(frame_, Json::object(), message.finish_reason);
    if (!message.whereof.is_null()) last["whereof"] = message.whereof;
    send(last);
    if (request_.includes_usage) {
      Json usage = chunk_json(frame_, Json::object());
      usage["choices"] = Json::array();
      usage["usage"] = usage_json(message);
      send(usage);
    }
    events_->send_data("[DONE]");
    events_->close();
  }

  void send(const Json& chunk) {
    if (!events_) {
      events_ = exchange_->start_events();
      events_->send_data(dumped(
          chunk_json(frame_, {{"role", "assistant"}, {"content", ""}, {"refusal", nullptr}})));
    }
    events_->send_data(dumped(chunk));
  }

  AnswerDesk& desk_;
  const ExchangePtr exchange_;
  const ChatRequest request_;
  ReadyQuestion question_;
  const std::filesystem::path file_;
  ReplyFrame frame_;
  std::optional<EventStream> events_;
};

}  // namespace

void add_chat_routes(Router& router, std::shared_ptr<AnswerDesk> desk) {
  router.add("POST", "/v1/chat/completions",
             [desk](const ExchangePtr& exchange) {
               ChatRequest request = chat_request(parse_body(exchange->request()));
               std::string client = client_of(exchange->request(), request.user);
               auto job = std::make_shared<ChatJob>(*desk, exchange, std::move(request));
               desk->queue().submit({.client = std::move(client),
                                     .stop = exchange->stop(),
                                     .work = [job](const JobRun& run) { job->run(run); },
                                     .on_ahead = {}});
             },
             {.runs_on = RunsOn::worker, .body_bytes = kJsonBodyBytes});
}

}  // namespace whereof::server
