// A file mapped read-only, whose disappearance is an error and not the end of the process.
//
// Reading a mapped page that lies behind the end of its file raises SIGBUS: so a file that another
// process cuts while it is in use would kill this one. The guard, as display servers do it for
// buffers shared with clients they do not trust: the first mapping installs a handler for SIGBUS;
// a fault inside a mapping of ours puts zero pages over the rest of that mapping, marks it as
// damaged and returns, so the read goes on and gives zeros, in any thread and inside any kernel.
// Whoever uses the bytes calls check_intact() once the work is done and before its result counts.
// A fault elsewhere goes on to the handler that was there before, or ends the process as it would
// have done.
#ifndef WHEREOF_MODEL_MAPPED_FILE_H_
#define WHEREOF_MODEL_MAPPED_FILE_H_

#include <cstddef>
#include <filesystem>
#include <span>

namespace whereof::model {

struct MappedRegion;  // what the signal handler sees of a mapping

class MappedFile {
 public:
  // Maps a regular file. Throws Error: not_found, input_output, bad_model (empty, or a directory, a
  // device or a pipe; none of these is waited for).
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  // Lives as long as this object. May change under the reader if the file is written meanwhile.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  // False once a read met a lost page, or while the file's size is not the size that was mapped.
  bool is_intact() const noexcept;
  // Throws Error(bad_model) unless is_intact(). A few hundred nanoseconds (one fstat).
  void check_intact() const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::span<const std::byte> bytes_;
  MappedRegion* region_ = nullptr;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_MAPPED_FILE_H_
