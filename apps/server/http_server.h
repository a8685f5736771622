// The server: connections on one thread, each request given to its route.
#ifndef WHEREOF_SERVER_HTTP_SERVER_H_
#define WHEREOF_SERVER_HTTP_SERVER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "access.h"
#include "loop.h"
#include "metrics.h"
#include "router.h"
#include "worker_threads.h"

struct evconnlistener;

namespace whereof::server {

class Connection;

struct HttpServerOptions {
  std::string host = "127.0.0.1";  // an address or a name
  int port = 0;                    // 0: any that is free
  AccessRules access;
  std::filesystem::path upload_folder;  // where uploads lie, nameless, while they come in
  std::size_t connections = 256;
  std::chrono::seconds head_time{10};      // from a request's first byte to the end of its head
  std::chrono::seconds idle_time{60};      // between requests
  std::chrono::seconds write_time{30};     // without a byte taken by the client
  std::chrono::seconds request_time{600};  // from the end of the head to the end of the answer
  std::chrono::seconds stop_time{10};      // running requests have this long when the server ends
  std::size_t worker_threads = 4;  // a page that takes long to draw must not hold up the others
};

// All members belong to the loop's thread once run() is called, but for stop().
class HttpServer {
 public:
  // Binds and listens. Throws Error: invalid_argument (a host that is not this machine's, a port in
  // use), input_output. router and metrics outlive the server.
  HttpServer(HttpServerOptions options, const Router& router, Metrics& metrics);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // "http://127.0.0.1:8717"
  std::string url() const;
  // Until stop().
  void run();
  // Any thread: no new connections; what runs may end within stop_time, is then told to stop, and
  // run() returns at the latest 5 s after that.
  void stop();

 private:
  friend class Connection;

  void accept(int descriptor);
  void pause_accepting();
  // Makes room: the connection that has been slowest to send its request goes. False: all are busy.
  bool evict();
  void tick();
  void begin_to_end();
  void end_if_done();
  void forget(const Connection* connection);
  bool may_buffer(std::size_t bytes) const;
  void count_response(int status);

  const HttpServerOptions options_;
  const Router& router_;
  Metrics& metrics_;
  const Access access_;
  std::shared_ptr<Loop> loop_ = std::make_shared<Loop>();
  std::unique_ptr<WorkerThreads> workers_;
  std::unique_ptr<evconnlistener, void (*)(evconnlistener*)> listener_;
  std::string bound_host_;
  int bound_port_ = 0;
  std::unordered_map<const Connection*, std::shared_ptr<Connection>> connections_;
  std::atomic<std::int64_t> connection_count_ = 0;
  std::size_t buffered_bytes_ = 0;  // of all answers that clients have not taken yet
  int accepted_in_turn_ = 0;
  bool is_listening_paused_ = false;
  bool is_ending_ = false;
  std::chrono::steady_clock::time_point ending_since_;
  bool has_told_to_stop_ = false;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_HTTP_SERVER_H_
