// read_document: starts the worker process on an open descriptor, and turns whatever it does - a
// document, an error, silence, a crash, nonsense - into a Document or an Error.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "document/readers/pdfium_library.h"
#include "document/worker_channel.h"
#include "text/utf8.h"
#include "whereof/document.h"
#include "whereof/error.h"
#include "whereof/page_image.h"

extern char** environ;

namespace whereof {
namespace {

using namespace document;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 20;
constexpr const char* kWorkerName = "whereof-document-worker";

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }

 private:
  int value_;
};

std::string system_message(int error) { return std::generic_category().message(error); }

// A file name may hold any bytes; a message is UTF-8.
std::string readable_name(const std::filesystem::path& path) {
  const std::string raw = path.filename().empty() ? path.string() : path.filename().string();
  std::string name;
  for (std::size_t at = 0; at < raw.size();) {
    const text::CodePoint point = text::decode_at(raw, at);
    text::append(name, point.value < 0x20 ? text::kReplacement : point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
  return name;
}

int open_document(const std::filesystem::path& path, const std::string& name) {
  // Not blocking: a FIFO without a writer would stop us before we could see what it is.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT || errno == ENOTDIR) {
    throw Error(ErrorKind::not_found, path.string() + ": no such file");
  }
  if (errno == ENXIO) throw Error(ErrorKind::bad_document, name + ": not a regular file");
  throw Error(ErrorKind::input_output,
              path.string() + ": cannot be opened: " + system_message(errno));
}

void require_regular_file(int descriptor, const std::string& name, std::int64_t limit) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) {
    throw Error(ErrorKind::input_output, name + ": " + system_message(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::bad_document, name + ": a directory, not a document");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::bad_document, name + ": not a regular file");
  }
  if (status.st_size == 0) throw Error(ErrorKind::bad_document, name + ": an empty file");
  if (status.st_size > limit) {
    throw Error(ErrorKind::bad_document, name + ": " + std::to_string(status.st_size) +
                                             " bytes; the limit is " + std::to_string(limit));
  }
}

std::string first_bytes(int descriptor, const std::string& name) {
  std::string bytes(4096, '\0');
  const ssize_t got = pread(descriptor, bytes.data(), bytes.size(), 0);
  if (got < 0) {
    throw Error(ErrorKind::input_output, name + ": cannot be read: " + system_message(errno));
  }
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

// The folders that may hold the worker: the running program's, those above it that hold
// libexec/whereof (an installation, a build tree), and the same for the library that holds this
// function (a Python module).
std::vector<std::filesystem::path> worker_candidates() {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  folders.push_back(std::filesystem::read_symlink("/proc/self/exe", error).parent_path());
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&worker_candidates), &info) != 0 &&
      info.dli_fname != nullptr) {
    folders.push_back(std::filesystem::absolute(info.dli_fname, error).parent_path());
  }
  std::vector<std::filesystem::path> candidates;
  for (const auto& folder : folders) {
    if (folder.empty()) continue;
    candidates.push_back(folder / kWorkerName);
    auto above = folder;
    for (int level = 0; level < 3; ++level) {
      candidates.push_back(above / "libexec" / "whereof" / kWorkerName);
      above = above.parent_path();
    }
  }
  candidates.push_back(std::filesystem::path(WHEREOF_LIBEXEC) / kWorkerName);
  return candidates;
}

std::filesystem::path find_worker(const std::filesystem::path& named) {
  if (!named.empty()) return named;
  if (const char* path = std::getenv("WHEREOF_WORKER"); path != nullptr && path[0] != '\0') {
    return path;
  }
  for (const auto& candidate : worker_candidates()) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw Error(ErrorKind::unsupported, std::string(kWorkerName) +
                                          " was found neither beside the program nor in " +
                                          WHEREOF_LIBEXEC + "; name it in WHEREOF_WORKER");
}

