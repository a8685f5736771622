#include "retrieval/checked_pages.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "whereof/error.h"

namespace whereof::retrieval {
namespace {

constexpr const char* kName = "whereof-checked";

// SQLite allocates szOsFile bytes for an open file: this, then the file of the VFS below.
struct CheckedFile {
  sqlite3_file base;
};

sqlite3_file* below(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<CheckedFile*>(file) + 1);
}

sqlite3_vfs* below(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

std::uint64_t checksum(const unsigned char* page, sqlite3_int64 offset) {
  auto hash = static_cast<std::uint64_t>(offset);
  for (int at = 0; at < kPageBytes - kChecksumBytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, page + at, sizeof(word));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

bool is_page(int bytes, sqlite3_int64 offset) {
  return bytes == kPageBytes && offset % kPageBytes == 0;
}

int read(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset) {
  const int code = below(file)->pMethods->xRead(below(file), bytes, count, offset);
  if (code != SQLITE_OK || !is_page(count, offset)) return code;
  const auto* page = static_cast<const unsigned char*>(bytes);
  std::uint64_t stored = 0;
  std::memcpy(&stored, page + kPageBytes - kChecksumBytes, sizeof(stored));
  return stored == checksum(page, offset) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  if (!is_page(count, offset)) {
    return below(file)->pMethods->xWrite(below(file), bytes, count, offset);
  }
  std::array<unsigned char, kPageBytes> page;
  std::memcpy(page.data(), bytes, page.size());
  const std::uint64_t hash = checksum(page.data(), offset);
  std::memcpy(page.data() + kPageBytes - kChecksumBytes, &hash, sizeof(hash));
  return below(file)->pMethods->xWrite(below(file), page.data(), count, offset);
}

int close(sqlite3_file* file) { return below(file)->pMethods->xClose(below(file)); }

// The function that hands a call of `method` on to the file below.
template <auto method, typename... Arguments>
constexpr auto pass_on(int (*)(sqlite3_file*, Arguments...)) {
  return [](sqlite3_file* file, Arguments... arguments) -> int {
    return (below(file)->pMethods->*method)(below(file), arguments...);
  };
}

void barrier(sqlite3_file* file) { below(file)->pMethods->xShmBarrier(below(file)); }

template <auto method>
using Function = std::remove_reference_t<decltype(std::declval<sqlite3_io_methods&>().*method)>;

template <auto method>
constexpr auto passed_on = +pass_on<method>(static_cast<Function<method>>(nullptr));

// Version 2: a log, but no memory mapping, which would go past the checks.
constexpr sqlite3_io_methods kMethods = {
    2,
    close,
    read,
    write,
    passed_on<&sqlite3_io_methods::xTruncate>,
    passed_on<&sqlite3_io_methods::xSync>,
    passed_on<&sqlite3_io_methods::xFileSize>,
    passed_on<&sqlite3_io_methods::xLock>,
    passed_on<&sqlite3_io_methods::xUnlock>,
    passed_on<&sqlite3_io_methods::xCheckReservedLock>,
    passed_on<&sqlite3_io_methods::xFileControl>,
    passed_on<&sqlite3_io_methods::xSectorSize>,
    passed_on<&sqlite3_io_methods::xDeviceCharacteristics>,
    passed_on<&sqlite3_io_methods::xShmMap>,
    passed_on<&sqlite3_io_methods::xShmLock>,
    barrier,
    passed_on<&sqlite3_io_methods::xShmUnmap>,
    nullptr,
    nullptr,
};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) {
    return below(vfs)->xOpen(below(vfs), name, file, flags, out_flags);
  }
  file->pMethods = nullptr;
  below(file)->pMethods = nullptr;
  const int code = below(vfs)->xOpen(below(vfs), name, below(file), flags, out_flags);
  // SQLite closes a file that has methods, also after a failure.
  if (below(file)->pMethods != nullptr) file->pMethods = &kMethods;
  return code;
}

sqlite3_vfs make_vfs(sqlite3_vfs* under) {
  sqlite3_vfs vfs{};
  vfs.iVersion = 2;
  vfs.szOsFile = static_cast<int>(sizeof(CheckedFile)) + under->szOsFile;
  vfs.mxPathname = under->mxPathname;
  vfs.zName = kName;
  vfs.pAppData = under;
  vfs.xOpen = open_file;
  vfs.xDelete = [](sqlite3_vfs* own, const char* name, int sync) {
    return below(own)->xDelete(below(own), name, sync);
  };
  vfs.xAccess = [](sqlite3_vfs* own, const char* name, int flags, int* result) {
    return below(own)->xAccess(below(own), name, flags, result);
  };
  vfs.xFullPathname = [](sqlite3_vfs* own, const char* name, int size, char* path) {
    return below(own)->xFullPathname(below(own), name, size, path);
  };
  vfs.xRandomness = [](sqlite3_vfs* own, int size, char* bytes) {
    return below(own)->xRandomness(below(own), size, bytes);
  };
  vfs.xSleep = [](sqlite3_vfs* own, int microseconds) {
    return below(own)->xSleep(below(own), microseconds);
  };
  vfs.xCurrentTime = [](sqlite3_vfs* own, double* days) {
    return below(own)->xCurrentTime(below(own), days);
  };
  vfs.xGetLastError = [](sqlite3_vfs* own, int size, char* message) {
    return below(own)->xGetLastError(below(own), size, message);
  };
  vfs.xCurrentTimeInt64 = [](sqlite3_vfs* own, sqlite3_int64* milliseconds) {
    return below(own)->xCurrentTimeInt64(below(own), milliseconds);
  };
  return vfs;
}

}  // namespace

const char* checked_pages_vfs() {
  static const int registered = [] {
    static sqlite3_vfs vfs = make_vfs(sqlite3_vfs_find(nullptr));
    return sqlite3_vfs_register(&vfs, 0);
  }();
  if (registered != SQLITE_OK) {
    throw Error(ErrorKind::out_of_memory, std::string("SQLite: ") + sqlite3_errstr(registered));
  }
  return kName;
}

int reserve_checksum_bytes(sqlite3* connection) {
  int bytes = kChecksumBytes;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

}  // namespace whereof::retrieval
