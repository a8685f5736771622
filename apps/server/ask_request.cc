#include "ask_request.h"

#include <limits>
#include <set>

namespace whereof::server {
namespace {

constexpr double kMostBudget = 3600;
constexpr double kMostTemperature = 10;
constexpr std::size_t kMostHidden = 64;
constexpr std::int64_t kMostCitations = 1000;

void read_documents(const JsonFields& fields, AskRequest& request) {
  const std::optional<std::string> one = fields.text("document", kNameBytes);
  const Json* many = fields.any("documents");
  if (one && many != nullptr) fields.refuse("documents", "either document or documents");
  if (one) {
    request.documents = {*one};
    return;
  }
  if (many == nullptr) {
    fields.refuse("document", "the id of a file, or documents: a list of ids or \"all\"");
  }
  if (many->is_string()) {
    if (*many != "all") fields.refuse("documents", "a list of ids or \"all\"");
    request.asks_all = true;
    return;
  }
  request.documents = fields.texts("documents", kMostDocuments, kNameBytes);
  if (request.documents.empty()) fields.refuse("documents", "at least one id");
  check_documents(fields, "documents", request.documents);
}

// What both routes take.
AskRequest read_question(const JsonFields& fields) {
  AskRequest request;
  request.question = fields.needed_text("question", kQuestionBytes);
  if (request.question.find_first_not_of(" \t\r\n") == std::string::npos) {
    fields.refuse("question", "a question in words");
  }
  request.earlier = fields.texts("earlier", kMostEarlier, kQuestionBytes);
  request.model = fields.text("model", kNameBytes).value_or("");
  request.user = fields.text("user", kNameBytes).value_or("");
  request.max_tokens = fields.integer("max_tokens", 1, kMostTokens).value_or(request.max_tokens);
  request.temperature = fields.number("temperature", 0, kMostTemperature).value_or(0);
  const auto most = std::numeric_limits<std::int64_t>::max();
  request.seed = static_cast<std::uint64_t>(fields.integer("seed", 0, most).value_or(0));
  request.hidden = fields.texts("hide", kMostHidden, kPlaceBytes);
  for (const std::string& hidden : request.hidden) {
    if (hidden.empty()) fields.refuse("hide", "labels of clauses, or words");
  }
  request.streams = fields.boolean("stream").value_or(true);
  read_manner(fields, request);
  return request;
}

}  // namespace

void read_manner(const JsonFields& fields, AskRequest& request) {
  request.budget_seconds =
      fields.number("budget_seconds", 0, kMostBudget).value_or(request.budget_seconds);
  request.max_citations =
      fields.integer("max_citations", 1, kMostCitations).value_or(request.max_citations);
  request.is_extract = fields.boolean("quote").value_or(false);
  request.verifies = fields.boolean("verify").value_or(false);
  request.ranks_by_attention = fields.boolean("rank").value_or(false);
  if (request.is_extract && request.verifies) {
    fields.refuse("verify", "false, or no quote: a quotation has no answer to verify");
  }
}

void check_documents(const JsonFields& fields, std::string_view name,
                     const std::vector<std::string>& ids) {
  std::set<std::string_view> seen;
  for (const std::string& id : ids) {
    if (!seen.insert(id).second) fields.refuse(name, "each id once");
  }
}

AskRequest ask_request(const Json& body) {
  const JsonFields fields(body);
  fields.only({"document", "documents", "question", "earlier", "model", "budget_seconds",
               "max_tokens", "max_citations", "temperature", "seed", "quote", "verify", "rank",
               "hide", "expect", "stream", "user"});
  AskRequest request = read_question(fields);
  read_documents(fields, request);
  request.expected = fields.text("expect", kPlaceBytes);
  if (request.expected && request.expected->empty()) request.expected.reset();
  if (request.is_extract && request.expected) {
    fields.refuse("expect", "null, or no quote: a quotation rests on nothing else");
  }
  const bool is_one = request.documents.size() == 1;
  if (!is_one && request.expected) fields.refuse("expect", "null, or one document");
  if (!is_one && !request.hidden.empty()) fields.refuse("hide", "nothing, or one document");
  return request;
}

AskRequest why_request(const Json& body) {
  const JsonFields fields(body);
  fields.only({"document", "question", "earlier", "clause", "text", "model", "budget_seconds",
               "max_tokens", "max_citations", "temperature", "seed", "rank", "hide", "stream",
               "user"});
  AskRequest request = read_question(fields);
  request.documents = {fields.needed_text("document", kNameBytes)};
  const std::optional<std::string> clause = fields.text("clause", kPlaceBytes);
  const std::optional<std::string> words = fields.text("text", kPlaceBytes);
  if (clause.has_value() == words.has_value()) {
    fields.refuse(clause ? "text" : "clause", "either clause or text");
  }
  request.expected = clause ? clause : words;
  if (request.expected->empty()) fields.refuse(clause ? "clause" : "text", "words");
  request.expected_is = clause ? AskRequest::Expected::clause : AskRequest::Expected::words;
  return request;
}

}  // namespace whereof::server
