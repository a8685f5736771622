// The server with routes of the test's own: answers from other threads, clients that leave, ends.
#include "server/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>

#include "server/http_error.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr seconds kPatience{60};

class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience = {.tv_sec = kPatience.count(), .tv_usec = 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      ADD_FAILURE() << "cannot connect";
    }
  }
  void send(std::string_view bytes) {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void get(const std::string& path, const std::string& more = "Connection: close\r\n") {
    send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n");
  }
  // What comes until these bytes have come, or the end.
  std::string receive(std::string_view until = "never") {
    char buffer[4096];
    while (received_.find(until) == std::string::npos) {
      const ssize_t count = recv(socket_.get(), buffer, sizeof buffer, 0);
      if (count <= 0) break;
      received_.append(buffer, static_cast<std::size_t>(count));
    }
    return received_;
  }
  void leave() { socket_ = OwnedDescriptor(); }
  // Sends no more, but listens.
  void half_close() { shutdown(socket_.get(), SHUT_WR); }

 private:
  OwnedDescriptor socket_;
  std::string received_;
};

class HttpServerTest : public testing::Test {
 protected:
  void start(HttpServerOptions options = {}, bool runs = true,
             const std::string& folder = testing::TempDir()) {
    options.upload_folder = folder;
    server_.emplace(std::move(options), router_, metrics_);
    const std::string url = server_->url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
    if (runs) thread_ = std::thread([this] { server_->run(); });
  }
  void end() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  void TearDown() override {
    end();
    server_.reset();
    for (std::thread& thread : threads_) thread.join();
  }
  std::string got(const std::string& path) {
    Client client(port_);
    client.get(path);
    return client.receive();
  }

  // Of an answer at once and of a stream; goodbye(client, is_stream) has the client leave.
  template <typename Goodbye>
  void expect_work_is_stopped(Goodbye goodbye);

  Router router_;
  Metrics metrics_;
  std::optional<HttpServer> server_;
  int port_ = 0;
  std::thread thread_;
  std::vector<std::thread> threads_;  // of handlers
};

TEST_F(HttpServerTest, AnswersFromOtherThreads) {
  router_.add("GET", "/later",
              [this](const ExchangePtr& exchange) {
                threads_.emplace_back([exchange] { exchange->send_json({{"said", "later"}}); });
              },
              {.runs_on = RunsOn::loop});
  start();
  EXPECT_THAT(got("/later"), HasSubstr("{\"said\":\"later\"}"));
}

TEST_F(HttpServerTest, WhatIsThrownIsAnsweredWithoutItsInside) {
  router_.add("GET", "/own", [](const ExchangePtr&) {
    throw Error(ErrorKind::input_output, "/home/somebody/secret: cannot read");
  });
  router_.add("GET", "/other", [](const ExchangePtr&) {
    throw std::runtime_error("at /home/somebody/secret.cc:17");
  });
  router_.add("GET", "/strange", [](const ExchangePtr&) { throw 17; });
  router_.add("GET", "/none", [](const ExchangePtr&) {});
  router_.add("GET", "/user", [](const ExchangePtr&) {
    throw Error(ErrorKind::over_window, "9000 tokens, the window has 8192");
  });
  start();
  for (const char* path : {"/own", "/other", "/strange", "/none"}) {
    const std::string answer = got(path);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 ")) << path;
    EXPECT_THAT(answer, Not(HasSubstr("secret"))) << path;
  }
  EXPECT_THAT(got("/user"), HasSubstr("9000 tokens, the window has 8192"));
  EXPECT_THAT(got("/user"), HasSubstr("context_length_exceeded"));
}

TEST_F(HttpServerTest, OnlyTheFirstAnswerCounts) {
  router_.add("GET", "/twice", [](const ExchangePtr& exchange) {
    exchange->send_json({{"answer", 1}});
    exchange->send_json({{"answer", 2}});
    EXPECT_FALSE(exchange->start_events().send("late", {}));
    throw std::runtime_error("late too");
  });
  start();
  const std::string answer = got("/twice");
  EXPECT_THAT(answer, HasSubstr("{\"answer\":1}"));
  EXPECT_THAT(answer, Not(HasSubstr("late")));
}

