#include "http_server.h"

#include <event2/listener.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "connection.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

constexpr std::size_t kBufferedBytes = std::size_t{128} << 20;  // of answers, all clients together
constexpr std::size_t kWaitingForWorkers = 256;
constexpr int kBacklog = 1024;
constexpr int kAcceptedInTurn = 32;
constexpr std::chrono::milliseconds kTick{500};
constexpr std::chrono::seconds kLastWait{5};

struct AddressesDeleter {
  void operator()(addrinfo* addresses) const noexcept { freeaddrinfo(addresses); }
};

// A socket that listens there.
OwnedDescriptor listening_socket(const std::string& host, int port) {
  const std::string service = std::to_string(port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int code = getaddrinfo(host.c_str(), service.c_str(), &hints, &found); code != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--host {}: {}", host, gai_strerror(code)));
  }
  const std::unique_ptr<addrinfo, AddressesDeleter> addresses(found);
  OwnedDescriptor listening(
      socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (listening) setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (!listening || bind(listening.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      listen(listening.get(), kBacklog) != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("cannot listen at {} port {}: {}", host, port, std::strerror(errno)));
  }
  return listening;
}

int port_of(int descriptor) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

}  // namespace

HttpServer::HttpServer(HttpServerOptions options, const Router& router, Metrics& metrics)
    : options_(std::move(options)),
      router_(router),
      metrics_(metrics),
      access_(options_.access),
      workers_(std::make_unique<WorkerThreads>(options_.worker_threads, kWaitingForWorkers)),
      listener_(nullptr, evconnlistener_free),
      bound_host_(options_.host) {
  OwnedDescriptor listening = listening_socket(options_.host, options_.port);
  bound_port_ = port_of(listening.get());
  listener_.reset(evconnlistener_new(
      loop_->base(),
      [](evconnlistener*, evutil_socket_t descriptor, sockaddr*, int, void* self) {
        static_cast<HttpServer*>(self)->accept(descriptor);
      },
      this, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, listening.get()));
  if (!listener_) throw Error(ErrorKind::input_output, "cannot watch the listening socket");
  listening.release();
  // Out of descriptors: the socket would stay ready and the loop would spin. The tick tries again.
  evconnlistener_set_error_cb(listener_.get(), [](evconnlistener* listener, void* self) {
    evconnlistener_disable(listener);
    static_cast<HttpServer*>(self)->is_listening_paused_ = true;
  });
  metrics_.gauge("whereof_http_connections", "Open connections.",
                 [this] { return static_cast<double>(connection_count_.load()); });
  loop_->every(kTick, [this] { tick(); });
}

HttpServer::~HttpServer() {
  workers_.reset();  // handlers see the Router and the connections' loop
  connections_.clear();
  listener_.reset();
}

std::string HttpServer::url() const {
  const bool is_ipv6 = bound_host_.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("http://[{}]:{}", bound_host_, bound_port_)
                 : fmt::format("http://{}:{}", bound_host_, bound_port_);
}

void HttpServer::run() { loop_->run(); }

void HttpServer::stop() {
  loop_->post([this] { begin_to_end(); });
}

void HttpServer::accept(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  pause_accepting();
  if (connections_.size() >= options_.connections && !evict()) {
    metrics_.counter("whereof_http_refused_total", "Connections refused: all others were busy.")
        .add();
    ::close(descriptor);
    return;
  }
  const auto connection = std::make_shared<Connection>(*this, descriptor);
  if (!connection->start()) return;
  connections_.emplace(connection.get(), connection);
  connection_count_ = static_cast<std::int64_t>(connections_.size());
}

// A crowd at the door is let in by turns, each of which reads what those before have sent: else a
// client could be closed for being the oldest before its request was looked at.
void HttpServer::pause_accepting() {
  if (++accepted_in_turn_ < kAcceptedInTurn) return;
  accepted_in_turn_ = 0;
  evconnlistener_disable(listener_.get());
  loop_->post([this] {
    if (!is_ending_ && !is_listening_paused_) evconnlistener_enable(listener_.get());
  });
}

bool HttpServer::evict() {
  const auto now = Connection::Clock::now();
  Connection* slowest = nullptr;
  double least = 0;
  for (const auto& [key, connection] : connections_) {
    if (!connection->is_receiving()) continue;
    const double worth = connection->worth(now);
    if (slowest != nullptr && worth >= least) continue;
    slowest = connection.get();
    least = worth;
  }
  if (slowest == nullptr) return false;
  metrics_.counter("whereof_http_evicted_total", "Slow connections closed to make room.").add();
  slowest->close();
  return true;
}

void HttpServer::forget(const Connection* connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  // Not at once: its own callback may be running.
  loop_->post([gone = std::move(found->second)] {});
  connections_.erase(found);
  connection_count_ = static_cast<std::int64_t>(connections_.size());
  end_if_done();
}

void HttpServer::tick() {
  if (is_listening_paused_ && !is_ending_) {
    is_listening_paused_ = false;
    evconnlistener_enable(listener_.get());
  }
  const auto now = Connection::Clock::now();
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [key, connection] : connections_) all.push_back(connection);
  for (const auto& connection : all) connection->look_at_times(now);
  if (!is_ending_) return;
  if (now - ending_since_ > options_.stop_time && !has_told_to_stop_) {
    has_told_to_stop_ = true;
    for (const auto& connection : all) connection->tell_to_stop();
  }
  if (now - ending_since_ > options_.stop_time + kLastWait) loop_->end();
  end_if_done();
}

void HttpServer::begin_to_end() {
  if (is_ending_) return;
  is_ending_ = true;
  ending_since_ = Connection::Clock::now();
  evconnlistener_disable(listener_.get());
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [key, connection] : connections_) all.push_back(connection);
  for (const auto& connection : all) connection->finish();
  end_if_done();
}

void HttpServer::end_if_done() {
  if (!is_ending_) return;
  for (const auto& [key, connection] : connections_) {
    if (!connection->is_done()) return;
  }
  loop_->end();
}

bool HttpServer::may_buffer(std::size_t bytes) const {
  return buffered_bytes_ + bytes <= kBufferedBytes;
}

void HttpServer::count_response(int status) {
  metrics_
      .counter("whereof_http_responses_total", "Responses by status.",
               fmt::format("code=\"{}\"", status))
      .add();
}

}  // namespace whereof::server
