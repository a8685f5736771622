#include "document/recognition_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "document/sandbox.h"

namespace whereof::document {
namespace {

constexpr std::uint64_t kMostPicture = 64ULL << 20;
constexpr std::size_t kMostTable = 16 << 20;
constexpr std::uint64_t kNoTable = ~0ULL;
constexpr int kRenderSeconds = 2;  // computing time the reader gets for each picture

struct Request {
  std::uint32_t kind = 0;
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;
};

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bool send_all(int descriptor, const void* bytes, std::size_t length) {
  const char* at = static_cast<const char*>(bytes);
  while (length > 0) {
    const ssize_t sent = write(descriptor, at, length);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    length -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int descriptor, void* bytes, std::size_t length) {
  char* at = static_cast<char*>(bytes);
  while (length > 0) {
    const ssize_t got = read(descriptor, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    length -= static_cast<std::size_t>(got);
  }
  return true;
}

// Strings that execve reads, laid out before the fork.
struct Command {
  Command(const std::string& program, RecognitionRequest request) : strings{program} {
    if (request == RecognitionRequest::languages) {
      strings.insert(strings.end(), {"--list-langs"});
    } else {
      const char* const data = request == RecognitionRequest::chinese ? "chi_sim" : "eng";
      strings.insert(strings.end(),
                     {"stdin", "stdout", "-l", data, "--dpi", "300", "--psm", "3", "tsv"});
    }
    variables = {"LC_ALL=C", "OMP_THREAD_LIMIT=1"};
    if (const char* folder = std::getenv("TESSDATA_PREFIX")) {
      variables.push_back(std::string("TESSDATA_PREFIX=") + folder);
    }
    for (std::string& each : strings) arguments.push_back(each.data());
    for (std::string& each : variables) environment.push_back(each.data());
    arguments.push_back(nullptr);
    environment.push_back(nullptr);
  }
  std::vector<std::string> strings, variables;
  std::vector<char*> arguments, environment;
};

// In the child: never returns.
[[noreturn]] void become_tesseract(const Command& command, int in, int out,
                                   const RecognitionProcess::Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  if (nothing >= 0) dup2(nothing, STDERR_FILENO);
  close_descriptors_from(STDERR_FILENO + 1);
  limit_resources(limits.memory_bytes, limits.page_seconds);
  refuse_system_calls(SystemCalls::of_tesseract);
  execve(command.strings.front().c_str(), command.arguments.data(), command.environment.data());
  _exit(127);
}

// Writes the picture and reads the table side by side; false when time or room ran out.
bool exchange(int in, int out, std::string_view picture, std::int64_t deadline,
              std::string& table) {
  fcntl(in, F_SETFL, O_NONBLOCK);
  std::array<char, 1 << 16> chunk;
  bool is_open = true;  // the end that takes the picture
  while (true) {
    if (is_open && picture.empty()) {
      close(in);
      is_open = false;
    }
    std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {is_open ? in : -1, POLLOUT, 0}}};
    const std::int64_t left = deadline - now_ms();
    const int ready = left <= 0 ? 0 : poll(ends.data(), ends.size(), static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    if (is_open && ends[1].revents != 0) {
      const ssize_t sent = write(in, picture.data(), picture.size());
      if (sent > 0) picture.remove_prefix(static_cast<std::size_t>(sent));
      // It has what it wants, or is gone: its answer or its end will tell.
      if (sent < 0 && errno != EINTR && errno != EAGAIN) picture = {};
    }
    if (ends[0].revents == 0) continue;
    const ssize_t got = read(out, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (is_open) close(in);
      return got == 0;
    }
    if (table.size() + static_cast<std::size_t>(got) > kMostTable) break;
    table.append(chunk.data(), static_cast<std::size_t>(got));
  }
  if (is_open) close(in);
  return false;
}

std::optional<std::string> run_tesseract(const std::string& program, RecognitionRequest request,
                                         std::string_view picture,
                                         const RecognitionProcess::Limits& limits) {
  const Command command(program, request);
  std::array<int, 2> in{-1, -1}, out{-1, -1};
  if (pipe2(in.data(), O_CLOEXEC) != 0) return std::nullopt;
  if (pipe2(out.data(), O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return std::nullopt;
  }
  const pid_t child = fork();
  if (child == 0) become_tesseract(command, in[0], out[1], limits);
  close(in[0]);
  close(out[1]);
  std::string table;
  bool is_whole = false;
  if (child > 0) {
    is_whole = exchange(in[1], out[0], picture, now_ms() + limits.page_seconds * 1000LL, table);
    if (!is_whole) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    is_whole = is_whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  } else {
    close(in[1]);
  }
  close(out[0]);
  return is_whole ? std::optional(std::move(table)) : std::nullopt;
}

// Rendering a picture costs the reader computing time that its limit did not foresee.
void lengthen_limit(pid_t reader) {
  rlimit limit{};
  if (prlimit(reader, RLIMIT_CPU, nullptr, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  limit.rlim_cur = std::min(limit.rlim_cur + kRenderSeconds, limit.rlim_max);
  prlimit(reader, RLIMIT_CPU, &limit, nullptr);
}

[[noreturn]] void serve(int socket, pid_t reader, const std::string& program,
                        const RecognitionProcess::Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != reader) _exit(0);
  signal(SIGPIPE, SIG_IGN);
  limit_resources(limits.memory_bytes, limits.all_seconds);
  Request request;
  std::string picture;
  while (receive_all(socket, &request, sizeof(request))) {
    if (request.bytes > kMostPicture ||
        request.kind > static_cast<std::uint32_t>(RecognitionRequest::chinese)) {
      break;
    }
    picture.resize(static_cast<std::size_t>(request.bytes));
    if (!receive_all(socket, picture.data(), picture.size())) break;
    lengthen_limit(reader);
    const auto table =
        run_tesseract(program, static_cast<RecognitionRequest>(request.kind), picture, limits);
    const std::uint64_t length = table ? table->size() : kNoTable;
    if (!send_all(socket, &length, sizeof(length))) break;
    if (table && !send_all(socket, table->data(), table->size())) break;
  }
  _exit(0);
}

}  // namespace

RecognitionProcess::RecognitionProcess(std::string tesseract, Limits limits,
                                       std::function<void()> about_to_wait)
    : limits_(limits), about_to_wait_(std::move(about_to_wait)) {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  const pid_t reader = getpid();
  const pid_t child = fork();
  if (child == 0) {
    // Put on a low number of its own, so that all others can be closed.
    const int socket = dup2(ends[1], STDERR_FILENO + 1);
    close_descriptors_from(STDERR_FILENO + 2);
    serve(socket, reader, tesseract, limits);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return;
  }
  socket_ = ends[0];
}

RecognitionProcess::~RecognitionProcess() {
  if (socket_ >= 0) close(socket_);
}

std::optional<std::string> RecognitionProcess::ask(RecognitionRequest request,
                                                   std::string_view picture) {
  if (socket_ < 0) return std::nullopt;
  if (deadline_ms_ == 0) deadline_ms_ = now_ms() + limits_.all_seconds * 1000LL;
  if (now_ms() > deadline_ms_) return std::nullopt;
  if (about_to_wait_) about_to_wait_();
  const Request header{static_cast<std::uint32_t>(request), 0, picture.size()};
  std::uint64_t length = kNoTable;
  std::string table;
  const bool is_asked = send_all(socket_, &header, sizeof(header)) &&
                        send_all(socket_, picture.data(), picture.size()) &&
                        receive_all(socket_, &length, sizeof(length));
  bool is_whole = is_asked && length <= kMostTable;
  if (is_whole) {
    table.resize(static_cast<std::size_t>(length));
    is_whole = receive_all(socket_, table.data(), table.size());
  }
  if (!is_asked || (!is_whole && length != kNoTable)) {
    close(socket_);
    socket_ = -1;
  }
  return is_whole ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace whereof::document
