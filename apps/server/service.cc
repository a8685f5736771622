#include "service.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "document_shelf.h"
#include "file_store.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

// Held until the process ends, however it does.
OwnedDescriptor lock_library(const std::filesystem::path& library) {
  std::error_code failure;
  if (library.has_parent_path()) {
    std::filesystem::create_directories(library.parent_path(), failure);
  }
  const std::string path = library.string() + ".serve";
  OwnedDescriptor lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) {
    throw Error(ErrorKind::input_output, path + ": cannot open: " + std::strerror(errno));
  }
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const ssize_t count = pread(lock.get(), holder, sizeof holder - 1, 0);
    throw Error(ErrorKind::input_output,
                fmt::format("another server (process {}) has the library {}; give this one its own "
                            "with --library",
                            count > 0 ? holder : "unknown", library.string()));
  }
  const std::string own = std::to_string(getpid());
  if (ftruncate(lock.get(), 0) != 0 ||
      pwrite(lock.get(), own.data(), own.size(), 0) != static_cast<ssize_t>(own.size())) {
    throw Error(ErrorKind::input_output, path + ": cannot write: " + std::strerror(errno));
  }
  return lock;
}

}  // namespace

Service::Service(ServiceOptions options)
    : options_(std::move(options)), lock_(lock_library(options_.library)) {
  documents_ = std::make_unique<DocumentShelf>(options_.library);
  files_ = std::make_unique<FileStore>(options_.library.parent_path() / "files", options_.library,
                                       *documents_);
  metrics_.gauge("whereof_files_waiting", "Files that wait to be read.",
                 [this] { return static_cast<double>(files_->waiting()); });
}

Service::~Service() = default;

std::function<void()> Service::add_part(std::string name) {
  const std::lock_guard lock(mutex_);
  unready_.push_back(name);
  return [this, name = std::move(name)] {
    const std::lock_guard part_lock(mutex_);
    const auto found = std::find(unready_.begin(), unready_.end(), name);
    if (found != unready_.end()) unready_.erase(found);
  };
}

bool Service::is_ready() const {
  const std::lock_guard lock(mutex_);
  return unready_.empty();
}

}  // namespace whereof::server
