// The file of a library before there is one: who makes it, and what stands in its first bytes.
// Nobody but SQLite opens the file itself: closing any descriptor of a file gives up all locks that
// the process has on it, those of its other connections too.
#ifndef WHEREOF_RETRIEVAL_LIBRARY_FILE_H_
#define WHEREOF_RETRIEVAL_LIBRARY_FILE_H_

#include <filesystem>

#include "retrieval/database.h"

namespace whereof::retrieval {

// The file exists afterwards, readable by its owner only where it is made here; and it is a file.
// Its folder is made too. Throws Error: input_output, out_of_space.
void make_library_file(const std::filesystem::path& file);

// Whether the file has SQLite's head and keeps a log. Throws Error: corrupt_library if it is
// neither empty nor SQLite's, which would write over a file shorter than a page.
bool has_log(const Database& database);

// Held by the one process that turns an empty file into a library: where two switch a file to a
// log at once, SQLite fails in one of them without waiting. A lock on the folder, so it leaves no
// file behind and goes with the process. Waits up to 10 s; whoever locks folders for another reason
// or has a file system without such locks goes on without it, as safely and less smoothly.
class CreationLock {
 public:
  explicit CreationLock(const std::filesystem::path& file);
  ~CreationLock();
  CreationLock(const CreationLock&) = delete;
  CreationLock& operator=(const CreationLock&) = delete;

 private:
  int folder_ = -1;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_LIBRARY_FILE_H_