// The program to read pictures with; empty where none is installed.
std::filesystem::path find_tesseract(const std::filesystem::path& named) {
  if (!named.empty()) return named;
  if (const char* path = std::getenv("WHEREOF_TESSERACT"); path != nullptr && path[0] != '\0') {
    return path;
  }
  const char* const list = std::getenv("PATH");
  std::string_view rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate =
        std::filesystem::path(rest.substr(0, end)) / "tesseract";
    // A relative folder would run whatever lies where the user happens to be.
    if (candidate.is_absolute() && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

// Moves a descriptor above the numbers that the child's are put on, so that no dup2 hits another.
int above_worker_numbers(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, kWorkerPipe + 1);
}

class WorkerProcess {
 public:
  WorkerProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                int file) {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(ErrorKind::input_output, "document worker: no pipe: " + system_message(errno));
    }
    output_ = ends[0];
    const Descriptor write_end(ends[1]);
    const Descriptor file_copy(above_worker_numbers(file));
    const Descriptor pipe_copy(above_worker_numbers(write_end.get()));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
#if !defined(__SANITIZE_ADDRESS__)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#endif
    posix_spawn_file_actions_adddup2(&actions, file_copy.get(), kWorkerFile);
    posix_spawn_file_actions_adddup2(&actions, pipe_copy.get(), kWorkerPipe);
    std::vector<char*> argv;
    std::string program_name = program.string();
    argv.push_back(program_name.data());
    std::vector<std::string> own(arguments);
    for (std::string& argument : own) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int error =
        posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      process_ = -1;
      close(output_);
      throw Error(ErrorKind::unsupported,
                  "document worker: cannot start " + program_name + ": " + system_message(error));
    }
  }

  ~WorkerProcess() {
    if (process_ > 0) stop();
    close(output_);
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int output() const { return output_; }

  void stop() {
    kill(process_, SIGKILL);
    wait();
  }

  // Its status as waitpid gives it.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

 private:
  pid_t process_ = -1;
  int output_ = -1;
};

class Conversation {
 public:
  // wanted: the frame that is the answer.
  Conversation(WorkerProcess& worker, const ReadDocumentOptions& options, Frame wanted,
               std::string name)
      : worker_(worker),
        options_(options),
        wanted_(wanted),
        name_(std::move(name)),
        seconds_(options.limits.worker_wall_seconds),
        begin_(Clock::now()),
        deadline_(begin_ + std::chrono::seconds(seconds_)) {}

