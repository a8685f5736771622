// A reply as OpenAI's clients read it: one object, or chunks of a stream.
#ifndef WHEREOF_SERVER_CHAT_REPLY_H_
#define WHEREOF_SERVER_CHAT_REPLY_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer_desk.h"
#include "exchange.h"
#include "whereof/chat.h"

namespace whereof::server {

// What all objects of one reply have in common.
struct ReplyFrame {
  std::string id;  // "chatcmpl-" and 24 random digits
  std::int64_t created = 0;
  std::string model;

  static ReplyFrame made(std::string model);
};

// What a reply says.
struct ReplyMessage {
  std::string content;
  Json annotations = Json::array();
  std::string_view finish_reason = "stop";
  std::int64_t prompt_tokens = 0;
  std::int64_t reply_tokens = 0;
  std::int64_t cached_tokens = 0;
  Json log_probabilities;  // null unless asked for
  Json whereof;            // null without documents
};

ReplyMessage message_of(const ChatReply& reply, bool wants_log_probabilities);
// The answer, or that there is no basis for one: what the model said without it is in the whereof
// object alone. Each citation of a sentence is an annotation:
//   {"type": "file_citation", "file_citation": {"file_id", "filename", "start_index", "end_index",
//    "quote", "clause", "page_label", "text_begin", "text_end"}}
// start_index .. end_index: of the sentence in the content, in characters; text_*: of the quotation
// in the document, in bytes.
ReplyMessage message_of(const GivenAnswer& given);

Json log_probabilities_json(std::span<const ChosenToken> tokens);
Json completion_json(const ReplyFrame& frame, const ReplyMessage& message);
Json usage_json(const ReplyMessage& message);
// delta: what this chunk adds; finish_reason: empty before the last.
Json chunk_json(const ReplyFrame& frame, Json delta, std::string_view finish_reason = {},
                Json log_probabilities = nullptr);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_CHAT_REPLY_H_
