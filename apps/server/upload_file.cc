#include "upload_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "whereof/error.h"

namespace whereof::server {
namespace {

[[noreturn]] void fail(const std::string& what, int code) {
  const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  throw Error(is_full ? ErrorKind::out_of_space : ErrorKind::input_output,
              what + ": " + std::strerror(code));
}

}  // namespace

OwnedDescriptor make_upload_file(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) fail("cannot make the folder " + folder.string(), failure.value());
  OwnedDescriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  // Some file systems know no files without a name: one with a name, taken away at once.
  std::string pattern = (folder / ".upload-XXXXXX").string();
  file = OwnedDescriptor(mkostemp(pattern.data(), O_CLOEXEC));
  if (!file) fail("cannot make a file in " + folder.string(), errno);
  unlink(pattern.c_str());
  return file;
}

void append_to_upload(const OwnedDescriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("cannot keep an upload", count == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void UploadPiece::store(const std::filesystem::path& folder) noexcept {
  try {
    if (!file) file = make_upload_file(folder);
    append_to_upload(file, bytes);
  } catch (...) {
    failure = std::current_exception();
  }
  bytes = std::string();
}

}  // namespace whereof::server
