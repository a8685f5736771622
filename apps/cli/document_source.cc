#include "document_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

#include "whereof/error.h"

namespace whereof::cli {
namespace {

namespace fs = std::filesystem;

// Standard input, kept in a file that goes away with this object.
class InputFile {
 public:
  InputFile() {
    std::string pattern = (fs::temp_directory_path() / "whereof-input-XXXXXX").string();
    descriptor_ = mkstemp(pattern.data());
    if (descriptor_ < 0) fail("cannot make a temporary file for standard input");
    path_ = pattern;
    copy();
  }
  ~InputFile() {
    close(descriptor_);
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  [[noreturn]] static void fail(const char* what) {
    const auto kind = errno == ENOSPC ? ErrorKind::out_of_space : ErrorKind::input_output;
    throw Error(kind, std::string(what) + ": " + std::strerror(errno));
  }
  void copy() {
    std::array<char, 1 << 16> buffer{};
    std::int64_t total = 0;
    const std::int64_t limit = ReadLimits{}.file_bytes;
    for (;;) {
      const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("cannot read standard input");
      if (count == 0) return;
      total += count;
      if (total > limit) {
        throw Error(ErrorKind::bad_document,
                    fmt::format("standard input: more than the limit of {} bytes", limit));
      }
      if (write(descriptor_, buffer.data(), static_cast<std::size_t>(count)) != count) {
        fail("cannot keep standard input in a temporary file");
      }
    }
  }

  int descriptor_ = -1;
  fs::path path_;
};

void show_warnings(const Document& document) {
  for (const std::string& warning : document.report.warnings) {
    fmt::print(stderr, "whereof: {}: {}\n", document.name, warning);
  }
}

Document read_from(const fs::path& path, Library* library, ProgressLine& progress,
                   std::stop_token stop) {
  if (library != nullptr) {
    const std::optional<std::string> hash = content_hash_of_file(path);
    std::optional<Document> kept = hash ? library->load(*hash) : std::nullopt;
    if (kept) {
      kept->path = path;
      kept->name = path.filename().string();
      show_warnings(*kept);
      return std::move(*kept);
    }
  }
  ReadDocumentOptions options;
  options.progress = progress.callback();
  options.stop = stop;
  std::error_code unknown;  // the library is used from any folder
  const fs::path absolute = fs::absolute(path, unknown).lexically_normal();
  Document document = read_document(unknown ? path : absolute, options);
  progress.clear();
  show_warnings(document);
  if (library != nullptr) library->add(document);
  return document;
}

Document document_from_any(const std::string& file, Library* library, ProgressLine& progress,
                           std::stop_token stop) {
  if (file != "-") return read_from(file, library, progress, stop);
  const InputFile input;
  Document document = read_from(input.path(), library, progress, stop);
  document.name = "standard input";
  return document;
}

}  // namespace

Document document_from(const std::string& file, Library& library, ProgressLine& progress,
                       std::stop_token stop) {
  return document_from_any(file, &library, progress, stop);
}

Document document_from(const std::string& file, ProgressLine& progress, std::stop_token stop) {
  return document_from_any(file, nullptr, progress, stop);
}

}  // namespace whereof::cli