TEST_F(HttpServerTest, EventsAndAFailureAmidThem) {
  router_.add("GET", "/events", [](const ExchangePtr& exchange) {
    const EventStream stream = exchange->start_events();
    EXPECT_TRUE(stream.send("text", {{"delta", "a\nb"}}));
    throw Error(ErrorKind::bad_document, "it breaks off");
  });
  start();
  const std::string answer = got("/events");
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_THAT(answer, HasSubstr("event: text\ndata: {\"delta\":\"a\\nb\"}\n\n"));
  EXPECT_THAT(answer, HasSubstr("event: error\ndata: {\"error\":{\"message\":\"it breaks off\""));
  EXPECT_THAT(answer, testing::EndsWith("\r\n0\r\n\r\n"));
}

TEST_F(HttpServerTest, EventsForHttp10EndWithTheConnection) {
  router_.add("GET", "/events",
              [](const ExchangePtr& exchange) { exchange->start_events().send("one", 1); });
  start();
  Client client(port_);
  client.send("GET /events HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.receive(), testing::EndsWith("\r\n\r\nevent: one\ndata: 1\n\n"));
}

TEST_F(HttpServerTest, AStreamThenAnotherRequestOnTheSameConnection) {
  router_.add("GET", "/events",
              [](const ExchangePtr& exchange) { exchange->start_events().send("one", 1); });
  start();
  Client client(port_);
  client.get("/events", "");
  client.receive("0\r\n\r\n");
  client.get("/events");
  const std::string answer = client.receive();
  EXPECT_NE(answer.find("HTTP/1.1 200", 10), std::string::npos);
}

// A handler that runs until it is told to stop.
class Endless {
 public:
  Handler handler(std::vector<std::thread>& threads, bool is_stream) {
    return [this, &threads, is_stream](const ExchangePtr& exchange) {
      threads.emplace_back([this, exchange, is_stream] {
        std::optional<EventStream> stream;
        if (is_stream) stream = exchange->start_events();
        if (stream) stream->send("begun", true);
        begun_.set_value();
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait_for(lock, exchange->stop(), kPatience, [] { return false; });
        stopped_.set_value(exchange->stop().stop_requested());
      });
    };
  }
  void wait_until_begun() { begun_.get_future().wait_for(kPatience); }
  bool was_stopped() {
    auto future = stopped_.get_future();
    return future.wait_for(kPatience) == std::future_status::ready && future.get();
  }

 private:
  std::promise<void> begun_;
  std::promise<bool> stopped_;
};

template <typename Goodbye>
void HttpServerTest::expect_work_is_stopped(Goodbye goodbye) {
  for (const bool is_stream : {false, true}) {
    Endless endless;
    const std::string path = is_stream ? "/stream" : "/work";
    router_.add("GET", path, endless.handler(threads_, is_stream), {.runs_on = RunsOn::loop});
    start();
    Client client(port_);
    client.get(path);
    endless.wait_until_begun();
    goodbye(client, is_stream);
    EXPECT_TRUE(endless.was_stopped());
    TearDown();
    threads_.clear();
  }
}

TEST_F(HttpServerTest, AClientThatLeavesStopsItsWork) {
  expect_work_is_stopped([](Client& client, bool) { client.leave(); });
}

TEST_F(HttpServerTest, AClientThatSendsNoMoreGetsItsAnswers) {
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  std::promise<bool> was_told;
  router_.add("GET", "/slow", [&](const ExchangePtr& exchange) {
    opened.wait_for(kPatience);
    was_told.set_value(exchange->stop().stop_requested());
    exchange->send_json({{"said", "slow"}});
  });
  router_.add("GET", "/now",
              [](const ExchangePtr& exchange) {
                exchange->send_json({{"said", "now"}});
              },
              {.runs_on = RunsOn::loop});
  start();
  Client client(port_);
  client.get("/slow", "");
  client.get("/now", "");
  client.half_close();
  // It is seen to be there: an interim answer comes before the answer.
  EXPECT_THAT(client.receive("\r\n\r\n"), StartsWith("HTTP/1.1 100 Continue\r\n\r\n"));
  gate.set_value();
  const std::string answers = client.receive();  // to the end: the server closes
  EXPECT_THAT(answers, HasSubstr("{\"said\":\"slow\"}"));
  EXPECT_THAT(answers, HasSubstr("{\"said\":\"now\"}"));
  EXPECT_FALSE(was_told.get_future().get());
}

TEST_F(HttpServerTest, AClientOfAnOlderHttpThatSendsNoMoreGetsItsAnswer) {
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  router_.add("GET", "/slow", [&](const ExchangePtr& exchange) {
    opened.wait_for(kPatience);
    exchange->send_json({{"stopped", exchange->stop().stop_requested()}});
  });
  start();
  Client client(port_);
  client.send("GET /slow HTTP/1.0\r\nHost: localhost\r\n\r\n");
  client.half_close();
  EXPECT_EQ(client.receive("H"), "H") << "it is seen to be there by what the answer begins with";
  gate.set_value();
  const std::string answer = client.receive();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: "));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n{\"stopped\":false}"));
}

