// Bodies of /v1/ask, /v1/why and /v1/chat/completions: what is taken, what is refused by name.
#include "server/ask_request.h"

#include <gtest/gtest.h>

#include "server/base64.h"
#include "server/chat_request.h"
#include "server/http_error.h"

namespace whereof::server {
namespace {

// The field that a refusal names; "taken" where there was none.
template <typename Parse>
std::string refused_field(const Parse& parse, const Json& body) {
  try {
    parse(body);
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), 400) << error.what();
    return error.param();
  }
  return "taken";
}

const Json kAsk = {{"document", "file-0"}, {"question", "Who pays?"}};
const Json kWhy = {{"document", "file-0"}, {"question", "Who pays?"}, {"clause", "3.1"}};
const Json kChat = {{"messages", Json::array({{{"role", "user"}, {"content", "Hello"}}})}};

Json with(Json body, const std::string& name, const std::string& value) {
  body[name] = Json::parse(value);
  return body;
}

TEST(AskRequest, HasTheDefaultsOfTheCommandLine) {
  const AskRequest request = ask_request(kAsk);
  EXPECT_EQ(request.documents, std::vector<std::string>{"file-0"});
  EXPECT_EQ(request.budget_seconds, 60);
  EXPECT_EQ(request.max_tokens, 256);
  EXPECT_EQ(request.max_citations, 5);
  EXPECT_EQ(request.temperature, 0);
  EXPECT_TRUE(request.streams);
  EXPECT_FALSE(request.asks_all);
}

TEST(AskRequest, RefusesEveryWrongNumberByName) {
  const std::vector<std::string> wrong = {
      "-1", "1e308", "9223372036854775808", "-9.5", "\"5\"", "\"NaN\"", "[]", "{}", "true"};
  for (const char* name :
       {"budget_seconds", "max_tokens", "max_citations", "temperature", "seed"}) {
    for (const std::string& value : wrong) {
      EXPECT_EQ(refused_field(ask_request, with(kAsk, name, value)), name) << value;
      EXPECT_EQ(refused_field(why_request, with(kWhy, name, value)), name) << value;
    }
    EXPECT_EQ(refused_field(ask_request, with(kAsk, name, "null")), "taken") << name;
  }
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "max_tokens", "0")), "max_tokens");
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "max_tokens", "1.5")), "max_tokens");
}

TEST(AskRequest, RefusesEveryWrongKindByName) {
  for (const char* name : {"quote", "verify", "rank", "stream"}) {
    EXPECT_EQ(refused_field(ask_request, with(kAsk, name, "1")), name);
  }
  for (const char* name : {"question", "document", "model", "user", "expect"}) {
    EXPECT_EQ(refused_field(ask_request, with(kAsk, name, "7")), name);
  }
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "hide", "\"3.1\"")), "hide");
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "earlier", "\"Who delivers?\"")), "earlier");
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "hide", "[\"\"]")), "hide");
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "question", "\"  \\n\"")), "question");
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "surprise", "1")), "surprise");
}

TEST(AskRequest, TakesOneDocumentSeveralOrAll) {
  Json body = kAsk;
  body.erase("document");
  EXPECT_EQ(refused_field(ask_request, body), "document");
  EXPECT_TRUE(ask_request(with(body, "documents", "\"all\"")).asks_all);
  EXPECT_EQ(ask_request(with(body, "documents", "[\"file-1\", \"file-2\"]")).documents.size(), 2U);
  for (const char* wrong : {"\"some\"", "[]", "[1]", "[\"file-1\", \"file-1\"]", "{}"}) {
    EXPECT_EQ(refused_field(ask_request, with(body, "documents", wrong)), "documents") << wrong;
  }
  EXPECT_EQ(refused_field(ask_request, with(kAsk, "documents", "\"all\"")), "documents");
  Json all = with(body, "documents", "\"all\"");
  EXPECT_EQ(refused_field(ask_request, with(all, "hide", "[\"3\"]")), "hide");
  EXPECT_EQ(refused_field(ask_request, with(all, "expect", "\"3\"")), "expect");
}

TEST(AskRequest, AQuotationIsNeitherVerifiedNorExpected) {
  const Json quote = with(kAsk, "quote", "true");
  EXPECT_EQ(refused_field(ask_request, with(quote, "verify", "true")), "verify");
  EXPECT_EQ(refused_field(ask_request, with(quote, "expect", "\"3\"")), "expect");
}

TEST(AskRequest, WhyNamesAClauseOrWords) {
  EXPECT_EQ(why_request(kWhy).expected_is, AskRequest::Expected::clause);
  EXPECT_EQ(refused_field(why_request, with(kWhy, "text", "\"words\"")), "text");
  Json body = kWhy;
  body.erase("clause");
  EXPECT_EQ(refused_field(why_request, body), "clause");
  EXPECT_EQ(why_request(with(body, "text", "\"words\"")).expected_is, AskRequest::Expected::words);
}

TEST(ChatRequest, TakesWhatClientsSend) {
  Json body = kChat;
  body["model"] = "some";
  body["max_completion_tokens"] = 7;
  body["stop"] = Json::array({"a", "b"});
  body["seed"] = -3;
  body["n"] = 1;
  body["presence_penalty"] = 0.0;
  body["tools"] = Json::array();
  body["response_format"] = {{"type", "text"}};
  body["stream"] = true;
  body["stream_options"] = {{"include_usage", true}};
  body["metadata"] = {{"any", "thing"}};
  const Json before = {{"role", "developer"}, {"content", "Be short."}};
  body["messages"].insert(body["messages"].begin(), before);
  body["messages"].push_back({{"role", "assistant"}, {"content", nullptr}});
  const ChatRequest request = chat_request(body);
  EXPECT_EQ(request.options.max_tokens, 7);
  EXPECT_EQ(request.options.stops.size(), 2U);
  EXPECT_EQ(request.options.sampler.temperature, 0) << "the same question, the same answer";
  EXPECT_TRUE(request.streams);
  EXPECT_TRUE(request.includes_usage);
  ASSERT_EQ(request.messages.size(), 3U);
  EXPECT_EQ(request.messages[0].role, "system");
  EXPECT_FALSE(request.asks_documents());
}

