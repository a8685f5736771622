#include "retrieval/library_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>

#include "whereof/error.h"

namespace whereof::retrieval {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int system_error) {
  const ErrorKind kind = system_error == ENOSPC || system_error == EDQUOT ? ErrorKind::out_of_space
                                                                          : ErrorKind::input_output;
  throw Error(kind, "library " + path.string() + ": " + std::strerror(system_error));
}

}  // namespace

void make_library_file(const std::filesystem::path& file) {
  std::error_code error;
  if (file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) fail(file.parent_path(), error.value());
  }
  if (::mknod(file.c_str(), S_IFREG | 0600, 0) == 0) return;
  if (errno != EEXIST) fail(file, errno);
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) fail(file, errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::input_output, "library " + file.string() + ": not a regular file");
  }
}

bool has_log(const Database& database) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr std::size_t kVersions = 18;  // how to write and to read the file; 2: with a log
  const std::string head = database.head(kVersions + 2);
  if (head.empty()) return false;
  if (!head.starts_with(kMagic)) database.fail_as_corrupt("not an SQLite file");
  return head.substr(kVersions) == "\2\2";
}

CreationLock::CreationLock(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) return;
  constexpr std::chrono::milliseconds kPause(5);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (::flock(folder_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (std::chrono::steady_clock::now() > deadline) return;
    std::this_thread::sleep_for(kPause);
  }
}

CreationLock::~CreationLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace whereof::retrieval