TEST_F(HttpServerTest, AClientOfAnOlderHttpThatLeavesStopsItsWork) {
  Endless endless;
  router_.add("GET", "/work", endless.handler(threads_, false), {.runs_on = RunsOn::loop});
  start();
  Client client(port_);
  client.send("GET /work HTTP/1.0\r\nHost: localhost\r\n\r\n");
  endless.wait_until_begun();
  client.leave();
  EXPECT_TRUE(endless.was_stopped());
}

TEST_F(HttpServerTest, AStreamGoesOnToAClientThatSendsNoMore) {
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  router_.add("GET", "/events", [&](const ExchangePtr& exchange) {
    const EventStream stream = exchange->start_events();
    stream.send("one", 1);
    opened.wait_for(kPatience);
    EXPECT_TRUE(stream.send("two", 2));
  });
  start();
  Client client(port_);
  client.get("/events", "");
  client.receive("event: one");
  client.half_close();
  client.receive(": still here");
  gate.set_value();
  EXPECT_THAT(client.receive(), HasSubstr("event: two\ndata: 2\n\n"));
}

TEST_F(HttpServerTest, AClientThatSendsNoMoreAndThenLeavesStopsItsWork) {
  expect_work_is_stopped([](Client& client, bool is_stream) {
    client.half_close();
    client.receive(is_stream ? ": still here" : "100 Continue");
    client.leave();
  });
}

TEST_F(HttpServerTest, ABrokenOffRequestIsNoRequest) {
  bool was_asked = false;
  router_.add("POST", "/file", [&](const ExchangePtr&) { was_asked = true; }, {.body_bytes = 100});
  start();
  for (const char* begun :
       {"POST /fi", "POST /file HTTP/1.1\r\nHost: localhost\r\n",
        "POST /file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"}) {
    Client client(port_);
    client.send(begun);
    client.half_close();
    EXPECT_EQ(client.receive(), "") << begun;
  }
  EXPECT_FALSE(was_asked);
}

TEST_F(HttpServerTest, APartOfAnUploadThatCannotBeKeptIsAnError) {
  HttpServerOptions options;
  router_.add("POST", "/file", [](const ExchangePtr& exchange) { exchange->send_json({}); },
              {.body_bytes = 10 << 20, .is_upload = true});
  start(options, true, "/proc/nowhere");
  Client client(port_);
  client.send("POST /file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  client.send(std::string(400'000, 'a'));
  EXPECT_THAT(client.receive("\r\n"), StartsWith("HTTP/1.1 500 "));
}

TEST_F(HttpServerTest, AnUploadInPiecesIsWhole) {
  std::promise<std::int64_t> bytes;
  router_.add("POST", "/file",
              [&](const ExchangePtr& exchange) {
                const Request& request = exchange->request();
                std::string kept(static_cast<std::size_t>(request.upload_bytes), ' ');
                const ssize_t count = pread(request.upload.get(), kept.data(), kept.size(), 0);
                for (std::size_t i = 0; i < kept.size(); ++i) {
                  if (kept[i] != static_cast<char>('a' + i % 23)) break;
                  if (i + 1 == kept.size()) bytes.set_value(count);
                }
                exchange->send_json({});
              },
              {.body_bytes = 10 << 20, .is_upload = true});
  start();
  std::string body(3'000'000, ' ');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 23);
  Client client(port_);
  client.send("POST /file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n" + body);
  EXPECT_THAT(client.receive("\r\n"), StartsWith("HTTP/1.1 200 "));
  auto future = bytes.get_future();
  ASSERT_EQ(future.wait_for(seconds(0)), std::future_status::ready) << "bytes differ";
  EXPECT_EQ(future.get(), 3'000'000);
}

