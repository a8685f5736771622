// Where questions are answered: models, kept readings and the slots that compute.
#ifndef WHEREOF_SERVER_ANSWER_DESK_H_
#define WHEREOF_SERVER_ANSWER_DESK_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ask_request.h"
#include "job_queue.h"
#include "model_shelf.h"
#include "service.h"
#include "whereof/answer.h"
#include "whereof/clause_map.h"
#include "whereof/kv_store.h"

namespace whereof::server {

// Shared by the handlers of all routes that compute. Any thread; ends before the Service.
class AnswerDesk {
 public:
  explicit AnswerDesk(Service& service);

  Service& service() noexcept { return service_; }
  ModelShelf& models() noexcept { return models_; }
  JobQueue& queue() noexcept { return queue_; }
  const std::shared_ptr<KvStore>& store() const noexcept { return store_; }

 private:
  Service& service_;
  ModelShelf models_;
  std::shared_ptr<KvStore> store_;  // null: readings are not kept
  JobQueue queue_;                  // last, so that jobs end before what they use
};

using DocumentPtr = std::shared_ptr<const Document>;

// A question whose model and documents are known to be there.
struct ReadyQuestion {
  AskRequest request;
  std::filesystem::path model;
  std::vector<DocumentPtr> documents;  // empty: all of the library
  // Holds the documents, for what is in no lasting library; empty: the service's own.
  std::filesystem::path library;
  std::vector<Span> hidden;              // of the one document
  std::optional<ExpectedText> expected;  // in it; with no text: it is not there
};
// Throws HttpError: 404, 409, 400 for a clause to hide that is not there.
ReadyQuestion made_ready(AnswerDesk& desk, AskRequest request);

struct AnswerHooks {
  std::function<void(const RoutePlan&)> on_plan;
  ProgressCallback on_progress;
  std::function<void(std::string_view)> on_text;
};

struct GivenAnswer {
  std::shared_ptr<const ServedModel> model;
  Answer answer;
  std::vector<DocumentPtr> documents;  // that citations name by their index
  Json json;                           // docs/answer.schema.json and "map", null for a library
};
// Runs on a slot. Throws what ask throws.
GivenAnswer answer_question(AnswerDesk& desk, const ReadyQuestion& question,
                            const AnswerHooks& hooks, const JobRun& run);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_ANSWER_DESK_H_
