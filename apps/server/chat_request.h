// What POST /v1/chat/completions asks for, in OpenAI's words.
#ifndef WHEREOF_SERVER_CHAT_REQUEST_H_
#define WHEREOF_SERVER_CHAT_REQUEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ask_request.h"
#include "exchange.h"
#include "whereof/chat.h"

namespace whereof::server {

// A file that came with the request itself.
struct AttachedFile {
  std::string name;   // of a file, without folders
  std::string bytes;  // decoded
};

struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::vector<AttachedFile> attached;
  // For chat: max_tokens, sampler, stops, log probabilities.
  ChatOptions options;
  // For a question to documents: file_ids, the user's messages, and how it is answered.
  AskRequest ask;
  std::string model;
  std::string user;
  bool streams = false;
  bool includes_usage = false;  // stream_options.include_usage

  bool asks_documents() const noexcept { return !ask.documents.empty() || !attached.empty(); }
};

// Documents are named by "file_ids", by content parts {"type": "file", "file": {"file_id"}} or
// {"file": {"filename", "file_data": "data:...;base64,..."}}. Throws HttpError(400) that names the
// field: also for what OpenAI has and this server has not (tools, several choices, penalties, other
// formats than text).
ChatRequest chat_request(const Json& body);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_CHAT_REQUEST_H_