TEST_F(HttpServerTest, TheEndOfTheServerStopsWhatRunsTooLong) {
  Endless endless;
  router_.add("GET", "/work", endless.handler(threads_, true), {.runs_on = RunsOn::loop});
  HttpServerOptions options;
  options.stop_time = seconds(0);
  start(options);
  Client client(port_);
  client.get("/work");
  client.receive("begun");
  end();
  EXPECT_TRUE(endless.was_stopped());
}

TEST_F(HttpServerTest, TheEndOfTheServerWaitsForAnswers) {
  std::promise<ExchangePtr> taken;
  router_.add("GET", "/work", [&](const ExchangePtr& exchange) { taken.set_value(exchange); });
  start();
  Client client(port_);
  client.get("/work", "");
  ExchangePtr exchange = taken.get_future().get();
  server_->stop();
  exchange->send_json({{"done", true}});
  exchange.reset();
  EXPECT_THAT(client.receive(), HasSubstr("{\"done\":true}"));
  thread_.join();
}

TEST_F(HttpServerTest, TheTimeOfARequestEnds) {
  Endless endless;
  router_.add("GET", "/work", endless.handler(threads_, false), {.runs_on = RunsOn::loop});
  HttpServerOptions options;
  options.request_time = seconds(0);
  start(options);
  EXPECT_THAT(got("/work"), StartsWith("HTTP/1.1 504 "));
  EXPECT_TRUE(endless.was_stopped());
}

TEST_F(HttpServerTest, HeadsAndBodiesThatDoNotComeAreGivenUp) {
  router_.add("POST", "/body", [](const ExchangePtr& exchange) { exchange->send({}); },
              {.body_bytes = 100});
  HttpServerOptions options;
  options.head_time = options.idle_time = options.request_time = seconds(0);
  start(options);
  Client head(port_);
  head.send("GET / HT");
  EXPECT_THAT(head.receive(), StartsWith("HTTP/1.1 408 "));
  Client idle(port_);
  EXPECT_EQ(idle.receive(), "");
  Client body(port_);
  body.send("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_THAT(body.receive(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(HttpServerTest, AStreamThatIsNotReadIsGivenUp) {
  std::promise<bool> was_refused;
  router_.add("GET", "/flood", [&](const ExchangePtr& exchange) {
    const EventStream stream = exchange->start_events();
    const std::string text(1 << 16, 'a');
    bool is_taken = true;
    for (int i = 0; i < 10'000 && is_taken; ++i) is_taken = stream.send("text", text);
    was_refused.set_value(!is_taken);
  });
  start();
  Client client(port_);
  client.get("/flood");
  EXPECT_TRUE(was_refused.get_future().get());
}

TEST_F(HttpServerTest, ACrowdBehindAClientDoesNotPushItOut) {
  router_.add("GET", "/",
              [](const ExchangePtr& exchange) {
                exchange->send_json({{"said", "yes"}});
              },
              {.runs_on = RunsOn::loop});
  start({}, false);
  Client client(port_);
  client.get("/");
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 600; ++i) crowd.push_back(std::make_unique<Client>(port_));
  thread_ = std::thread([this] { server_->run(); });
  EXPECT_THAT(client.receive(), HasSubstr("yes"));
}

TEST_F(HttpServerTest, MoreThanTheWorkersCanDoIsRefused) {
  std::promise<void> free;
  const std::shared_future<void> is_free = free.get_future().share();
  router_.add("GET", "/work", [is_free](const ExchangePtr& exchange) {
    is_free.wait();
    exchange->send_json({{"done", true}});
  });
  HttpServerOptions options;
  options.worker_threads = 1;
  options.connections = 400;
  start(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<Client>(port_));
    clients.back()->get("/work");
  }
  int refused = 0;
  EXPECT_THAT(clients.back()->receive(), StartsWith("HTTP/1.1 503 "));
  free.set_value();
  for (auto& client : clients) refused += client->receive().starts_with("HTTP/1.1 503 ") ? 1 : 0;
  EXPECT_THAT(refused, testing::AllOf(testing::Ge(43), testing::Le(44)));
}

}  // namespace
}  // namespace whereof::server
