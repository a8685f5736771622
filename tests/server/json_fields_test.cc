// Bodies and fields of every wrong kind: refused with the field's name, never guessed at.
#include "server/json_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "server/http_error.h"

namespace whereof::server {
namespace {

using testing::HasSubstr;

Request request_of(std::string body, std::string type = "application/json") {
  Request request;
  request.body = std::move(body);
  request.headers = {{"content-type", std::move(type)}};
  return request;
}

int status_of_body(std::string body, std::string type = "application/json") {
  try {
    Request request = request_of(std::move(body), std::move(type));
    parse_body(request);
    return 200;
  } catch (const HttpError& error) {
    return error.status();
  }
}

std::string nested(std::size_t depth) {  // an object, and lists in it
  return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

std::string with_keys(int count) {
  std::string body = "{";
  for (int i = 0; i < count; ++i) {
    body += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  return body + "}";
}

TEST(ParseBody, Kinds) {
  EXPECT_EQ(status_of_body("{}"), 200);
  EXPECT_EQ(status_of_body(" {\"a\": [1, {\"a\": 2}]} ", "Application/JSON ; charset=utf-8"), 200);
  for (const char* type :
       {"", "text/plain", "application/jsonx", "application/x-www-form-urlencoded"}) {
    EXPECT_EQ(status_of_body("{}", type), 415) << type;
  }
  for (const char* body : {"",
                           " ",
                           "[]",
                           "null",
                           "1",
                           "\"a\"",
                           "{",
                           "{}{}",
                           "{\"a\":}",
                           "{'a':1}",
                           "{\"a\":1,}",
                           "{\"a\":NaN}",
                           "{\"a\":Infinity}",
                           "{\"a\":+1}",
                           "{\"a\":01}",
                           "{\"a\":\"\xff\"}",
                           "{\"a\":\"\xed\xa0\x80\"}",
                           "{\"a\":\"\\ud800\"}",
                           "\xef\xbb\xbf",
                           "{\"a\":\"\n\"}",
                           "//\n{}"}) {
    EXPECT_EQ(status_of_body(body), 400) << body;
  }
  EXPECT_EQ(status_of_body("{\"a\":1,\"a\":2}"), 400);
  EXPECT_EQ(status_of_body("{\"b\":{\"a\":1},\"a\":1}"), 200);
  EXPECT_EQ(status_of_body(std::string("{\"a\":\"\0\"}", 9)), 400);
}

TEST(ParseBody, TheValueIsThatOfTheText) {
  const char* body =
      "{\"z\":[1,-2,2.5,\"\\u5408\",null,true,[],{}],\"a\":{\"b\":{\"c\":[[{\"d\":"
      "18446744073709551615}]]}}}";
  Request request = request_of(body);
  EXPECT_EQ(dumped(parse_body(request)), dumped(Json::parse(body)));
  EXPECT_TRUE(request.body.empty()) << "a request that waits would hold its bytes twice";
}

TEST(ParseBody, LimitsJustUnderAndJustOver) {
  EXPECT_EQ(status_of_body(nested(64)), 200);
  EXPECT_EQ(status_of_body(nested(65)), 400);
  EXPECT_EQ(status_of_body(std::string(1'000'000, '[')), 400);
  EXPECT_EQ(status_of_body(with_keys(10'000)), 200);
  EXPECT_EQ(status_of_body(with_keys(10'001)), 400);
}

// What reading a field of this value gives: "ok", or the param and the message of its refusal.
template <typename Read>
std::string outcome(const char* value, Read read) {
  const Json object = Json::parse(std::string("{\"f\":") + value + "}");
  try {
    read(JsonFields(object, "outer"));
    return "ok";
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), 400);
    EXPECT_EQ(error.param(), "outer.f");
    return error.what();
  }
}

TEST(JsonFields, WholeNumbers) {
  const auto read = [](const JsonFields& fields) { fields.integer("f", 1, 100); };
  for (const char* good : {"1", "100", "3.0", "1e1", "null"}) EXPECT_EQ(outcome(good, read), "ok");
  for (const char* bad :
       {"0", "-1", "101", "1.5", "1e308", "-1e308", "9223372036854775808", "-9223372036854775808",
        "18446744073709551615", "\"5\"", "true", "[]", "{}", "\"\""}) {
    EXPECT_THAT(outcome(bad, read), HasSubstr("outer.f")) << bad;
    EXPECT_THAT(outcome(bad, read), HasSubstr("a whole number from 1 to 100")) << bad;
  }
  EXPECT_EQ(status_of_body("{\"f\":1e400}"), 400);
}

TEST(JsonFields, Numbers) {
  const auto read = [](const JsonFields& fields) { fields.number("f", 0, 2); };
  for (const char* good : {"0", "2", "0.5", "2e0", "-0.0", "null"})
    EXPECT_EQ(outcome(good, read), "ok");
  for (const char* bad :
       {"-0.1", "2.0001", "1e308", "\"1\"", "true", "[]", "18446744073709551615"}) {
    EXPECT_NE(outcome(bad, read), "ok") << bad;
  }
}

TEST(JsonFields, OtherKinds) {
  const auto boolean = [](const JsonFields& fields) { fields.boolean("f"); };
  const auto text = [](const JsonFields& fields) { fields.text("f", 5); };
  const auto needed = [](const JsonFields& fields) { fields.needed_text("f", 5); };
  const auto texts = [](const JsonFields& fields) { fields.texts("f", 2, 5); };
  const auto object = [](const JsonFields& fields) { fields.object("f"); };
  for (const char* value : {"0", "1", "\"true\"", "[]", "{}"}) {
    EXPECT_NE(outcome(value, boolean), "ok") << value;
  }
  for (const char* value : {"5", "true", "[]", "{}", "\"123456\""}) {
    EXPECT_NE(outcome(value, text), "ok") << value;
  }
  for (const char* value : {"null", "\"\"", "5"}) EXPECT_NE(outcome(value, needed), "ok") << value;
  for (const char* value :
       {"\"a\"", "[1]", "[null]", "[[]]", "[\"a\",\"b\",\"c\"]", "[\"123456\"]"}) {
    EXPECT_NE(outcome(value, texts), "ok") << value;
  }
  for (const char* value : {"\"a\"", "[]", "1"}) EXPECT_NE(outcome(value, object), "ok") << value;
  EXPECT_EQ(outcome("[\"a\",\"b\"]", texts), "ok");
  EXPECT_EQ(outcome("\"12345\"", text), "ok");
}

TEST(JsonFields, LongValuesAreShownInPart) {
  const std::string value = "\"" + std::string(39, 'a') + "合合" + std::string(100'000, 'a') + "\"";
  const std::string message =
      outcome(value.c_str(), [](const JsonFields& fields) { fields.boolean("f"); });
  EXPECT_LT(message.size(), 200U);
}

TEST(JsonFields, UnknownFields) {
  const Json object = {{"model", "x"}, {"modle", "y"}};
  try {
    JsonFields(object).only({"model"});
    FAIL() << "not refused";
  } catch (const HttpError& error) {
    EXPECT_EQ(error.param(), "modle");
  }
  EXPECT_THROW(JsonFields(Json::array(), "messages[0]"), HttpError);
}

}  // namespace
}  // namespace whereof::server
