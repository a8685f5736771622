#include "retrieval/failing_calls.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace whereof::retrieval {
namespace {

int calls_left = 0;
int error_number = 0;
bool failed = false;

bool fails_now() {
  if (calls_left > 1) {
    --calls_left;
    return false;
  }
  const bool is_for_good = error_number == ENOSPC;
  if (failed && !is_for_good) return false;
  failed = true;
  errno = error_number;
  return true;
}

ssize_t failing_pwrite(int file, const void* bytes, size_t count, off_t offset) {
  return fails_now() ? -1 : ::pwrite(file, bytes, count, offset);
}
ssize_t failing_pread(int file, void* bytes, size_t count, off_t offset) {
  return fails_now() ? -1 : ::pread(file, bytes, count, offset);
}
ssize_t failing_read(int file, void* bytes, size_t count) {
  return fails_now() ? -1 : ::read(file, bytes, count);
}
int failing_open(const char* path, int flags, int mode) {
  return fails_now() ? -1 : ::open(path, flags, mode);
}
int failing_ftruncate(int file, off_t length) {
  return fails_now() ? -1 : ::ftruncate(file, length);
}
int failing_fstat(int file, struct stat* status) {
  return fails_now() ? -1 : ::fstat(file, status);
}

sqlite3_syscall_ptr replacement(const std::string& name) {
  if (name == "pwrite") return reinterpret_cast<sqlite3_syscall_ptr>(failing_pwrite);
  if (name == "pread") return reinterpret_cast<sqlite3_syscall_ptr>(failing_pread);
  if (name == "read") return reinterpret_cast<sqlite3_syscall_ptr>(failing_read);
  if (name == "open") return reinterpret_cast<sqlite3_syscall_ptr>(failing_open);
  if (name == "ftruncate") return reinterpret_cast<sqlite3_syscall_ptr>(failing_ftruncate);
  if (name == "fstat") return reinterpret_cast<sqlite3_syscall_ptr>(failing_fstat);
  throw std::invalid_argument(name);
}

}  // namespace

FailingCalls::FailingCalls(const Plan& plan) {
  calls_left = plan.from;
  error_number = plan.error;
  failed = false;
  sqlite3_vfs* vfs = sqlite3_vfs_find("unix");
  for (const std::string& name : plan.names) {
    int replaced = 0;
    for (const std::string& spelling : {name, name + "64"}) {
      if (vfs->xSetSystemCall(vfs, spelling.c_str(), replacement(name)) == SQLITE_OK) ++replaced;
    }
    if (replaced == 0) throw std::invalid_argument(name);
  }
}

bool FailingCalls::has_failed() const { return failed; }

}  // namespace whereof::retrieval
