#include "chat_request.h"

#include <fmt/format.h>

#include <limits>
#include <random>
#include <string_view>
#include <utility>

#include "base64.h"
#include "multipart.h"

namespace whereof::server {
namespace {

constexpr std::size_t kMostMessages = 2'000;
constexpr std::size_t kMostParts = 200;
constexpr std::size_t kMessageBytes = 1 << 20;
constexpr std::size_t kMostStops = 4;
constexpr std::size_t kStopBytes = 1'024;
constexpr double kMostTemperature = 2;

// What clients send that changes nothing here.
const std::initializer_list<std::string_view> kFields = {"model",
                                                         "messages",
                                                         "file_ids",
                                                         "max_tokens",
                                                         "max_completion_tokens",
                                                         "temperature",
                                                         "top_p",
                                                         "seed",
                                                         "stop",
                                                         "logprobs",
                                                         "top_logprobs",
                                                         "n",
                                                         "stream",
                                                         "stream_options",
                                                         "user",
                                                         "presence_penalty",
                                                         "frequency_penalty",
                                                         "logit_bias",
                                                         "response_format",
                                                         "tools",
                                                         "tool_choice",
                                                         "functions",
                                                         "function_call",
                                                         "parallel_tool_calls",
                                                         "modalities",
                                                         "audio",
                                                         "prediction",
                                                         "whereof",
                                                         "metadata",
                                                         "store",
                                                         "service_tier",
                                                         "safety_identifier",
                                                         "prompt_cache_key",
                                                         "reasoning_effort",
                                                         "verbosity"};

std::string role_of(const JsonFields& fields) {
  const std::string role = fields.needed_text("role", kNameBytes);
  if (role == "developer") return "system";  // its newer name
  if (role != "system" && role != "user" && role != "assistant") {
    fields.refuse("role", "system, developer, user or assistant");
  }
  return role;
}

void read_file(const Json& part, const std::string& path, ChatRequest& request) {
  const JsonFields outer(part, path);
  const Json* file = outer.object("file");
  if (file == nullptr) outer.refuse("file", "an object with file_id, or filename and file_data");
  const JsonFields fields(*file, path + ".file");
  fields.only({"file_id", "filename", "file_data"});
  if (const auto id = fields.text("file_id", kNameBytes)) {
    request.ask.documents.push_back(*id);
    return;
  }
  const std::string url = fields.needed_text("file_data", kMessageBytes);
  const std::size_t comma = url.find(',');
  const std::string_view head = std::string_view(url).substr(0, comma);
  if (comma == std::string::npos || !head.starts_with("data:") || !head.ends_with(";base64")) {
    fields.refuse("file_data", "data:TYPE;base64,...");
  }
  std::optional<std::string> bytes = decoded_base64(std::string_view(url).substr(comma + 1));
  if (!bytes || bytes->empty()) fields.refuse("file_data", "base64 of at least one byte");
  request.attached.push_back(
      {safe_file_name(fields.needed_text("filename", kNameBytes)), std::move(*bytes)});
}

// Text, or a list of parts.
std::string content_of(const JsonFields& fields, const std::string& path, ChatRequest& request) {
  const Json* content = fields.any("content");
  if (content == nullptr) return {};
  if (content->is_string()) return *fields.text("content", kMessageBytes);
  const Json* parts = fields.array("content", kMostParts);
  std::string text;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const std::string part_path = fmt::format("{}.content[{}]", path, i);
    const JsonFields part((*parts)[i], part_path);
    const std::string type = part.needed_text("type", kNameBytes);
    if (type == "text") {
      part.only({"type", "text"});
      text += (text.empty() ? "" : "\n") + part.text("text", kMessageBytes).value_or("");
    } else if (type == "file") {
      part.only({"type", "file"});
      read_file((*parts)[i], part_path, request);
    } else {
      part.refuse("type", "text or file");
    }
  }
  return text;
}

void read_messages(const JsonFields& fields, ChatRequest& request) {
  const Json* messages = fields.array("messages", kMostMessages);
  if (messages == nullptr || messages->empty()) fields.refuse("messages", "at least one message");
  for (std::size_t i = 0; i < messages->size(); ++i) {
    const std::string path = fmt::format("messages[{}]", i);
    const JsonFields message((*messages)[i], path);
    message.only({"role", "content", "name", "refusal", "annotations", "audio", "tool_calls",
                  "function_call"});
    for (const char* name : {"tool_calls", "function_call", "audio"}) {
      if (message.any(name) != nullptr) message.refuse(name, "null");
    }
    ChatMessage read;
    read.role = role_of(message);
    read.content = content_of(message, path, request);
    request.messages.push_back(std::move(read));
  }
}

void read_stops(const JsonFields& fields, ChatRequest& request) {
  const Json* stop = fields.any("stop");
  if (stop == nullptr) return;
  std::vector<std::string>& stops = request.options.stops;
  if (stop->is_string()) {
    stops = {*fields.text("stop", kStopBytes)};
  } else {
    stops = fields.texts("stop", kMostStops, kStopBytes);
  }
  for (const std::string& one : stops) {
    if (one.empty()) fields.refuse("stop", "texts of at least one byte");
  }
}

void read_sampling(const JsonFields& fields, ChatRequest& request) {
  SamplerOptions& sampler = request.options.sampler;
  sampler.temperature =
      static_cast<float>(fields.number("temperature", 0, kMostTemperature).value_or(0));
  sampler.top_p =
      static_cast<float>(fields.number("top_p", 0, 1).value_or(static_cast<double>(sampler.top_p)));
  // Any whole number is a seed; without one each reply is another, as OpenAI's are.
  const auto seed = fields.integer("seed", std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max());
  sampler.seed = seed ? static_cast<std::uint64_t>(*seed) : std::random_device()();
  request.options.wants_log_probabilities = fields.boolean("logprobs").value_or(false);
  request.options.top_log_probabilities =
      fields.integer("top_logprobs", 0, kMostTopLogProbabilities).value_or(0);
  if (request.options.top_log_probabilities > 0 && !request.options.wants_log_probabilities) {
    fields.refuse("top_logprobs", "null, or logprobs: true");
  }
}

void read_lengths(const JsonFields& fields, ChatRequest& request) {
  const auto newer = fields.integer("max_completion_tokens", 1, kMostTokens);
  const auto older = fields.integer("max_tokens", 1, kMostTokens);
  if (newer && older && *newer != *older) {
    fields.refuse("max_tokens", "the same as max_completion_tokens, or null");
  }
  const auto most = newer ? newer : older;
  if (!most) return;
  request.options.max_tokens = *most;
  request.ask.max_tokens = *most;
}

// Refused by name where it would change the reply: silence would be a wrong reply.
void refuse_absent(const JsonFields& fields) {
  if (fields.integer("n", 1, 128).value_or(1) != 1) fields.refuse("n", "1: one choice");
  for (const char* name : {"presence_penalty", "frequency_penalty"}) {
    if (fields.number(name, -2, 2).value_or(0) != 0) fields.refuse(name, "0: there is none");
  }
  const Json* bias = fields.object("logit_bias");
  if (bias != nullptr && !bias->empty()) fields.refuse("logit_bias", "an empty object");
  for (const char* name : {"tools", "functions"}) {
    const Json* list = fields.array(name, kMostParts);
    if (list != nullptr && !list->empty()) fields.refuse(name, "an empty list: there are none");
  }
  for (const char* name : {"audio", "prediction"}) {
    if (fields.any(name) != nullptr) fields.refuse(name, "null");
  }
  if (const Json* format = fields.object("response_format")) {
    const JsonFields of_format(*format, "response_format");
    if (of_format.needed_text("type", kNameBytes) != "text") of_format.refuse("type", "text");
  }
  for (const std::string& one : fields.texts("modalities", 4, kNameBytes)) {
    if (one != "text") fields.refuse("modalities", "[\"text\"]");
  }
}

void read_streaming(const JsonFields& fields, ChatRequest& request) {
  request.streams = fields.boolean("stream").value_or(false);
  if (const Json* options = fields.object("stream_options")) {
    if (!request.streams) fields.refuse("stream_options", "null, or stream: true");
    const JsonFields of_stream(*options, "stream_options");
    of_stream.only({"include_usage", "include_obfuscation"});
    request.includes_usage = of_stream.boolean("include_usage").value_or(false);
  }
}

// The last user message is the question; those before it are what was asked earlier. What the model
// said is no source, so it takes no part.
void read_question(const JsonFields& fields, ChatRequest& request) {
  for (const ChatMessage& message : request.messages) {
    if (message.role == "user") request.ask.earlier.push_back(message.content);
  }
  if (!request.ask.earlier.empty()) {
    request.ask.question = std::move(request.ask.earlier.back());
    request.ask.earlier.pop_back();
  }
  if (request.ask.question.find_first_not_of(" \t\r\n") == std::string::npos) {
    fields.refuse("messages", "a user message with a question about the documents");
  }
  if (request.ask.question.size() > kQuestionBytes) {
    fields.refuse("messages", fmt::format("a question of at most {} bytes", kQuestionBytes));
  }
  if (request.ask.documents.size() + request.attached.size() > kMostDocuments) {
    fields.refuse("messages", fmt::format("at most {} documents", kMostDocuments));
  }
  if (!request.options.stops.empty()) fields.refuse("stop", "null where documents are asked");
  if (request.options.wants_log_probabilities) {
    fields.refuse("logprobs", "false where documents are asked");
  }
  request.ask.temperature = static_cast<double>(request.options.sampler.temperature);
  request.ask.seed = request.options.sampler.seed;
  request.ask.model = request.model;
  if (const Json* manner = fields.object("whereof")) {
    const JsonFields of_manner(*manner, "whereof");
    of_manner.only({"budget_seconds", "max_citations", "quote", "verify", "rank"});
    read_manner(of_manner, request.ask);
  }
}

}  // namespace

ChatRequest chat_request(const Json& body) {
  const JsonFields fields(body);
  fields.only(kFields);
  ChatRequest request;
  request.model = fields.text("model", kNameBytes).value_or("");
  request.user = fields.text("user", kNameBytes).value_or("");
  request.ask.documents = fields.texts("file_ids", kMostDocuments, kNameBytes);
  read_messages(fields, request);
  check_documents(fields, "file_ids", request.ask.documents);
  read_lengths(fields, request);
  read_sampling(fields, request);
  read_stops(fields, request);
  refuse_absent(fields);
  read_streaming(fields, request);
  if (request.asks_documents()) {
    read_question(fields, request);
  } else if (fields.any("whereof") != nullptr) {
    fields.refuse("whereof", "null where no documents are asked");
  }
  return request;
}

}  // namespace whereof::server
