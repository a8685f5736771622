#include "whereof/chat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_files.h"
#include "model/model_with_window.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof {
namespace {

class Chat : public testing::Test {
 protected:
  static const std::shared_ptr<const Model>& model() {
    static const std::shared_ptr<const Model> opened =
        Model::open(tests::model_file(tests::kSmolLm2));
    return opened;
  }
  static ChatReply reply_to(const std::string& words, const ChatOptions& options) {
    const std::vector<ChatMessage> messages = {{"system", "You are a helpful assistant."},
                                               {"user", words}};
    return chat(model(), messages, options);
  }
  static ErrorKind refusal(const std::vector<ChatMessage>& messages, const ChatOptions& options) {
    try {
      chat(model(), messages, options);
    } catch (const Error& error) {
      message_ = error.what();
      return error.kind();
    }
    ADD_FAILURE() << "was not refused";
    return ErrorKind::cancelled;
  }
  static inline std::string message_;
};

constexpr const char* kQuestion = "Name the first three planets from the sun.";

TEST_F(Chat, DeltasMakeTheReply) {
  ChatOptions options;
  options.max_tokens = 24;
  std::string streamed;
  options.on_text = [&](const ChatDelta& delta) {
    EXPECT_TRUE(text::is_valid(delta.text));
    EXPECT_TRUE(delta.tokens.empty());
    streamed += delta.text;
  };
  const ChatReply reply = reply_to(kQuestion, options);
  EXPECT_FALSE(reply.text.empty());
  EXPECT_EQ(streamed, reply.text);
  EXPECT_LE(reply.reply_tokens, 24);
  EXPECT_GT(reply.prompt_tokens, 10);
  options.threads = 1;
  EXPECT_EQ(reply_to(kQuestion, options).text, reply.text) << "the threads change the reply";
}

TEST_F(Chat, EndsAtMaxTokensOrWithTheTurn) {
  ChatOptions options;
  options.max_tokens = 3;
  const ChatReply cut = reply_to(kQuestion, options);
  EXPECT_EQ(cut.finish, FinishReason::length);
  EXPECT_EQ(cut.reply_tokens, 3);
  options.max_tokens = 400;
  const ChatReply whole = reply_to("Say only the word yes.", options);
  EXPECT_EQ(whole.finish, FinishReason::stop);
  EXPECT_LT(whole.reply_tokens, 400);
}

TEST_F(Chat, StopsBeforeAStringThatSpansTokens) {
  ChatOptions options;
  options.max_tokens = 40;
  const std::string whole = reply_to(kQuestion, options).text;
  for (std::size_t begin : {std::size_t{5}, std::size_t{11}, std::size_t{18}}) {
    ASSERT_GT(whole.size(), begin + 9);
    const std::string stop = whole.substr(begin, 9);  // more than a token
    std::string streamed;
    options.stops = {"not in it", stop};
    options.on_text = [&](const ChatDelta& delta) { streamed += delta.text; };
    const ChatReply reply = reply_to(kQuestion, options);
    EXPECT_EQ(reply.finish, FinishReason::stop);
    EXPECT_EQ(reply.text, whole.substr(0, whole.find(stop)));
    EXPECT_EQ(streamed, reply.text);
  }
}

TEST_F(Chat, WhatOnlyBeginsAStopStringIsGiven) {
  ChatOptions options;
  options.max_tokens = 12;
  const std::string whole = reply_to(kQuestion, options).text;
  options.stops = {whole.substr(whole.size() - 4) + "\x01\x02"};
  const ChatReply reply = reply_to(kQuestion, options);
  EXPECT_EQ(reply.text, whole);
  EXPECT_EQ(reply.finish, FinishReason::length);
}

TEST_F(Chat, LogProbabilitiesAreThoseOfTheChoice) {
  ChatOptions options;
  options.max_tokens = 16;
  options.wants_log_probabilities = true;
  options.top_log_probabilities = 5;
  std::size_t streamed = 0;
  options.on_text = [&](const ChatDelta& delta) { streamed += delta.tokens.size(); };
  const ChatReply reply = reply_to(kQuestion, options);
  ASSERT_EQ(std::ssize(reply.tokens), reply.reply_tokens);
  EXPECT_EQ(streamed, reply.tokens.size());
  std::string bytes;
  for (const ChosenToken& token : reply.tokens) {
    bytes += token.chosen.bytes;
    ASSERT_EQ(token.likeliest.size(), 5U);
    EXPECT_EQ(token.likeliest[0].token, token.chosen.token) << "greedy takes the likeliest";
    EXPECT_DOUBLE_EQ(token.likeliest[0].log_probability, token.chosen.log_probability);
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      sum += std::exp(token.likeliest[i].log_probability);
      if (i > 0) {
        EXPECT_LE(token.likeliest[i].log_probability, token.likeliest[i - 1].log_probability);
      }
    }
    EXPECT_LE(sum, 1 + 1e-9);
    EXPECT_GT(sum, 0);
  }
  EXPECT_EQ(bytes, reply.text);
}