TEST(ChatRequest, RefusesByNameWhatWouldChangeTheReply) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"n", "2"},
      {"presence_penalty", "0.5"},
      {"logit_bias", "{\"5\": 1}"},
      {"tools", "[{}]"},
      {"response_format", "{\"type\": \"json_object\"}"},
      {"temperature", "2.5"},
      {"temperature", "-1"},
      {"top_p", "1e308"},
      {"max_tokens", "0"},
      {"max_tokens", "9223372036854775808"},
      {"max_completion_tokens", "\"7\""},
      {"seed", "1.5"},
      {"stop", "[\"\"]"},
      {"stop", "[\"a\", \"b\", \"c\", \"d\", \"e\"]"},
      {"logprobs", "1"},
      {"top_logprobs", "3"},
      {"stream", "\"yes\""},
      {"stream_options", "{\"include_usage\": true}"},
      {"messages", "[]"},
      {"messages", "null"},
      {"messages", "\"Hello\""},
      {"file_ids", "[\"file-1\", \"file-1\"]"},
      {"whereof", "{}"},
      {"surprise", "1"},
  };
  for (const auto& [name, value] : wrong) {
    const std::string field = refused_field(chat_request, with(kChat, name, value));
    EXPECT_TRUE(field.starts_with(name)) << name << " " << value << ": " << field;
  }
  const auto message = [](const char* value) {
    return with(kChat, "messages", "[" + std::string(value) + "]");
  };
  EXPECT_EQ(refused_field(chat_request, message(R"({"role": "tool", "content": "x"})")),
            "messages[0].role");
  EXPECT_EQ(refused_field(chat_request, message(R"({"content": "x"})")), "messages[0].role");
  EXPECT_EQ(refused_field(chat_request, message(R"({"role": "user", "content": 7})")),
            "messages[0].content");
  EXPECT_EQ(refused_field(chat_request,
                          message(R"({"role": "user", "content": [{"type": "image_url"}]})")),
            "messages[0].content[0].type");
  EXPECT_EQ(refused_field(chat_request, message("7")), "messages[0]");
}

TEST(ChatRequest, FindsDocumentsAndTheLastQuestion) {
  Json body = with(kChat, "file_ids", "[\"file-1\"]");
  body["messages"] = Json::parse(R"([
      {"role": "user", "content": "Who delivers?"},
      {"role": "assistant", "content": "The Supplier."},
      {"role": "user", "content": [
          {"type": "text", "text": "Who pays?"},
          {"type": "file", "file": {"file_id": "file-2"}},
          {"type": "file", "file": {"filename": "../a/b.txt",
                                    "file_data": "data:text/plain;base64,SGVsbG8="}}]}])");
  body["whereof"] = {{"budget_seconds", 9}, {"verify", true}};
  const ChatRequest request = chat_request(body);
  EXPECT_TRUE(request.asks_documents());
  EXPECT_EQ(request.ask.documents, (std::vector<std::string>{"file-1", "file-2"}));
  EXPECT_EQ(request.ask.question, "Who pays?");
  EXPECT_EQ(request.ask.earlier, std::vector<std::string>{"Who delivers?"}) << "no answer";
  EXPECT_EQ(request.ask.budget_seconds, 9);
  EXPECT_TRUE(request.ask.verifies);
  ASSERT_EQ(request.attached.size(), 1U);
  EXPECT_EQ(request.attached[0].bytes, "Hello");
  EXPECT_EQ(request.attached[0].name.find('/'), std::string::npos) << request.attached[0].name;
  for (const char* name : {"stop", "logprobs"}) {
    EXPECT_EQ(refused_field(chat_request,
                            with(body, name, std::string(name) == "stop" ? "\"a\"" : "true")),
              name);
  }
  EXPECT_EQ(refused_field(chat_request, with(body, "whereof", "{\"budget_seconds\": -1}")),
            "whereof.budget_seconds");
}

TEST(ChatRequest, AnAttachedFileIsADataUrl) {
  const auto attached = [](const char* url) {
    Json body = kChat;
    body["messages"][0]["content"] =
        Json::array({{{"type", "file"}, {"file", {{"filename", "a.txt"}, {"file_data", url}}}},
                     {{"type", "text"}, {"text", "Who?"}}});
    return refused_field(chat_request, body);
  };
  EXPECT_EQ(attached("data:text/plain;base64,SGVsbG8="), "taken");
  for (const char* wrong : {"SGVsbG8=", "data:text/plain,Hello", "data:;base64,", "data:;base64,S",
                            "data:;base64,SGVsbG8", "data:;base64,SGVs bG8=", "http://a/b.txt"}) {
    EXPECT_EQ(attached(wrong), "messages[0].content[0].file.file_data") << wrong;
  }
}

TEST(Base64, DecodesWhatIsExactlyAnEncoding) {
  EXPECT_EQ(decoded_base64(""), "");
  EXPECT_EQ(decoded_base64("AA=="), std::string(1, '\0'));
  EXPECT_EQ(decoded_base64("/+8="), "\xFF\xEF");
  EXPECT_EQ(decoded_base64("YWJj"), "abc");
  for (const char* wrong : {"A", "AA", "AAA", "AB==", "AAB=", "=AAA", "A===", "AA=A", "AA-_"}) {
    EXPECT_FALSE(decoded_base64(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace whereof::server
