// The parser in whatever pieces its bytes come: the same request, or the same refusal.
#include "server/request_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "server/utf8.h"

namespace whereof::server {
namespace {

using State = RequestParser::State;

struct Parsed {
  State state = State::head;
  std::size_t taken = 0;
  int status = 0;
  std::string target, body;
  std::size_t headers = 0;
  bool operator==(const Parsed&) const = default;
};

// Feeds the bytes in pieces of this size until the request ends.
Parsed parse(std::string_view bytes, std::size_t piece) {
  RequestParser parser;
  Parsed parsed;
  const auto is_open = [&] {
    return parser.state() == State::head || parser.state() == State::body;
  };
  while (parsed.taken < bytes.size() && is_open()) {
    std::string_view rest = bytes.substr(parsed.taken, piece);
    while (!rest.empty() && is_open()) {
      const std::size_t taken = parser.feed(rest);
      rest.remove_prefix(taken);
      parsed.taken += taken;
      parsed.body += parser.body_piece();
    }
  }
  parsed.state = parser.state();
  parsed.status = parser.failure_status();
  parsed.target = parser.request().target;
  parsed.headers = parser.request().headers.size();
  // How much of a refused request was taken depends on its pieces.
  if (parsed.state == State::failed) parsed.taken = 0;
  return parsed;
}

const std::vector<std::string> kRequests = {
    "GET /v1/files?limit=2&after=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /v1/ask HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world",
    "POST /v1/ask HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\n\r\n",
    "\r\nGET / HTTP/1.0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: "
    "chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\nHost: a\r\n\r\n",
};

TEST(RequestParser, TheSameInPiecesOfAnySize) {
  for (const std::string& request : kRequests) {
    const Parsed whole = parse(request, request.size());
    for (std::size_t piece = 1; piece < request.size(); ++piece) {
      EXPECT_EQ(parse(request, piece), whole) << request << " in pieces of " << piece;
    }
  }
  EXPECT_EQ(parse(kRequests[1], 4096).body, "hello world");
  EXPECT_EQ(parse(kRequests[2], 4096).body, "hello world");
  EXPECT_EQ(parse(kRequests[4], 4096).status, 400);
}

TEST(RequestParser, WhatFollowsARequestIsLeft) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Parsed parsed = parse(kRequests[i] + kRequests[0], 1 << 20);
    EXPECT_EQ(parsed.state, State::complete);
    EXPECT_EQ(parsed.taken, kRequests[i].size());
  }
}

TEST(RequestParser, ARequestThatIsCutIsNeverComplete) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t size = 0; size < kRequests[i].size(); ++size) {
      const State state = parse(std::string_view(kRequests[i]).substr(0, size), 4096).state;
      EXPECT_TRUE(state == State::head || state == State::body) << size << " of " << kRequests[i];
    }
  }
}

TEST(RequestParser, ChangedBytesGiveTheSameInPieces) {
  constexpr std::uint32_t kSeed = 20261130;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    std::string request = kRequests[random() % kRequests.size()];
    for (std::uint32_t change = random() % 4; change > 0; --change) {
      request[random() % request.size()] = static_cast<char>(random());
    }
    EXPECT_EQ(parse(request, 1 + random() % 40), parse(request, request.size())) << request;
  }
}

TEST(RequestParser, WhatItReads) {
  RequestParser parser;
  parser.feed(
      "GET /v1/%66iles?a=1%262&b=x+y&c HTTP/1.1\r\nHost: a\r\nX-Name: \t value \r\n"
      "Connection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  ASSERT_EQ(parser.state(), State::body);
  const Request& request = parser.request();
  EXPECT_EQ(request.path, "/v1/files");
  EXPECT_EQ(request.query.at("a"), "1&2");
  EXPECT_EQ(request.query.at("b"), "x y");
  EXPECT_EQ(request.query.at("c"), "");
  EXPECT_EQ(request.header("x-name"), "value");
  EXPECT_EQ(request.header("absent"), std::nullopt);
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_FALSE(parser.keeps_connection());
  EXPECT_EQ(parser.content_length(), 3);
}

TEST(RequestParser, ALargeBodyIsNotKept) {
  RequestParser parser;
  parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n");
  const std::string piece(1000, 'a');
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(parser.feed(piece), piece.size());
    EXPECT_EQ(parser.body_piece().size(), piece.size());
  }
  EXPECT_EQ(parser.body_bytes(), 100'000);
}

TEST(PercentDecoded, EscapesAndUtf8) {
  EXPECT_EQ(percent_decoded("a%20b+c", true), "a b c");
  EXPECT_EQ(percent_decoded("a%20b+c", false), "a b+c");
  EXPECT_EQ(percent_decoded("%E5%90%88", false), "合");
  for (const char* broken : {"%", "%4", "%zz", "%00", "%ff", "%c0%80", "%ed%a0%80", "%f5%80%80%80",
                             "%e5%90", "%e0%80%80"}) {
    EXPECT_EQ(percent_decoded(broken, false), std::nullopt) << broken;
  }
}

}  // namespace
}  // namespace whereof::server
