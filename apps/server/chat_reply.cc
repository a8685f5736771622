#include "chat_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>
#include <utility>

#include "document_shelf.h"

namespace whereof::server {
namespace {

constexpr double kLeastLogProbability = -9999;  // JSON has no infinity; OpenAI says this

constexpr std::string_view kNoBasis = "No basis for an answer was found in the document.";
constexpr std::string_view kNoBasisChinese = "在文件中没有找到回答的依据。";

std::int64_t characters_in(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80;
  });
}

Json annotation_json(const Citation& citation, const GivenAnswer& given, Span characters) {
  const Document& document = *given.documents[static_cast<std::size_t>(citation.document)];
  return {{"type", "file_citation"},
          {"file_citation",
           {{"file_id", id_of(document.content_hash)},
            {"filename", document.name},
            {"start_index", characters.begin},
            {"end_index", characters.end},
            {"quote", citation.quotation_text},
            {"clause", citation.label},
            {"page_label", citation.page_label.empty() ? Json(nullptr) : Json(citation.page_label)},
            {"text_begin", citation.quotation.begin},
            {"text_end", citation.quotation.end}}}};
}

// Citations by sentence, then those of the whole that no sentence has.
Json annotations_of(const GivenAnswer& given, std::string_view content) {
  Json list = Json::array();
  std::set<std::pair<std::int32_t, std::int32_t>> seen;  // document, clause
  for (const AnswerSentence& sentence : given.answer.sentences) {
    const auto begin = static_cast<std::size_t>(sentence.text.begin);
    const auto length = static_cast<std::size_t>(sentence.text.length());
    const std::int64_t first = characters_in(content.substr(0, begin));
    const Span characters = {first, first + characters_in(content.substr(begin, length))};
    for (const Citation& citation : sentence.citations) {
      seen.emplace(citation.document, citation.clause);
      list.push_back(annotation_json(citation, given, characters));
    }
  }
  for (const Citation& citation : given.answer.citations) {
    if (seen.contains({citation.document, citation.clause})) continue;
    list.push_back(annotation_json(citation, given, {0, characters_in(content)}));
  }
  return list;
}

// Quotations, one below the other.
void quote(const GivenAnswer& given, ReplyMessage& message) {
  std::int64_t begin = 0;
  for (const Citation& citation : given.answer.citations) {
    if (!message.content.empty()) {
      message.content += "\n\n";
      begin += 2;
    }
    message.content += citation.quotation_text;
    const Span characters = {begin, begin + characters_in(citation.quotation_text)};
    message.annotations.push_back(annotation_json(citation, given, characters));
    begin = characters.end;
  }
}

Json chance_json(const TokenChance& chance) {
  Json bytes = Json::array();
  for (const char byte : chance.bytes) bytes.push_back(static_cast<unsigned char>(byte));
  return {{"token", chance.bytes},
          {"logprob", std::max(chance.log_probability, kLeastLogProbability)},
          {"bytes", bytes}};
}

Json object_json(const ReplyFrame& frame, std::string_view kind, Json choice) {
  return {{"id", frame.id},
          {"object", kind},
          {"created", frame.created},
          {"model", frame.model},
          {"system_fingerprint", nullptr},
          {"choices", Json::array({std::move(choice)})}};
}

}  // namespace

ReplyFrame ReplyFrame::made(std::string model) {
  std::random_device random;
  std::string id = "chatcmpl-";
  for (int i = 0; i < 3; ++i) id += fmt::format("{:08x}", random());
  return {std::move(id), static_cast<std::int64_t>(std::time(nullptr)), std::move(model)};
}

ReplyMessage message_of(const ChatReply& reply, bool wants_log_probabilities) {
  ReplyMessage message;
  message.content = reply.text;
  message.finish_reason = name_of(reply.finish);
  message.prompt_tokens = reply.prompt_tokens;
  message.reply_tokens = reply.reply_tokens;
  if (wants_log_probabilities) message.log_probabilities = log_probabilities_json(reply.tokens);
  return message;
}

ReplyMessage message_of(const GivenAnswer& given) {
  const Answer& answer = given.answer;
  ReplyMessage message;
  message.prompt_tokens = answer.plan.prompt_tokens;
  message.cached_tokens = std::min(answer.plan.kept_tokens, answer.plan.prompt_tokens);
  message.reply_tokens = answer.answer_tokens;
  message.finish_reason = answer.is_truncated ? "length" : "stop";
  message.whereof = given.json;
  if (answer.verdict == Verdict::no_basis) {
    message.content = answer.language == "zh" ? kNoBasisChinese : kNoBasis;
  } else if (answer.is_extract) {
    quote(given, message);
  } else {
    message.content = answer.text;
    message.annotations = annotations_of(given, message.content);
  }
  return message;
}

Json log_probabilities_json(std::span<const ChosenToken> tokens) {
  Json content = Json::array();
  for (const ChosenToken& token : tokens) {
    Json json = chance_json(token.chosen);
    json["top_logprobs"] = Json::array();
    for (const TokenChance& other : token.likeliest) {
      json["top_logprobs"].push_back(chance_json(other));
    }
    content.push_back(std::move(json));
  }
  return {{"content", content}, {"refusal", nullptr}};
}

Json usage_json(const ReplyMessage& message) {
  return {{"prompt_tokens", message.prompt_tokens},
          {"completion_tokens", message.reply_tokens},
          {"total_tokens", message.prompt_tokens + message.reply_tokens},
          {"prompt_tokens_details", {{"cached_tokens", message.cached_tokens}}}};
}

Json completion_json(const ReplyFrame& frame, const ReplyMessage& message) {
  Json json = object_json(frame, "chat.completion",
                          {{"index", 0},
                           {"message",
                            {{"role", "assistant"},
                             {"content", message.content},
                             {"refusal", nullptr},
                             {"annotations", message.annotations}}},
                           {"logprobs", message.log_probabilities},
                           {"finish_reason", message.finish_reason}});
  json["usage"] = usage_json(message);
  if (!message.whereof.is_null()) json["whereof"] = message.whereof;
  return json;
}

Json chunk_json(const ReplyFrame& frame, Json delta, std::string_view finish_reason,
                Json log_probabilities) {
  return object_json(
      frame, "chat.completion.chunk",
      {{"index", 0},
       {"delta", std::move(delta)},
       {"logprobs", std::move(log_probabilities)},
       {"finish_reason", finish_reason.empty() ? Json(nullptr) : Json(finish_reason)}});
}

}  // namespace whereof::server
