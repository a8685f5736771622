// A folder for a library, and the process's surroundings, restored after a test.
#ifndef WHEREOF_TESTS_RETRIEVAL_LIBRARY_FOLDER_H_
#define WHEREOF_TESTS_RETRIEVAL_LIBRARY_FOLDER_H_

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace whereof::retrieval {

class LibraryFolder : public ::testing::Test {
 protected:
  LibraryFolder() {
    std::string pattern = ::testing::TempDir() + "whereof-library-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    folder_ = pattern;
  }
  ~LibraryFolder() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file() const { return folder_ / "library.db"; }
  static void write_fifo(const std::filesystem::path& path) {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }

 private:
  std::filesystem::path folder_;
};

// Sets (nullptr: unsets) a variable for as long as it lives.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~EnvironmentVariable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_TESTS_RETRIEVAL_LIBRARY_FOLDER_H_