  // The answer's payload.
  std::string listen() {
    while (wait_for_bytes()) {
      const ssize_t got = read(worker_.output(), chunk_.data(), chunk_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      buffer_.append(chunk_.data(), static_cast<std::size_t>(got));
      take_frames();
    }
    explain_end(worker_.wait());
    return std::move(answer_);
  }

 private:
  // False never: it throws when there is no use in waiting longer.
  bool wait_for_bytes() {
    while (true) {
      if (options_.stop.stop_requested()) {
        worker_.stop();
        throw Error(ErrorKind::cancelled, name_ + ": reading was cancelled");
      }
      if (Clock::now() > deadline_) {
        worker_.stop();
        throw Error(ErrorKind::bad_document, name_ + ": took longer to read than the limit of " +
                                                 std::to_string(seconds_) + " s");
      }
      pollfd waited{worker_.output(), POLLIN, 0};
      if (poll(&waited, 1, kPollMilliseconds) > 0) return true;
    }
  }

  // A picture is being read: from now on the longer limit holds.
  void allow_recognition() {
    const int seconds = options_.limits.worker_wall_seconds + options_.limits.recognition_seconds;
    deadline_ = begin_ + std::chrono::seconds(seconds);
    seconds_ = seconds;
  }

  void take_frames() {
    while (buffer_.size() >= kFrameHeaderBytes) {
      std::uint64_t length = 0;
      std::memcpy(&length, buffer_.data() + 1, sizeof(length));
      if (length > static_cast<std::uint64_t>(options_.limits.worker_memory_bytes)) nonsense();
      if (buffer_.size() - kFrameHeaderBytes < length) return;
      take_frame(static_cast<Frame>(buffer_[0]),
                 std::string_view(buffer_).substr(kFrameHeaderBytes, length));
      buffer_.erase(0, kFrameHeaderBytes + length);
    }
  }

  void take_frame(Frame kind, std::string_view payload) {
    if (has_answer_ || has_failure_) nonsense();
    if (kind == Frame::progress && payload.size() == 16) {
      Progress progress;
      progress.phase = "reading pages";
      progress.unit = "pages";
      std::memcpy(&progress.done, payload.data(), 8);
      std::memcpy(&progress.total, payload.data() + 8, 8);
      if (options_.progress) options_.progress(progress);
    } else if (kind == Frame::recognition && payload.empty()) {
      allow_recognition();
    } else if (kind == Frame::failure && !payload.empty() &&
               static_cast<std::uint8_t>(payload[0]) <=
                   static_cast<std::uint8_t>(ErrorKind::cancelled)) {
      has_failure_ = true;
      failure_kind_ = static_cast<ErrorKind>(payload[0]);
      failure_ = payload.substr(1);
    } else if (kind == wanted_) {
      has_answer_ = true;
      answer_ = payload;
    } else {
      nonsense();
    }
  }

  [[noreturn]] void nonsense() {
    worker_.stop();
    throw Error(ErrorKind::bad_document,
                name_ + ": the document reader answered nonsense; the file may be hostile");
  }

  void explain_end(int status) const {
    const std::string memory =
        std::to_string(options_.limits.worker_memory_bytes >> 20) + " MiB of memory";
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      if (signal == SIGXCPU || signal == SIGKILL) {
        throw Error(ErrorKind::bad_document,
                    name_ + ": took more computing time to read than the limit of " +
                        std::to_string(options_.limits.worker_cpu_seconds) + " s");
      }
      throw Error(ErrorKind::bad_document, name_ + ": the document reader crashed on it (signal " +
                                               std::to_string(signal) +
                                               "); it is broken, or needs more than " + memory);
    }
    if (has_failure_) throw Error(failure_kind_, failure_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
      throw Error(ErrorKind::unsupported, "document worker: the program cannot be run");
    }
    if (!has_answer_ || !buffer_.empty() || status != 0) {
      throw Error(ErrorKind::bad_document,
                  name_ +
                      ": the document reader ended without an answer; it is broken, or needs "
                      "more than " +
                      memory);
    }
  }

  WorkerProcess& worker_;
  const ReadDocumentOptions& options_;
  Frame wanted_;
  std::string name_;
  int seconds_;  // the limit that holds
  Clock::time_point begin_, deadline_;
  std::array<char, 1 << 16> chunk_;
  std::string buffer_;
  std::string answer_;
  std::string failure_;
  ErrorKind failure_kind_ = ErrorKind::bad_document;
  bool has_answer_ = false;
  bool has_failure_ = false;
};

// Which page, counted from 1, is to be rendered; 0: none, the document is read.
struct WantedImage {
  int page = 0;
  int dots = 0;
};

