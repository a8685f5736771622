#include "model/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "whereof/error.h"

namespace whereof::model {

// Nodes of a list that only grows; a closed file's node is used again. The handler may look at it
// at any moment, so every field is a lock-free atomic and nothing is ever freed.
struct MappedRegion {
  std::atomic<std::uintptr_t> begin{0};  // 0: not in use
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> is_damaged{false};
  MappedRegion* next = nullptr;
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

namespace {

std::atomic<MappedRegion*> first_region{nullptr};
std::mutex registry_mutex;  // held by those who add and release, never by the handler
struct sigaction previous_action = {};

MappedRegion* region_at(std::uintptr_t address) noexcept {
  for (MappedRegion* region = first_region.load(std::memory_order_acquire); region != nullptr;
       region = region->next) {
    const std::uintptr_t begin = region->begin.load(std::memory_order_acquire);
    const std::uintptr_t end = region->end.load(std::memory_order_acquire);
    // The same begin twice: the node was not given to another file between the two loads.
    if (begin == 0 || begin != region->begin.load(std::memory_order_acquire)) continue;
    if (address >= begin && address < end) return region;
  }
  return nullptr;
}

void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
    return;
  }
  const bool is_fault = info->si_code > 0;  // else another process sent it
  if (previous_action.sa_handler == SIG_IGN && !is_fault) return;
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
    return;
  }
  struct sigaction default_action = {};
  default_action.sa_handler = SIG_DFL;
  sigaction(signal, &default_action, nullptr);
  raise(signal);  // ends the process once this handler has returned
}

// Calls system calls only: all that is allowed in a handler.
void on_bus_error(int signal, siginfo_t* info, void* context) noexcept {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  MappedRegion* region = info->si_code > 0 ? region_at(address) : nullptr;
  if (region == nullptr) {
    pass_on(signal, info, context);
    errno = saved_errno;
    return;
  }
  region->is_damaged.store(true, std::memory_order_release);
  const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t page = address / page_bytes * page_bytes;
  const std::uintptr_t end = region->end.load(std::memory_order_acquire);
  // The bare system call: a sanitizer's wrapper of mmap is not made for signal handlers.
  const long zeros = syscall(SYS_mmap, page, end - page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (zeros == -1) pass_on(signal, info, context);
  errno = saved_errno;
}

void install_handler() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous_action);
}

MappedRegion* register_region(std::span<const std::byte> bytes) {
  const std::scoped_lock lock(registry_mutex);
  static std::once_flag handler_installed;
  std::call_once(handler_installed, install_handler);
  MappedRegion* region = first_region.load(std::memory_order_acquire);
  while (region != nullptr && region->begin.load(std::memory_order_relaxed) != 0) {
    region = region->next;
  }
  const bool is_new = region == nullptr;
  if (is_new) region = new MappedRegion;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  region->is_damaged.store(false, std::memory_order_relaxed);
  region->end.store(begin + bytes.size(), std::memory_order_release);
  region->begin.store(begin, std::memory_order_release);
  if (is_new) {
    region->next = first_region.load(std::memory_order_relaxed);
    first_region.store(region, std::memory_order_release);
  }
  return region;
}

void release_region(MappedRegion* region) noexcept {
  const std::scoped_lock lock(registry_mutex);
  region->begin.store(0, std::memory_order_release);
}

[[noreturn]] void throw_errno(const std::filesystem::path& path, const char* action, int error) {
  const ErrorKind kind =
      error == ENOENT || error == ENOTDIR ? ErrorKind::not_found : ErrorKind::input_output;
  throw Error(kind,
              path.string() + ": cannot " + action + ": " + std::generic_category().message(error));
}

// Closes the descriptor unless it is handed on.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const noexcept { return number_; }
  int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.number() < 0) throw_errno(path, "open", errno);
  struct stat status = {};
  if (fstat(descriptor.number(), &status) != 0) throw_errno(path, "stat", errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::bad_model, path.string() + ": is " +
                                          (S_ISDIR(status.st_mode) ? "a directory" : "no file") +
                                          ", wanted a regular file");
  }
  if (status.st_size == 0) throw Error(ErrorKind::bad_model, path.string() + ": is empty");
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
  if (address == MAP_FAILED) throw_errno(path, "map", errno);
  bytes_ = {static_cast<const std::byte*>(address), size};
  try {
    region_ = register_region(bytes_);
  } catch (...) {
    munmap(address, size);
    throw;
  }
  descriptor_ = descriptor.release();
}

MappedFile::~MappedFile() {
  release_region(region_);
  munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  close(descriptor_);
}

bool MappedFile::is_intact() const noexcept {
  if (region_->is_damaged.load(std::memory_order_acquire)) return false;
  struct stat status = {};
  return fstat(descriptor_, &status) == 0 &&
         static_cast<std::uint64_t>(status.st_size) == bytes_.size();
}

void MappedFile::check_intact() const {
  if (is_intact()) return;
  throw Error(ErrorKind::bad_model, path_.string() + ": was cut or replaced while in use, wanted " +
                                        std::to_string(bytes_.size()) + " bytes all along");
}

}  // namespace whereof::model