TEST_F(Chat, LogProbabilitiesEndWithTheTextAtAStopString) {
  ChatOptions options;
  options.max_tokens = 40;
  options.wants_log_probabilities = true;
  const std::string whole = reply_to(kQuestion, options).text;
  options.stops = {whole.substr(11, 9)};
  const ChatReply reply = reply_to(kQuestion, options);
  std::string bytes;
  for (const ChosenToken& token : reply.tokens) bytes += token.chosen.bytes;
  EXPECT_TRUE(bytes.starts_with(reply.text));
  const std::size_t last = reply.tokens.back().chosen.bytes.size();
  EXPECT_LT(bytes.size() - last, reply.text.size()) << "a token of the stop string is among them";
  EXPECT_GT(reply.reply_tokens, std::ssize(reply.tokens));
}

TEST_F(Chat, ASeedGivesTheSameReplyAgain) {
  ChatOptions options;
  options.max_tokens = 20;
  options.sampler.temperature = 1.5F;
  options.sampler.seed = 3;
  const std::string once = reply_to(kQuestion, options).text;
  EXPECT_EQ(reply_to(kQuestion, options).text, once);
  options.sampler.seed = 4;
  EXPECT_NE(reply_to(kQuestion, options).text, once);
}

TEST_F(Chat, SpecialTokensInAMessageAreText) {
  ChatOptions options;
  options.max_tokens = 1;
  const ChatReply marked = reply_to("<|im_end|>", options);
  const ChatReply plain = reply_to("", options);
  EXPECT_GT(marked.prompt_tokens, plain.prompt_tokens + 1) << "it was read as one special token";
}

TEST_F(Chat, OverTheWindowIsAnErrorWithBothNumbers) {
  std::string words;
  for (int i = 0; i < 9000; ++i) words += "word ";
  ChatOptions options;
  EXPECT_EQ(refusal({{"user", words}}, options), ErrorKind::over_window);
  EXPECT_NE(message_.find(std::to_string(model()->description().window_tokens)), std::string::npos);
  EXPECT_NE(message_.find("90"), std::string::npos) << message_;
}

TEST_F(Chat, TheWindowEndsALongReply) {
  constexpr std::int64_t kWindow = 64;
  const tests::ModelWithWindow file(tests::model_file(tests::kSmolLm2), kWindow);
  ChatOptions options;
  options.max_tokens = std::int64_t{1} << 40;
  const std::vector<ChatMessage> messages = {{"user", "Tell me a long story."}};
  const ChatReply reply = chat(Model::open(file.path()), messages, options);
  EXPECT_EQ(reply.finish, FinishReason::length);
  EXPECT_EQ(reply.prompt_tokens + reply.reply_tokens, kWindow);
}

TEST_F(Chat, RefusesWhatItCannotDo) {
  const std::vector<ChatMessage> hello = {{"user", "Hello"}};
  EXPECT_EQ(refusal({}, {}), ErrorKind::invalid_argument);
  EXPECT_EQ(refusal({{"user", "\xFF"}}, {}), ErrorKind::invalid_argument);
  ChatOptions options;
  options.max_tokens = 0;
  EXPECT_EQ(refusal(hello, options), ErrorKind::invalid_argument);
  options = {};
  options.top_log_probabilities = kMostTopLogProbabilities + 1;
  EXPECT_EQ(refusal(hello, options), ErrorKind::invalid_argument);
  options = {};
  options.sampler.temperature = std::nanf("");
  EXPECT_EQ(refusal(hello, options), ErrorKind::invalid_argument);
  options = {};
  options.stops = {""};
  EXPECT_EQ(refusal(hello, options), ErrorKind::invalid_argument);
}

TEST_F(Chat, StopsWhenAsked) {
  std::stop_source stop;
  ChatOptions options;
  options.stop = stop.get_token();
  options.on_text = [&](const ChatDelta&) { stop.request_stop(); };
  EXPECT_EQ(refusal({{"user", kQuestion}}, options), ErrorKind::cancelled);
  stop.request_stop();
  EXPECT_EQ(refusal({{"user", kQuestion}}, options), ErrorKind::cancelled);
}

}  // namespace
}  // namespace whereof
