// A file that is gone with the test.
#ifndef WHEREOF_TESTS_MODEL_TEMPORARY_FILE_H_
#define WHEREOF_TESTS_MODEL_TEMPORARY_FILE_H_

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace whereof::tests {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) : path_(unused_path()) { write(bytes); }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path_.string());
  }

  static std::filesystem::path unused_path() {
    static std::atomic<int> count{0};
    return std::filesystem::temp_directory_path() /
           ("whereof-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_MODEL_TEMPORARY_FILE_H_