std::vector<std::string> worker_arguments(DocumentType type, const std::string& name,
                                          const std::filesystem::path& pdfium,
                                          const std::filesystem::path& tesseract,
                                          const ReadLimits& limits, const WantedImage& image) {
  std::vector<std::string> arguments(kWorkerArguments - 1);
  const auto set = [&](WorkerArgument which, std::string value) {
    arguments[static_cast<std::size_t>(which - 1)] = std::move(value);
  };
  set(kArgumentType, std::to_string(static_cast<int>(type)));
  set(kArgumentName, name);
  set(kArgumentPdfium, pdfium.string());
  set(kArgumentTesseract, tesseract.string());
  set(kArgumentFileBytes, std::to_string(limits.file_bytes));
  set(kArgumentPages, std::to_string(limits.pages));
  set(kArgumentCharacters, std::to_string(limits.characters));
  set(kArgumentInflatedBytes, std::to_string(limits.inflated_bytes));
  set(kArgumentMemoryBytes, std::to_string(limits.worker_memory_bytes));
  set(kArgumentCpuSeconds, std::to_string(limits.worker_cpu_seconds));
  set(kArgumentRecognitionPageSeconds, std::to_string(limits.recognition_page_seconds));
  set(kArgumentRecognitionSeconds, std::to_string(limits.recognition_seconds));
  set(kArgumentImagePage, std::to_string(image.page));
  set(kArgumentImageDots, std::to_string(image.dots));
  return arguments;
}

// What the worker says of this file: a document, or an image where one is wanted.
std::string answer_of_worker(const std::filesystem::path& path, const std::string& name,
                             const ReadDocumentOptions& options, const WantedImage& image) {
  const Descriptor file(open_document(path, name));
  require_regular_file(file.get(), name, options.limits.file_bytes);
  const DocumentType type = document_type(path, first_bytes(file.get(), name));
  if (image.page > 0 && type != DocumentType::pdf) {
    throw Error(ErrorKind::invalid_argument, name + ": pictures are made of the pages of a PDF; " +
                                                 "this is " + std::string(name_of(type)));
  }
  std::filesystem::path pdfium;
  std::filesystem::path tesseract;
  if (type == DocumentType::pdf) {
    pdfium = find_pdfium(options.pdfium_library);
    if (options.recognizes_text && image.page == 0) tesseract = find_tesseract(options.tesseract);
  }
  const std::filesystem::path program = find_worker(options.worker_program);
  WorkerProcess worker(
      program, worker_arguments(type, name, pdfium, tesseract, options.limits, image), file.get());
  const Frame wanted = image.page > 0 ? Frame::image : Frame::document;
  return Conversation(worker, options, wanted, name).listen();
}

}  // namespace

Document read_document(const std::filesystem::path& path, const ReadDocumentOptions& options) {
  const std::string name = readable_name(path);
  Document document = parse_document(answer_of_worker(path, name, options, {}));
  document.name = name;
  document.path = path;
  return document;
}

PageImage render_page(const std::filesystem::path& path, std::int32_t page, int dots_per_inch,
                      const ReadDocumentOptions& options) {
  constexpr int kFewestDots = 10, kMostDots = 600;
  const std::string name = readable_name(path);
  if (page < 0 || page >= options.limits.pages || dots_per_inch < kFewestDots ||
      dots_per_inch > kMostDots) {
    throw Error(ErrorKind::invalid_argument,
                name + ": page " + std::to_string(page) + " at " + std::to_string(dots_per_inch) +
                    " dots an inch was wanted; pages count from 0 up to the limit of " +
                    std::to_string(options.limits.pages) + ", dots are 10 to 600");
  }
  std::string answer = answer_of_worker(path, name, options, {page + 1, dots_per_inch});
  PageImage image;
  if (answer.size() >= kImageHeaderBytes) {
    std::memcpy(&image.columns, answer.data(), 4);
    std::memcpy(&image.rows, answer.data() + 4, 4);
    std::memcpy(&image.points_a_pixel, answer.data() + 8, 4);
  }
  image.gray = answer.substr(std::min(answer.size(), kImageHeaderBytes));
  const bool is_whole =
      image.columns > 0 && image.rows > 0 && image.points_a_pixel > 0 &&
      static_cast<std::uint64_t>(image.columns) * static_cast<std::uint64_t>(image.rows) ==
          image.gray.size();
  if (!is_whole) {
    throw Error(ErrorKind::bad_document,
                name + ": the document reader answered nonsense; the file may be hostile");
  }
  return image;
}

}  // namespace whereof
